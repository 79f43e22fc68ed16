<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>ChangedFile</name>
    <message>
        <source>The file was changed</source>
        <translation>Datei wurde geändert</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was read here. Saving would overwrite that change.</source>
        <translation>%1 wurde von einem anderen Programm geändert, seit die Datei hier gelesen wurde. Speichern würde diese Änderung überschreiben.</translation>
    </message>
    <message>
        <source>&amp;Reload</source>
        <translation>&amp;Neu laden</translation>
    </message>
    <message>
        <source>&amp;Overwrite</source>
        <translation>&amp;Überschreiben</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>Setting, now %1</source>
        <translation>Einstellung, jetzt %1</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Set %1 to %2</source>
        <translation>%1 auf %2 setzen</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>jetzt %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>It is so already</source>
        <translation>Es ist schon so</translation>
    </message>
</context>
<context>
    <name>FaultList</name>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>What does not fit</source>
        <translation>Was nicht passt</translation>
    </message>
    <message>
        <source>What does not fit, numbered as in the drawing</source>
        <translation>Was nicht passt, nummeriert wie in der Zeichnung</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
</context>
<context>
    <name>HelpBook</name>
    <message>
        <source>Beginning</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Key figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>Panels and canvas</source>
        <translation>Felder und Zeichnung</translation>
    </message>
    <message>
        <source>Pages below the charts</source>
        <translation>Seiten unter den Diagrammen</translation>
    </message>
    <message>
        <source>Settings by groups</source>
        <translation>Einstellungen nach Gruppen</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>Fenster</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>The file cannot be written.</source>
        <translation>Die Datei kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>cluster</name>
    <message>
        <source>%1 each way</source>
        <translation>%1 je Richtung</translation>
    </message>
    <message>
        <source>Not verified: %1</source>
        <translation>Nicht geprüft: %1</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>Quelle: %1</translation>
    </message>
</context>
<context>
    <name>columns</name>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>Framework</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Interconnect</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Number of devices</source>
        <translation>Zahl der Geräte</translation>
    </message>
    <message>
        <source>Number of nodes</source>
        <translation>Zahl der Knoten</translation>
    </message>
    <message>
        <source>Devices per node</source>
        <translation>Geräte je Knoten</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Global batch, samples</source>
        <translation>Gesamter Batch, Samples</translation>
    </message>
    <message>
        <source>Batch of each replica, samples</source>
        <translation>Batch jeder Kopie, Samples</translation>
    </message>
    <message>
        <source>Global batch, tokens</source>
        <translation>Gesamter Batch, Token</translation>
    </message>
    <message>
        <source>Batch, global or of each replica</source>
        <translation>Batch, gesamt oder jeder Kopie</translation>
    </message>
    <message>
        <source>Micro-batch, samples</source>
        <translation>Mikro-Batch, Samples</translation>
    </message>
    <message>
        <source>Steps of gradient accumulation</source>
        <translation>Schritte der Gradientenakkumulation</translation>
    </message>
    <message>
        <source>Sequence length, tokens</source>
        <translation>Sequenzlänge, Token</translation>
    </message>
    <message>
        <source>Tensor parallel degree</source>
        <translation>Grad der Tensorparallelität</translation>
    </message>
    <message>
        <source>Pipeline parallel degree</source>
        <translation>Grad der Pipelineparallelität</translation>
    </message>
    <message>
        <source>Data parallel degree</source>
        <translation>Grad der Datenparallelität</translation>
    </message>
    <message>
        <source>Context parallel degree</source>
        <translation>Grad der Kontextparallelität</translation>
    </message>
    <message>
        <source>Expert parallel degree</source>
        <translation>Grad der Expertenparallelität</translation>
    </message>
    <message>
        <source>Tensor parallel degree of experts</source>
        <translation>Grad der Tensorparallelität der Experten</translation>
    </message>
    <message>
        <source>Pipeline chunks per device</source>
        <translation>Pipelineabschnitte je Gerät</translation>
    </message>
    <message>
        <source>Replicas that share one copy</source>
        <translation>Kopien, die sich eine teilen</translation>
    </message>
    <message>
        <source>Copies of the sharded weights</source>
        <translation>Kopien der verteilten Gewichte</translation>
    </message>
    <message>
        <source>Sharding of states</source>
        <translation>Verteilung der Zustände</translation>
    </message>
    <message>
        <source>Sequence parallelism</source>
        <translation>Sequenzparallelität</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Number of parameters</source>
        <translation>Zahl der Parameter</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Hidden width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>Attention heads</source>
        <translation>Attention-Köpfe</translation>
    </message>
    <message>
        <source>Heads of keys and values</source>
        <translation>Köpfe der Schlüssel und Werte</translation>
    </message>
    <message>
        <source>Feed-forward width</source>
        <translation>Breite des Feed-Forward-Netzes</translation>
    </message>
    <message>
        <source>Samples of the dataset</source>
        <translation>Samples des Datensatzes</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Experts per token</source>
        <translation>Experten je Token</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Metric of the figure</source>
        <translation>Metrik der Zahl</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>Unit of the figure</source>
        <translation>Einheit der Zahl</translation>
    </message>
    <message>
        <source>Which FLOPs count</source>
        <translation>Welche FLOPs zählen</translation>
    </message>
    <message>
        <source>Which memory counts</source>
        <translation>Welcher Speicher zählt</translation>
    </message>
    <message>
        <source>Tokens trained on</source>
        <translation>Trainierte Token</translation>
    </message>
    <message>
        <source>Ignored</source>
        <translation>Nicht beachtet</translation>
    </message>
    <message>
        <source>Throughput, unit not given</source>
        <translation>Durchsatz, Einheit nicht genannt</translation>
    </message>
</context>
<context>
    <name>letters</name>
    <message>
        <source>C</source>
        <translation>R</translation>
    </message>
</context>
<context>
    <name>palette</name>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>Pooling</source>
        <translation>Pooling</translation>
    </message>
    <message>
        <source>Dense</source>
        <translation>Dicht</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>Normalisierung</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Recurrent</source>
        <translation>Rekurrent</translation>
    </message>
    <message>
        <source>Element by element</source>
        <translation>Elementweise</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
</context>
<context>
    <name>scalescope::ui</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>split by outputs ÷%1</source>
        <translation>nach Ausgaben geteilt ÷%1</translation>
    </message>
    <message>
        <source>no front part</source>
        <translation>kein vorderer Teil</translation>
    </message>
    <message>
        <source>no back part</source>
        <translation>kein hinterer Teil</translation>
    </message>
    <message>
        <source>cut after %1</source>
        <translation>Schnitt nach %1</translation>
    </message>
    <message>
        <source> · best</source>
        <translation> · beste</translation>
    </message>
    <message>
        <source>data parallel</source>
        <translation>datenparallel</translation>
    </message>
    <message>
        <source>All is %1</source>
        <translation>Alles ist %1</translation>
    </message>
    <message>
        <source>All is data parallel</source>
        <translation>Alles ist datenparallel</translation>
    </message>
    <message>
        <source>Data parallel above, split by outputs below</source>
        <translation>Oben datenparallel, unten nach Ausgaben geteilt</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source>From %1</source>
        <translation>Ab %1</translation>
    </message>
    <message>
        <source>Layers in front</source>
        <translation>Schichten davor</translation>
    </message>
    <message>
        <source>Layers behind</source>
        <translation>Schichten dahinter</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>Fix the problems in the drawing before moving this.</source>
        <translation>Vor dem Verschieben die Probleme in der Zeichnung beheben.</translation>
    </message>
    <message>
        <source>Chosen automatically. To change it, drag it, or click it and use the arrow keys.</source>
        <translation>Automatisch gewählt. Verschieben durch Ziehen oder nach einem Klick mit den Pfeiltasten.</translation>
    </message>
    <message>
        <source>Drag it, or click it and use the arrow keys. Double-click to return to the automatic choice.</source>
        <translation>Verschieben durch Ziehen oder nach einem Klick mit den Pfeiltasten; ein Doppelklick stellt die automatische Wahl wieder her.</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Divided by outputs ÷%1</source>
        <translation>Nach Ausgaben geteilt ÷%1</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>Whole on every worker</source>
        <translation>Ganz auf jedem Worker</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>whole on each of %1 workers</source>
        <translation>ganz auf jedem von %1 Workern</translation>
    </message>
    <message>
        <source>Outputs per worker</source>
        <translation>Ausgaben je Worker</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 von %2, %3</translation>
    </message>
    <message>
        <source> in %1 blocks alike</source>
        <translation> in %1 gleichen Blöcken</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Kept for backward</source>
        <translation>Für rückwärts behalten</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOPs</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>time per step (log)</source>
        <translation>Zeit je Schritt (log)</translation>
    </message>
    <message>
        <source>FLOPs per step (log)</source>
        <translation>FLOPs je Schritt (log)</translation>
    </message>
    <message>
        <source>bytes moved per step (log)</source>
        <translation>bewegte Bytes je Schritt (log)</translation>
    </message>
    <message>
        <source>memory kept for backward (log)</source>
        <translation>für rückwärts belegter Speicher (log)</translation>
    </message>
    <message>
        <source>parameters (log)</source>
        <translation>Parameter (log)</translation>
    </message>
    <message>
        <source>what most time goes to</source>
        <translation>wohin die meiste Zeit geht</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Hybrid</source>
        <translation>Hybrid</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>Halving–doubling</source>
        <translation>Halbieren–Verdoppeln</translation>
    </message>
    <message>
        <source>Double tree</source>
        <translation>Doppelbaum</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>Baum</translation>
    </message>
    <message>
        <source>Butterfly</source>
        <translation>Butterfly</translation>
    </message>
    <message>
        <source>Butterfly mixing</source>
        <translation>Butterfly-Mischen</translation>
    </message>
    <message>
        <source>Parameter server</source>
        <translation>Parameterserver</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>Schnellstes</translation>
    </message>
    <message>
        <source>All at once</source>
        <translation>Alles auf einmal</translation>
    </message>
    <message>
        <source>One sender</source>
        <translation>Ein Sender</translation>
    </message>
    <message>
        <source>All send a share</source>
        <translation>Alle senden einen Anteil</translation>
    </message>
    <message>
        <source>Synchronous</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>Asynchron</translation>
    </message>
    <message>
        <source>Machines of a replica</source>
        <translation>Rechner einer Replik</translation>
    </message>
    <message>
        <source>Kinds of updates</source>
        <translation>Arten von Updates</translation>
    </message>
    <message>
        <source>Mesh %1 × %2</source>
        <translation>Mesh %1 × %2</translation>
    </message>
    <message>
        <source>All-reduce algorithms</source>
        <translation>Allreduce-Verfahren</translation>
    </message>
    <message>
        <source>Hybrid schemes</source>
        <translation>Hybrid-Schemata</translation>
    </message>
    <message>
        <source>Replicas of 1 machine</source>
        <translation>Repliken aus 1 Rechner</translation>
    </message>
    <message>
        <source>Replicas of %1</source>
        <translation>Repliken aus %1</translation>
    </message>
    <message>
        <source>Scalescope</source>
        <translation>Scalescope</translation>
    </message>
    <message>
        <source>Work, shares, prices and schedule: all strategies, today&apos;s all-reduces, overlap</source>
        <translation>Arbeit, Anteile, Zeiten und Ablauf: alle Strategien, heutige Allreduce-Verfahren, Überlappung</translation>
    </message>
    <message>
        <source>PALEO, code</source>
        <translation>PALEO, Code</translation>
    </message>
    <message>
        <source>PALEO, paper</source>
        <translation>PALEO, Aufsatz</translation>
    </message>
    <message>
        <source>PALEO&apos;s first code, which gave the numbers of the ICLR 2017 paper</source>
        <translation>PALEOs erster Code, von dem die Zahlen des ICLR-Aufsatzes von 2017 stammen</translation>
    </message>
    <message>
        <source>CPU cluster</source>
        <translation>CPU-Cluster</translation>
    </message>
    <message>
        <source>Machines without GPUs and their parameter servers, after Yan et al. 2015 (re-derived): none of its figures are the paper&apos;s own</source>
        <translation>Rechner ohne GPUs und ihre Parameterserver, nach Yan et al. 2015 (neu hergeleitet): keine der Zahlen stammt aus dem Aufsatz selbst</translation>
    </message>
    <message>
        <source>2(n−1) messages around a ring, each of a share of the buffer</source>
        <translation>2(n−1) Nachrichten im Ring, jede mit einem Anteil des Puffers</translation>
    </message>
    <message>
        <source>Halves and doubles the buffer over log n exchanges</source>
        <translation>Halbiert und verdoppelt den Puffer in log n Austauschrunden</translation>
    </message>
    <message>
        <source>Two pipelined binary trees, as in NCCL</source>
        <translation>Zwei Binärbäume im Fließbandbetrieb, wie in NCCL</translation>
    </message>
    <message>
        <source>The cheapest of the three for each message</source>
        <translation>Für jede Nachricht das günstigste der drei</translation>
    </message>
    <message>
        <source>Gradients go to the hosts&apos; memory, weights come back from there before the next step</source>
        <translation>Gradienten gehen in den Speicher der Hosts, Gewichte kommen vor dem nächsten Schritt von dort zurück</translation>
    </message>
    <message>
        <source>All to one and back, one after the other</source>
        <translation>Alle zu einem und zurück, nacheinander</translation>
    </message>
    <message>
        <source>As in PALEO</source>
        <translation>Wie in PALEO</translation>
    </message>
    <message>
        <source>Up and down a binary tree with the whole buffer</source>
        <translation>Einen Binärbaum hinauf und hinab mit dem ganzen Puffer</translation>
    </message>
    <message>
        <source>log n exchanges of the whole buffer</source>
        <translation>log n Austauschrunden mit dem ganzen Puffer</translation>
    </message>
    <message>
        <source>One exchange with one partner: not the same algorithm as averaging over all workers</source>
        <translation>Ein Austausch mit einem Partner: nicht dasselbe Verfahren wie das Mitteln über alle Worker</translation>
    </message>
    <message>
        <source>All activations are gathered, then the back part runs once</source>
        <translation>Alle Aktivierungen werden gesammelt, dann läuft der hintere Teil einmal</translation>
    </message>
    <message>
        <source>One worker after the other broadcasts its activations while the others work</source>
        <translation>Ein Worker nach dem anderen verteilt seine Aktivierungen, während die anderen arbeiten</translation>
    </message>
    <message>
        <source>Every worker sends a share of its activations in each slice, using all links</source>
        <translation>In jedem Abschnitt sendet jeder Worker einen Anteil seiner Aktivierungen über alle Verbindungen</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Gradients are exchanged after the backward pass</source>
        <translation>Gradienten werden nach dem Rückwärtslauf ausgetauscht</translation>
    </message>
    <message>
        <source>buckets</source>
        <translation>Buckets</translation>
    </message>
    <message>
        <source>Gradients leave in buckets while backward goes on</source>
        <translation>Gradienten gehen bucketweise los, während der Rückwärtslauf weitergeht</translation>
    </message>
    <message>
        <source>perfect</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>All communication that fits hides behind backward: a bound</source>
        <translation>Alle Kommunikation, die hineinpasst, verbirgt sich hinter dem Rückwärtslauf: eine Schranke</translation>
    </message>
    <message>
        <source>samples a replica</source>
        <translation>Samples je Replik</translation>
    </message>
    <message>
        <source>Samples each replica trains on between two exchanges with the parameter servers</source>
        <translation>Samples, die jede Replik zwischen zwei Austauschen mit den Parameterservern verarbeitet</translation>
    </message>
    <message>
        <source>samples in total</source>
        <translation>Samples insgesamt</translation>
    </message>
    <message>
        <source>Total number of samples, divided among all replicas</source>
        <translation>Gesamtzahl der Samples, auf alle Repliken verteilt</translation>
    </message>
    <message>
        <source>per worker</source>
        <translation>je Worker</translation>
    </message>
    <message>
        <source>Weak scaling: the batch of all workers grows with them</source>
        <translation>Schwache Skalierung: Der Batch aller Worker wächst mit ihnen</translation>
    </message>
    <message>
        <source>in total</source>
        <translation>insgesamt</translation>
    </message>
    <message>
        <source>Strong scaling: the batch stays and is shared</source>
        <translation>Starke Skalierung: Der Batch bleibt gleich und wird aufgeteilt</translation>
    </message>
    <message>
        <source>No figure is known for this device</source>
        <translation>Für dieses Gerät ist kein Wert bekannt</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>SGD with momentum</source>
        <translation>SGD mit Momentum</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>LAMB</source>
        <translation>LAMB</translation>
    </message>
    <message>
        <source>Adam with a step for each layer&apos;s weights as a whole</source>
        <translation>Adam mit einer Schrittweite für die Gewichte jeder Schicht als Ganzes</translation>
    </message>
    <message>
        <source>Matrix product</source>
        <translation>Matrixprodukt</translation>
    </message>
    <message>
        <source>Percents of peak in PALEO were fitted with this</source>
        <translation>Damit wurden die Prozent der Spitze in PALEO angepasst</translation>
    </message>
    <message>
        <source>Cheapest</source>
        <translation>Günstigstes</translation>
    </message>
    <message>
        <source>Winograd or FFT where they are faster and their workspace fits</source>
        <translation>Winograd oder FFT, wo sie schneller sind und ihr Arbeitsspeicher passt</translation>
    </message>
    <message>
        <source>FlashAttention 2</source>
        <translation>FlashAttention 2</translation>
    </message>
    <message>
        <source>FlashAttention 3, cuDNN</source>
        <translation>FlashAttention 3, cuDNN</translation>
    </message>
    <message>
        <source>Triton</source>
        <translation>Triton</translation>
    </message>
    <message>
        <source>Fastest measured</source>
        <translation>Schnellster gemessener</translation>
    </message>
    <message>
        <source>adds to arithmetic</source>
        <translation>plus Arithmetik</translation>
    </message>
    <message>
        <source>Read, compute and write one after the other, as PALEO counts</source>
        <translation>Lesen, Rechnen und Schreiben nacheinander, wie PALEO zählt</translation>
    </message>
    <message>
        <source>behind arithmetic</source>
        <translation>hinter der Arithmetik</translation>
    </message>
    <message>
        <source>The longer of the two counts: a roofline</source>
        <translation>Das Längere von beiden zählt: eine Roofline</translation>
    </message>
    <message>
        <source>Asynchronous: each worker exchanges gradients with the parameter servers without waiting for the others, so its weights may be stale</source>
        <translation>Asynchron: Jeder Worker tauscht Gradienten mit den Parameterservern aus, ohne auf die anderen zu warten; seine Gewichte können daher veraltet sein</translation>
    </message>
    <message>
        <source>Without waiting for each other</source>
        <translation>Ohne aufeinander zu warten</translation>
    </message>
    <message>
        <source>equal parts</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>Every server keeps the same share of the weights</source>
        <translation>Jeder Server hält den gleichen Anteil der Gewichte</translation>
    </message>
    <message>
        <source>whole layers</source>
        <translation>ganze Schichten</translation>
    </message>
    <message>
        <source>A server keeps whole layers, so that a large one makes its server slow</source>
        <translation>Ein Server hält ganze Schichten, sodass eine große ihn langsam macht</translation>
    </message>
    <message>
        <source>%1 data</source>
        <translation>%1 Daten</translation>
    </message>
    <message>
        <source>%1 pipeline</source>
        <translation>%1 Pipeline</translation>
    </message>
    <message>
        <source>%1 tensor</source>
        <translation>%1 Tensor</translation>
    </message>
    <message>
        <source>by outputs</source>
        <translation>nach Ausgaben</translation>
    </message>
    <message>
        <source>Every layer along its outputs, gathered where they are read</source>
        <translation>Jede Schicht nach ihren Ausgaben, eingesammelt, wo sie gelesen werden</translation>
    </message>
    <message>
        <source>as trainers do</source>
        <translation>wie Megatron-LM</translation>
    </message>
    <message>
        <source>Weights by columns and rows in turn, attention by heads, tables by vocabulary: as Megatron-LM</source>
        <translation>Gewichte abwechselnd nach Spalten und Zeilen, Attention nach Köpfen, Tabellen nach Vokabular: wie Megatron-LM</translation>
    </message>
    <message>
        <source>cheapest</source>
        <translation>am günstigsten</translation>
    </message>
    <message>
        <source>Each layer in the way that makes the step shortest</source>
        <translation>Jede Schicht so, dass der Schritt am kürzesten wird</translation>
    </message>
    <message>
        <source>by image rows</source>
        <translation>nach Bildzeilen</translation>
    </message>
    <message>
        <source>Images along their rows, with the rows at the borders exchanged; all else as trainers do</source>
        <translation>Bilder nach ihren Zeilen, mit Austausch der Zeilen an den Grenzen; alles andere wie Megatron-LM</translation>
    </message>
    <message>
        <source>All replicas exchange together and go on with the same weights</source>
        <translation>Alle Repliken tauschen gemeinsam aus und machen mit denselben Gewichten weiter</translation>
    </message>
    <message>
        <source>Each replica exchanges on its own, while others change the weights</source>
        <translation>Jede Replik tauscht für sich aus, während andere die Gewichte ändern</translation>
    </message>
    <message>
        <source>own machines</source>
        <translation>eigene Rechner</translation>
    </message>
    <message>
        <source>Machines used only as parameter servers</source>
        <translation>Rechner, die nur als Parameterserver dienen</translation>
    </message>
    <message>
        <source>workers&apos; machines</source>
        <translation>Rechner der Worker</translation>
    </message>
    <message>
        <source>Servers share the network and cores of the training machines</source>
        <translation>Die Server teilen sich Netzwerk und Kerne mit den trainierenden Rechnern</translation>
    </message>
    <message>
        <source>into most segments</source>
        <translation>möglichst viele</translation>
    </message>
    <message>
        <source>Every layer is cut into as many segments as a replica has machines, or as it can have</source>
        <translation>Jede Schicht wird in so viele Segmente zerlegt, wie eine Replik Rechner hat oder wie die Schicht zulässt</translation>
    </message>
    <message>
        <source>into the best number</source>
        <translation>in die beste Anzahl</translation>
    </message>
    <message>
        <source>Each layer into as many segments as take least time, found by a dynamic programme</source>
        <translation>Jede Schicht in so viele Segmente, wie am wenigsten Zeit kosten, gefunden durch dynamische Programmierung</translation>
    </message>
    <message>
        <source>by rows</source>
        <translation>nach Zeilen</translation>
    </message>
    <message>
        <source>Each machine has rows of the image, and all kernels</source>
        <translation>Jeder Rechner hat Zeilen des Bildes und alle Kernel</translation>
    </message>
    <message>
        <source>by channels</source>
        <translation>nach Kanälen</translation>
    </message>
    <message>
        <source>Each machine has some of the kernels, and needs the whole input</source>
        <translation>Jeder Rechner hat einige der Kernel und braucht die ganze Eingabe</translation>
    </message>
    <message>
        <source>in a row</source>
        <translation>der Reihe nach</translation>
    </message>
    <message>
        <source>Neighbouring segments stand on neighbouring machines</source>
        <translation>Benachbarte Segmente stehen auf benachbarten Rechnern</translation>
    </message>
    <message>
        <source>fewest connections</source>
        <translation>wenigste Verbindungen</translation>
    </message>
    <message>
        <source>Each segment stands where it has the fewest remote connections (US patent 10,686,869)</source>
        <translation>Jedes Segment steht dort, wo es die wenigsten entfernten Verbindungen hat (US-Patent 10,686,869)</translation>
    </message>
    <message>
        <source>after each sample</source>
        <translation>nach jedem Sample</translation>
    </message>
    <message>
        <source>A machine applies the deltas of every sample to its own weights</source>
        <translation>Ein Rechner wendet die Deltas jedes Samples auf seine eigenen Gewichte an</translation>
    </message>
    <message>
        <source>once an exchange</source>
        <translation>einmal je Austausch</translation>
    </message>
    <message>
        <source>It adds them up and applies them once</source>
        <translation>Er summiert sie und wendet sie einmal an</translation>
    </message>
    <message>
        <source>beside training</source>
        <translation>neben dem Training</translation>
    </message>
    <message>
        <source>Training continues while weights are transferred</source>
        <translation>Das Training läuft weiter, während Gewichte übertragen werden</translation>
    </message>
    <message>
        <source>then training</source>
        <translation>danach Training</translation>
    </message>
    <message>
        <source>A replica waits while its weights are transferred</source>
        <translation>Eine Replik wartet, während ihre Gewichte übertragen werden</translation>
    </message>
    <message>
        <source>busiest part counts</source>
        <translation>der Engpass zählt</translation>
    </message>
    <message>
        <source>The step lasts as long as the busiest of compute, networks and servers: a lower bound</source>
        <translation>Der Schritt dauert so lange, wie der Engpass unter Rechnen, Netzwerken und Servern braucht: eine untere Schranke</translation>
    </message>
    <message>
        <source>replicas queue</source>
        <translation>Repliken stehen an</translation>
    </message>
    <message>
        <source>Replicas that meet at the servers wait for each other</source>
        <translation>Repliken, die sich an den Servern treffen, warten aufeinander</translation>
    </message>
    <message>
        <source>put right</source>
        <translation>berichtigt</translation>
    </message>
    <message>
        <source>Transfers and memory are counted in full</source>
        <translation>Übertragungen und Speicher werden vollständig gezählt</translation>
    </message>
    <message>
        <source>worked example</source>
        <translation>Rechenbeispiel</translation>
    </message>
    <message>
        <source>With the simplifications of the worked example, to repeat its numbers</source>
        <translation>Mit den Vereinfachungen des Rechenbeispiels, um seine Zahlen zu wiederholen</translation>
    </message>
    <message>
        <source>worker network</source>
        <translation>Netzwerk des Workers</translation>
    </message>
    <message>
        <source>server network</source>
        <translation>Netzwerk des Servers</translation>
    </message>
    <message>
        <source>server processors</source>
        <translation>Prozessoren der Server</translation>
    </message>
    <message>
        <source>Choose the method “CPU cluster” to see how its machines share the work.</source>
        <translation>Die Methode „CPU-Cluster“ zeigt, wie seine Rechner die Arbeit teilen.</translation>
    </message>
    <message>
        <source>A sample by layer</source>
        <translation>Ein Sample nach Schichten</translation>
    </message>
    <message>
        <source>for one sample on one thread</source>
        <translation>für ein Sample auf einem Thread</translation>
    </message>
    <message>
        <source>the sample</source>
        <translation>Sample</translation>
    </message>
    <message>
        <source>whole on one machine</source>
        <translation>ganz auf einem Rechner</translation>
    </message>
    <message>
        <source>in %1 segments</source>
        <translation>in %1 Segmenten</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Bestimmt durch</translation>
    </message>
    <message>
        <source>by what sets the time</source>
        <translation>nach dem, was die Zeit bestimmt</translation>
    </message>
    <message>
        <source>Machines that train</source>
        <translation>Trainierende Rechner</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Memory, machine</source>
        <translation>Speicher, Rechner</translation>
    </message>
    <message>
        <source>too little memory</source>
        <translation>zu wenig Speicher</translation>
    </message>
    <message>
        <source>more machines than asked about</source>
        <translation>mehr Rechner als angefragt</translation>
    </message>
    <message>
        <source>over %1 machines</source>
        <translation>über %1 Rechner</translation>
    </message>
    <message>
        <source>set by %1</source>
        <translation>bestimmt durch %1</translation>
    </message>
    <message>
        <source>set by %1 · does not fit in memory</source>
        <translation>bestimmt durch %1 · passt nicht in den Speicher</translation>
    </message>
    <message>
        <source>All run beside each other: a step lasts as long as the busiest.</source>
        <translation>Alle laufen nebeneinander: Ein Schritt dauert so lange, wie der am stärksten ausgelastete Teil braucht.</translation>
    </message>
    <message>
        <source>if replicas queue</source>
        <translation>wenn Repliken anstehen</translation>
    </message>
    <message>
        <source>Replicas that meet at the servers wait for each other: a closed queueing network</source>
        <translation>Repliken, die sich an den Servern treffen, warten aufeinander: ein geschlossenes Warteschlangennetz</translation>
    </message>
    <message>
        <source>One after the other.</source>
        <translation>Eins nach dem anderen.</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>, %1 bis %2</translation>
    </message>
    <message>
        <source>determined</source>
        <translation>bestimmt</translation>
    </message>
    <message>
        <source>partly</source>
        <translation>teilweise</translation>
    </message>
    <message>
        <source>not determined</source>
        <translation>nicht bestimmt</translation>
    </message>
    <message>
        <source>, forward</source>
        <translation>, vorwärts</translation>
    </message>
    <message>
        <source>, backward</source>
        <translation>, rückwärts</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>, batch %1 each</source>
        <translation>, Batch je %1</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>as the design is</source>
        <translation>wie der Entwurf ist</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>kalibriert</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Believed</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>from (90 %)</source>
        <translation>von (90 %)</translation>
    </message>
    <message>
        <source>to (90 %)</source>
        <translation>bis (90 %)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Because</source>
        <translation>Weil</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Wovon</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>As the design is</source>
        <translation>Wie der Entwurf ist</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Calibrated</source>
        <translation>Kalibriert</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Tiles and waves</source>
        <translation>Kacheln und Wellen</translation>
    </message>
    <message>
        <source>Corrected, new shapes</source>
        <translation>Korrigiert, neue Formen</translation>
    </message>
    <message>
        <source>Corrected, new device</source>
        <translation>Korrigiert, neues Gerät</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>Abhilfe</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>angepasst</translation>
    </message>
    <message>
        <source>measured time</source>
        <translation>gemessene Zeit</translation>
    </message>
    <message>
        <source>predicted time</source>
        <translation>vorhergesagte Zeit</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Messläufe</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Mark the workers column as a factor to get a curve over workers.</source>
        <translation>Für eine Kurve über die Worker die Worker-Spalte als Faktor markieren.</translation>
    </message>
    <message>
        <source>speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Fit, 90 % band</source>
        <translation>Fit, 90-%-Band</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Fit</translation>
    </message>
    <message>
        <source>extrapolated</source>
        <translation>extrapoliert</translation>
    </message>
    <message>
        <source>Fit to runs</source>
        <translation>Fit an Messläufe</translation>
    </message>
    <message>
        <source>Fit to %1</source>
        <translation>Fit an %1</translation>
    </message>
    <message>
        <source>generation</source>
        <translation>Generation</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>best cost</source>
        <translation>beste Kosten</translation>
    </message>
    <message>
        <source>The best cost is drawn here while a fit runs.</source>
        <translation>Hier erscheinen die besten Kosten, während ein Fit läuft.</translation>
    </message>
    <message>
        <source>Best cost</source>
        <translation>Beste Kosten</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>95 % from</source>
        <translation>95 % von</translation>
    </message>
    <message>
        <source>given</source>
        <translation>vorgegeben</translation>
    </message>
    <message>
        <source>at its bound</source>
        <translation>an seiner Schranke</translation>
    </message>
    <message>
        <source>significant</source>
        <translation>signifikant</translation>
    </message>
    <message>
        <source>not identified</source>
        <translation>nicht bestimmbar</translation>
    </message>
    <message>
        <source>changes together with %1 (correlation %2)</source>
        <translation>ändert sich zusammen mit %1 (Korrelation %2)</translation>
    </message>
    <message>
        <source>Factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>Anteil der Zeit</translation>
    </message>
    <message>
        <source>Elasticity</source>
        <translation>Elastizität</translation>
    </message>
    <message>
        <source>If doubled</source>
        <translation>Verdoppelt</translation>
    </message>
    <message>
        <source>Measured from</source>
        <translation>Gemessen von</translation>
    </message>
    <message>
        <source>(constant)</source>
        <translation>(konstant)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Bei</translation>
    </message>
    <message>
        <source>Mean error</source>
        <translation>Mittlerer Fehler</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>Schlechtester</translation>
    </message>
    <message>
        <source>Within ±10 %</source>
        <translation>Innerhalb ±10 %</translation>
    </message>
    <message>
        <source>R²</source>
        <translation>R²</translation>
    </message>
    <message>
        <source>more workers than fitted</source>
        <translation>mehr Worker als angepasst</translation>
    </message>
    <message>
        <source>This fit</source>
        <translation>Dieser Fit</translation>
    </message>
    <message>
        <source>stream %1</source>
        <translation>Stream %1</translation>
    </message>
    <message>
        <source>GPU %1, stream %2</source>
        <translation>GPU %1, Stream %2</translation>
    </message>
    <message>
        <source>Copies and fills</source>
        <translation>Kopieren und Füllen</translation>
    </message>
    <message>
        <source>The GPU did nothing in this step.</source>
        <translation>Die GPU tat in diesem Schritt nichts.</translation>
    </message>
    <message>
        <source>as measured on every GPU: NCCL waits for others</source>
        <translation>auf jeder GPU wie gemessen: NCCL wartet auf andere</translation>
    </message>
    <message>
        <source>Time by operator</source>
        <translation>Zeit nach Operator</translation>
    </message>
    <message>
        <source>per step</source>
        <translation>je Schritt</translation>
    </message>
    <message>
        <source>No kernel was recorded.</source>
        <translation>Es wurde kein Kernel aufgezeichnet.</translation>
    </message>
    <message>
        <source>price per hour</source>
        <translation>Preis je Stunde</translation>
    </message>
    <message>
        <source>time of the step</source>
        <translation>Zeit des Schritts</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>No GPU is chosen.</source>
        <translation>Keine GPU ist gewählt.</translation>
    </message>
    <message>
        <source>No GPU that is chosen has a price.</source>
        <translation>Keine gewählte GPU hat einen Preis.</translation>
    </message>
    <message>
        <source>lower left is better; devices without a price appear only in the table</source>
        <translation>unten links ist besser; Geräte ohne Preis stehen nur in der Tabelle</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPUs</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Price per hour</source>
        <translation>Preis je Stunde</translation>
    </message>
    <message>
        <source>Steps per dollar</source>
        <translation>Schritte je Dollar</translation>
    </message>
    <message>
        <source>By which rules</source>
        <translation>Nach welchen Regeln</translation>
    </message>
    <message>
        <source>Price from</source>
        <translation>Preis von</translation>
    </message>
    <message>
        <source>NCCL %1 a step, %2 of it exposed: kept as measured, it waits for other GPUs</source>
        <translation>NCCL %1 je Schritt, davon %2 unverdeckt: bleibt wie gemessen, es wartet auf andere GPUs</translation>
    </message>
    <message>
        <source>an unnamed GPU</source>
        <translation>eine ungenannte GPU</translation>
    </message>
    <message>
        <source>%1 steps on %2, %3 kernels</source>
        <translation>%1 Schritte auf %2, %3 Kernel</translation>
    </message>
    <message>
        <source>data sheet</source>
        <translation>Datenblatt</translation>
    </message>
    <message>
        <source>recalled</source>
        <translation>aus dem Gedächtnis</translation>
    </message>
    <message>
        <source>calibrated on 1 row</source>
        <translation>kalibriert an 1 Zeile</translation>
    </message>
    <message>
        <source>calibrated on %1 rows</source>
        <translation>kalibriert an %1 Zeilen</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>learnt from</source>
        <translation>gelernt von</translation>
    </message>
    <message>
        <source>No row could be predicted. The reasons are listed below.</source>
        <translation>Keine Zeile ließ sich vorhersagen. Die Gründe stehen unten.</translation>
    </message>
    <message>
        <source>2 – 8 workers</source>
        <translation>2 – 8 Worker</translation>
    </message>
    <message>
        <source>more than 8</source>
        <translation>mehr als 8</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Batch/worker</source>
        <translation>Batch/Worker</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Messgröße</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Linear scaling</source>
        <translation>Lineare Skalierung</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>Not predicted because</source>
        <translation>Nicht vorhergesagt, weil</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Best constant</source>
        <translation>Beste Konstante</translation>
    </message>
    <message>
        <source>Best power law</source>
        <translation>Bestes Potenzgesetz</translation>
    </message>
    <message>
        <source>Roofline, median</source>
        <translation>Roofline, Median</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>On the front</source>
        <translation>Auf der Front</translation>
    </message>
    <message>
        <source>Price of the device</source>
        <translation>Preis des Geräts</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>others found</source>
        <translation>weitere gefundene</translation>
    </message>
    <message>
        <source>front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>on the front</source>
        <translation>auf der Front</translation>
    </message>
    <message>
        <source>the open scenario</source>
        <translation>das offene Szenario</translation>
    </message>
    <message>
        <source>A map needs a second varied field.</source>
        <translation>Eine Karte braucht ein zweites variiertes Feld.</translation>
    </message>
    <message>
        <source>This map would have more than %1 cells: vary in coarser steps.</source>
        <translation>Diese Karte hätte mehr als %1 Zellen: gröber variieren.</translation>
    </message>
    <message>
        <source>No combination here is an answer.</source>
        <translation>Keine Kombination hier ist eine Antwort.</translation>
    </message>
    <message>
        <source>Not found before the search was stopped.</source>
        <translation>Vor dem Abbruch der Suche nicht gefunden.</translation>
    </message>
    <message>
        <source>No combination is an answer.</source>
        <translation>Keine Kombination ist eine Antwort.</translation>
    </message>
    <message>
        <source> · measured: %1 to %2</source>
        <translation> · gemessen: %1 bis %2</translation>
    </message>
    <message>
        <source>%1 (log)</source>
        <translation>%1 (log)</translation>
    </message>
    <message>
        <source> · 1× = one %1, all %2 samples</source>
        <translation> · 1× = ein %1, alle %2 Samples</translation>
    </message>
    <message>
        <source> · 1× = one %1, %2 samples a replica</source>
        <translation> · 1× = ein %1, %2 Samples je Replik</translation>
    </message>
    <message>
        <source> · 1× = one %1, %2 per %1</source>
        <translation> · 1× = ein %1, %2 je %1</translation>
    </message>
    <message>
        <source> · 1× = one %1, %2 samples per %1</source>
        <translation> · 1× = ein %1, %2 Samples je %1</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>kein Netz</translation>
    </message>
    <message>
        <source>replicas of 1 machine</source>
        <translation>Repliken aus 1 Rechner</translation>
    </message>
    <message>
        <source>replicas of %1 machines</source>
        <translation>Repliken aus %1 Rechnern</translation>
    </message>
    <message>
        <source>%1 parallel</source>
        <translation>%1parallel</translation>
    </message>
    <message>
        <source>About Scalescope</source>
        <translation>Über Scalescope</translation>
    </message>
    <message>
        <source>Scalescope %1</source>
        <translation>Scalescope %1</translation>
    </message>
    <message>
        <source>A design-space explorer for training neural networks in parallel. It predicts with performance models, never from a GPU run.</source>
        <translation>Erkundet den Entwurfsraum des parallelen Trainings neuronaler Netze. Sagt mit Leistungsmodellen voraus, nie durch einen Lauf auf einer GPU.</translation>
    </message>
    <message>
        <source>Methods: PALEO (Qi, Sparks, Talwalkar, ICLR 2017), as published and corrected; hybrid parallelism after Krizhevsky (2014).</source>
        <translation>Methoden: PALEO (Qi, Sparks, Talwalkar, ICLR 2017), wie veröffentlicht und korrigiert; hybride Parallelität nach Krizhevsky (2014).</translation>
    </message>
    <message>
        <source>Free software under the GNU General Public License, version 3 or later. Built with Qt and QCustomPlot.</source>
        <translation>Freie Software unter der GNU General Public License, Version 3 oder später. Gebaut mit Qt und QCustomPlot.</translation>
    </message>
    <message>
        <source>%1: from %2 to %3</source>
        <translation>%1: %2 → %3</translation>
    </message>
    <message>
        <source>Alone it would be %1.</source>
        <translation>Für sich allein wäre es %1.</translation>
    </message>
    <message>
        <source>It is only available together with the others.</source>
        <translation>Nur zusammen mit den anderen verfügbar.</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>OOM</source>
        <translation>OOM</translation>
    </message>
    <message>
        <source>Does not fit: needs %1 of %2</source>
        <translation>Passt nicht: braucht %1 von %2</translation>
    </message>
    <message>
        <source>Does not fit: the step needs more memory than there is.</source>
        <translation>Passt nicht: Der Schritt braucht mehr Speicher, als da ist.</translation>
    </message>
    <message>
        <source>Fits into memory</source>
        <translation>Passt in den Speicher</translation>
    </message>
    <message>
        <source>Does not fit into memory</source>
        <translation>Passt nicht in den Speicher</translation>
    </message>
    <message>
        <source>busy time in a step</source>
        <translation>Belegung in einem Schritt</translation>
    </message>
    <message>
        <source>added to a step</source>
        <translation>kommt zu einem Schritt hinzu</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>fill and drain</source>
        <translation>füllen/leeren</translation>
    </message>
    <message>
        <source>All forward passes, then all backward passes (GPipe)</source>
        <translation>Alle Vorwärtsläufe, dann alle Rückwärtsläufe (GPipe)</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>One forward and one backward pass in turn: fewer micro-batches in memory (PipeDream-Flush)</source>
        <translation>Vor- und Rückwärtsläufe im Wechsel: weniger Mikro-Batches im Speicher (PipeDream-Flush)</translation>
    </message>
    <message>
        <source>interleaved</source>
        <translation>verschachtelt</translation>
    </message>
    <message>
        <source>1F1B with several chunks of layers on each device: a smaller bubble, more messages (Megatron-LM)</source>
        <translation>1F1B mit mehreren Abschnitten aus Schichten je Gerät: weniger Leerlauf, mehr Nachrichten (Megatron-LM)</translation>
    </message>
    <message>
        <source>zero bubble</source>
        <translation>Zero Bubble</translation>
    </message>
    <message>
        <source>Gradients of weights fill the gaps (ZB-H1)</source>
        <translation>Gewichtsgradienten füllen die Lücken (ZB-H1)</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>All activations that the backward pass needs are kept</source>
        <translation>Alle Aktivierungen, die der Rückwärtslauf braucht, bleiben gespeichert</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Scores and softmax of attention are computed again in the backward pass (selective)</source>
        <translation>Scores und Softmax der Attention werden im Rückwärtslauf neu berechnet (selektiv)</translation>
    </message>
    <message>
        <source>blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>Blocks keep their inputs only and run again in the backward pass (full)</source>
        <translation>Blöcke behalten nur ihre Eingaben und laufen im Rückwärtslauf noch einmal (vollständig)</translation>
    </message>
    <message>
        <source>named layers</source>
        <translation>genannte Schichten</translation>
    </message>
    <message>
        <source>The layers that you name in the list of layers run again in the backward pass</source>
        <translation>Die Schichten, die Sie in der Liste der Schichten nennen, laufen im Rückwärtslauf noch einmal</translation>
    </message>
    <message>
        <source>freed</source>
        <translation>freigegeben</translation>
    </message>
    <message>
        <source>Weights are gathered before each pass and freed after it</source>
        <translation>Gewichte werden vor jedem Durchlauf eingesammelt und danach freigegeben</translation>
    </message>
    <message>
        <source>Each replica holds a copy of all training states</source>
        <translation>Jede Replik hält eine Kopie aller Trainingszustände</translation>
    </message>
    <message>
        <source>Replicas divide the optimizer states (ZeRO stage 1)</source>
        <translation>Repliken teilen sich die Optimiererzustände (ZeRO-Stufe 1)</translation>
    </message>
    <message>
        <source>Replicas divide optimizer states and gradients (ZeRO stage 2)</source>
        <translation>Repliken teilen sich Optimiererzustände und Gradienten (ZeRO-Stufe 2)</translation>
    </message>
    <message>
        <source>Replicas divide all training states and gather weights before use (ZeRO stage 3, FSDP)</source>
        <translation>Repliken teilen sich alle Trainingszustände und sammeln Gewichte vor dem Gebrauch ein (ZeRO-Stufe 3, FSDP)</translation>
    </message>
    <message>
        <source>optimizer (ZeRO-1)</source>
        <translation>Optimierer (ZeRO-1)</translation>
    </message>
    <message>
        <source>gradients too (ZeRO-2)</source>
        <translation>auch Gradienten (ZeRO-2)</translation>
    </message>
    <message>
        <source>weights too (ZeRO-3)</source>
        <translation>auch Gewichte (ZeRO-3)</translation>
    </message>
    <message>
        <source>Mesh %1 × %2 × %3</source>
        <translation>Mesh %1 × %2 × %3</translation>
    </message>
    <message>
        <source>%1 context</source>
        <translation>%1 Kontext</translation>
    </message>
    <message>
        <source>ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>Keys and values pass round a ring while attention computes (Ring Attention)</source>
        <translation>Schlüssel und Werte gehen im Ring herum, während Attention rechnet (Ring Attention)</translation>
    </message>
    <message>
        <source>gather</source>
        <translation>einsammeln</translation>
    </message>
    <message>
        <source>Keys and values are gathered before attention (Llama 3)</source>
        <translation>Schlüssel und Werte werden vor der Attention eingesammelt (Llama 3)</translation>
    </message>
    <message>
        <source>by heads</source>
        <translation>nach Köpfen</translation>
    </message>
    <message>
        <source>During attention, each worker has the whole sequence of some heads (Ulysses)</source>
        <translation>Während der Attention hat jeder Worker die ganze Sequenz einiger Köpfe (Ulysses)</translation>
    </message>
    <message>
        <source>to each expert</source>
        <translation>zu jedem Experten</translation>
    </message>
    <message>
        <source>A position travels once for each of its experts</source>
        <translation>Eine Position reist einmal für jeden ihrer Experten</translation>
    </message>
    <message>
        <source>to each worker</source>
        <translation>zu jedem Worker</translation>
    </message>
    <message>
        <source>A position travels once to each worker that has any of its experts</source>
        <translation>Eine Position reist einmal zu jedem Worker, der einen ihrer Experten hat</translation>
    </message>
    <message>
        <source>to each node</source>
        <translation>zu jedem Knoten</translation>
    </message>
    <message>
        <source>A position travels once to each node with any of its experts, and is passed on there (DeepSeek-V3)</source>
        <translation>Eine Position reist einmal zu jedem Knoten mit einem ihrer Experten und wird dort weitergereicht (DeepSeek-V3)</translation>
    </message>
    <message>
        <source>Ways to divide the work</source>
        <translation>Aufteilungen der Arbeit</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>More workers are more replicas</source>
        <translation>Mehr Worker sind mehr Replikate</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>More workers divide each layer further</source>
        <translation>Mehr Worker teilen jede Schicht weiter</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>More workers are more stages</source>
        <translation>Mehr Worker sind mehr Stufen</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>More workers divide each sequence further</source>
        <translation>Mehr Worker teilen jede Sequenz weiter</translation>
    </message>
    <message>
        <source>breadth-first</source>
        <translation>Breite zuerst</translation>
    </message>
    <message>
        <source>Several chunks on each device: all micro-batches pass one chunk before the next</source>
        <translation>Mehrere Abschnitte auf jedem Gerät: alle Mikrobatches durchlaufen einen vor dem nächsten</translation>
    </message>
    <message>
        <source>modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Parts of the blocks that you pick run again (Megatron Core)</source>
        <translation>Die gewählten Teile der Blöcke laufen noch einmal (Megatron Core)</translation>
    </message>
    <message>
        <source>runs of blocks</source>
        <translation>Folgen von Blöcken</translation>
    </message>
    <message>
        <source>Runs of that many blocks keep only the input of the first (Megatron Core: uniform)</source>
        <translation>Folgen von so vielen Blöcken behalten nur die Eingabe des ersten (Megatron Core: uniform)</translation>
    </message>
    <message>
        <source>blocks of each stage</source>
        <translation>Blöcke je Stufe</translation>
    </message>
    <message>
        <source>That many blocks of each stage run again, the others keep everything (Megatron Core: block)</source>
        <translation>So viele Blöcke jeder Stufe laufen noch einmal, die übrigen behalten alles (Megatron Core: block)</translation>
    </message>
    <message>
        <source>every nth block</source>
        <translation>jeder n-te Block</translation>
    </message>
    <message>
        <source>One of that many blocks runs again (torchtitan: selective, a number)</source>
        <translation>Einer von so vielen Blöcken läuft noch einmal (torchtitan: selective, eine Zahl)</translation>
    </message>
    <message>
        <source>by operator</source>
        <translation>nach Operator</translation>
    </message>
    <message>
        <source>Every second matrix product and fused attention are kept, the rest runs again (torchtitan: selective, op)</source>
        <translation>Jedes zweite Matrixprodukt und fusionierte Attention bleiben gespeichert, der Rest läuft noch einmal (torchtitan: selective, op)</translation>
    </message>
    <message>
        <source>Attention, from queries, keys and values to its output</source>
        <translation>Attention, von Anfragen, Schlüsseln und Werten bis zu ihrer Ausgabe</translation>
    </message>
    <message>
        <source>Latent attention: the products behind its norms</source>
        <translation>Latente Attention: die Produkte hinter ihren Normierungen</translation>
    </message>
    <message>
        <source>The norms in front of attention and feed-forward network</source>
        <translation>Die Normierungen vor Attention und Feed-Forward-Netz</translation>
    </message>
    <message>
        <source>The function between the two products of experts</source>
        <translation>Die Funktion zwischen den zwei Produkten von Experten</translation>
    </message>
    <message>
        <source>Dense feed-forward networks</source>
        <translation>Dichte Feed-Forward-Netze</translation>
    </message>
    <message>
        <source>Experts, with the messages to them and back</source>
        <translation>Experten, mit den Nachrichten hin und zurück</translation>
    </message>
    <message>
        <source>Experts that every position goes through</source>
        <translation>Experten, durch die jede Position läuft</translation>
    </message>
    <message>
        <source>kept for backward</source>
        <translation>bis rückwärts behalten</translation>
    </message>
    <message>
        <source>Weights are gathered once a micro-batch and stay whole until its backward pass</source>
        <translation>Gewichte werden einmal je Mikro-Batch eingesammelt und bleiben bis zu dessen Rückwärtslauf vollständig</translation>
    </message>
    <message>
        <source>kept all step</source>
        <translation>den ganzen Schritt behalten</translation>
    </message>
    <message>
        <source>Weights are gathered once a step and stay whole until they are updated</source>
        <translation>Gewichte werden einmal je Schritt eingesammelt und bleiben vollständig, bis sie aktualisiert werden</translation>
    </message>
    <message>
        <source>every time</source>
        <translation>jedes Mal</translation>
    </message>
    <message>
        <source>Every micro-batch sends its gradients, and shards are added up</source>
        <translation>Jedes Mikro-Batch sendet seine Gradienten, und die Teile werden summiert</translation>
    </message>
    <message>
        <source>once</source>
        <translation>einmal</translation>
    </message>
    <message>
        <source>Whole gradients are added up over the micro-batches and sent once</source>
        <translation>Vollständige Gradienten werden über die Mikro-Batches summiert und einmal gesendet</translation>
    </message>
    <message>
        <source>fp8, a scale a tensor</source>
        <translation>fp8, ein Faktor je Tensor</translation>
    </message>
    <message>
        <source>Linear layers of blocks in fp8, everything else in bf16</source>
        <translation>Lineare Schichten von Blöcken in fp8, alles andere in bf16</translation>
    </message>
    <message>
        <source>fp8, a scale a row</source>
        <translation>fp8, ein Faktor je Zeile</translation>
    </message>
    <message>
        <source>The same with a scale for each row and each column</source>
        <translation>Dasselbe mit einem Skalierungsfaktor je Zeile und je Spalte</translation>
    </message>
    <message>
        <source>fp8, blocks of 128</source>
        <translation>fp8, Blöcke von 128</translation>
    </message>
    <message>
        <source>The same with a scale for 128 numbers (DeepSeek-V3)</source>
        <translation>Dasselbe mit einem Skalierungsfaktor für 128 Zahlen (DeepSeek-V3)</translation>
    </message>
    <message>
        <source>MXFP8</source>
        <translation>MXFP8</translation>
    </message>
    <message>
        <source>The same with a scale for 32 numbers</source>
        <translation>Dasselbe mit einem Skalierungsfaktor für 32 Zahlen</translation>
    </message>
    <message>
        <source>NVFP4</source>
        <translation>NVFP4</translation>
    </message>
    <message>
        <source>Linear layers of blocks in 4 bits with a scale for 16 numbers, everything else in bf16</source>
        <translation>Lineare Schichten von Blöcken in 4 Bit mit einem Skalierungsfaktor für 16 Zahlen, alles andere in bf16</translation>
    </message>
    <message>
        <source>All activations wait in the memory of the device</source>
        <translation>Alle Aktivierungen warten im Speicher des Geräts</translation>
    </message>
    <message>
        <source>What blocks keep travels to the host, and back for the backward pass</source>
        <translation>Was Blöcke behalten, geht zum Host und für den Rückwärtslauf zurück</translation>
    </message>
    <message>
        <source>What parts of the blocks that you pick keep</source>
        <translation>Was Teile der Blöcke behalten, die Sie wählen</translation>
    </message>
    <message>
        <source> · %1 samples a step</source>
        <translation> · %1 Samples je Schritt</translation>
    </message>
    <message>
        <source> · %1 samples per %2</source>
        <translation> · %1 Samples je %2</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>fits into memory in no way shown</source>
        <translation>passt auf keine gezeigte Art in den Speicher</translation>
    </message>
    <message>
        <source>Step time by way</source>
        <translation>Schrittzeit nach Art</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>per %1</source>
        <translation>je %1</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>other</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>%1 on the host</source>
        <translation>%1 auf dem Host</translation>
    </message>
    <message>
        <source>%1 in flight</source>
        <translation>%1 unterwegs</translation>
    </message>
    <message>
        <source>each %1</source>
        <translation>je %1</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>Arithmetische Intensität</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/Byte</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Rechenleistung</translation>
    </message>
    <message>
        <source>Memory traffic</source>
        <translation>Speicherverkehr</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>whole operation, before it is divided</source>
        <translation>ganze Operation, bevor sie geteilt wird</translation>
    </message>
    <message>
        <source>Only the pipeline&apos;s prices have FLOPs and memory traffic for each operation.</source>
        <translation>Nur die Preise der Pipeline haben FLOPs und Speicherverkehr je Operation.</translation>
    </message>
    <message>
        <source>compute-bound</source>
        <translation>vom Rechnen begrenzt</translation>
    </message>
    <message>
        <source>memory-bound</source>
        <translation>vom Speicher begrenzt</translation>
    </message>
    <message>
        <source>launch-bound</source>
        <translation>vom Start begrenzt</translation>
    </message>
    <message>
        <source>shares reached</source>
        <translation>erreichte Anteile</translation>
    </message>
    <message>
        <source>PALEO&apos;s public code of 2018, number for number, with the corrections that you pick</source>
        <translation>PALEOs öffentlicher Code von 2018, Zahl für Zahl, mit den Korrekturen, die Sie wählen</translation>
    </message>
    <message>
        <source>PALEO, code of the paper (2016)</source>
        <translation>PALEO, Aufsatz von 2017</translation>
    </message>
    <message>
        <source>PALEO, public code</source>
        <translation>PALEO, öffentlicher Code</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Korrigiert</translation>
    </message>
    <message>
        <source>Nothing corrected</source>
        <translation>Nichts korrigiert</translation>
    </message>
    <message>
        <source>With %1 of %2 corrections</source>
        <translation>Mit %1 von %2 Korrekturen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::AdaptersDialog</name>
    <message>
        <source>Low-rank adapters</source>
        <translation>Niedrigrang-Adapter</translation>
    </message>
    <message>
        <source>Fine-tuning with LoRA: beside each chosen product two narrow ones are trained. All other weights are frozen.</source>
        <translation>Feinabstimmung mit LoRA: Neben jedem gewählten Produkt werden zwei schmale trainiert. Alle anderen Gewichte sind eingefroren.</translation>
    </message>
    <message>
        <source>Products that get adapters</source>
        <translation>Produkte, die Adapter bekommen</translation>
    </message>
    <message>
        <source>Named layers</source>
        <translation>Genannte Schichten</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Train all weights</source>
        <translation>Alle Gewichte trainieren</translation>
    </message>
    <message>
        <source>Names of layers that get adapters</source>
        <translation>Namen der Schichten, die Adapter bekommen</translation>
    </message>
    <message>
        <source>such as q, v or h0/*</source>
        <translation>etwa q, v oder h0/*</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Width between the two products of an adapter</source>
        <translation>Breite zwischen den beiden Produkten eines Adapters</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>Neben</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>The drawing is not a valid network yet. Correct it first.</source>
        <translation>Die Zeichnung ist noch kein gültiges Netz. Bitte zuerst korrigieren.</translation>
    </message>
    <message>
        <source>Type the names of layers.</source>
        <translation>Namen von Schichten eingeben.</translation>
    </message>
    <message>
        <source>All weights are trained.</source>
        <translation>Alle Gewichte werden trainiert.</translation>
    </message>
    <message>
        <source>%1 adapters with %2 parameters, %3 of all.</source>
        <translation>%1 Adapter mit %2 Parametern, %3 von allen.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::AnswerButton</name>
    <message>
        <source>Right</source>
        <translation>Richtig</translation>
    </message>
    <message>
        <source>Not so</source>
        <translation>Nicht richtig</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::AssertionList</name>
    <message>
        <source>Name of the figure in texts</source>
        <translation>Name der Größe in Texten</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Texts show the figure where this name stands in braces: {name}</source>
        <translation>Texte zeigen die Größe, wo dieser Name in geschweiften Klammern steht: {name}</translation>
    </message>
    <message>
        <source>Remove this assertion</source>
        <translation>Diese Aussage entfernen</translation>
    </message>
    <message>
        <source>About the open scenario</source>
        <translation>Über das offene Szenario</translation>
    </message>
    <message>
        <source>Add a figure</source>
        <translation>Größe hinzufügen</translation>
    </message>
    <message>
        <source>Add a statement</source>
        <translation>Aussage hinzufügen</translation>
    </message>
    <message>
        <source>Of a scenario of its own</source>
        <translation>Über ein eigenes Szenario</translation>
    </message>
    <message>
        <source>With %1</source>
        <translation>Mit %1</translation>
    </message>
    <message>
        <source>✓ It is so.</source>
        <translation>✓ Es stimmt.</translation>
    </message>
    <message>
        <source>⚠ It is %1.</source>
        <translation>⚠ Es ist %1.</translation>
    </message>
    <message>
        <source>⚠ It is not so.</source>
        <translation>⚠ Es stimmt nicht.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::AttributeEditor</name>
    <message>
        <source>%1, axis %2</source>
        <translation>%1, Achse %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>One axis less</source>
        <translation>Eine Achse weniger</translation>
    </message>
    <message>
        <source>One axis more</source>
        <translation>Eine Achse mehr</translation>
    </message>
    <message>
        <source>valid</source>
        <translation>gültig</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>sizes in %1</source>
        <translation>Größen in %1</translation>
    </message>
    <message>
        <source>left</source>
        <translation>links</translation>
    </message>
    <message>
        <source>right</source>
        <translation>rechts</translation>
    </message>
    <message>
        <source>top</source>
        <translation>oben</translation>
    </message>
    <message>
        <source>bottom</source>
        <translation>unten</translation>
    </message>
    <message>
        <source>front</source>
        <translation>vorn</translation>
    </message>
    <message>
        <source>back</source>
        <translation>hinten</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>Auffüllung</translation>
    </message>
    <message>
        <source>such as 224×224×3</source>
        <translation>etwa 224×224×3</translation>
    </message>
    <message>
        <source>%1 Still %2: %3.</source>
        <translation>%1 Weiterhin %2: %3.</translation>
    </message>
    <message>
        <source>must be given</source>
        <translation>muss angegeben werden</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::AutoHint</name>
    <message>
        <source>Use it</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Looking for the best mesh…</source>
        <translation>Das beste Mesh wird gesucht …</translation>
    </message>
    <message>
        <source>%1 meshes tried, %2 fit</source>
        <translation>%1 Meshes versucht, %2 passen</translation>
    </message>
    <message>
        <source>The best mesh that was found.</source>
        <translation>Das beste Mesh, das gefunden wurde.</translation>
    </message>
    <message>
        <source>No faster mesh was found.</source>
        <translation>Es wurde kein schnelleres Mesh gefunden.</translation>
    </message>
    <message>
        <source>Auto kept your locks. Without them: %1, %2, %3.</source>
        <translation>Auto hat beibehalten, was gesperrt ist. Ohne Sperren: %1, %2, %3.</translation>
    </message>
    <message>
        <source>Auto would be faster: %1, %2, %3.</source>
        <translation>Auto wäre schneller: %1, %2, %3.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>%1 was changed by another program since it was read here.</source>
        <translation>%1 wurde von einem anderen Programm geändert, seit die Datei hier gelesen wurde.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>Meine Fassung behalten</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Show the whole text</source>
        <translation>Ganzen Text zeigen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::BarChart</name>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Fwd</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Bwd</source>
        <translation>Rück</translation>
    </message>
    <message>
        <source>Weight deltas</source>
        <translation>Gewichtsdeltas</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Deltas</source>
        <translation>Deltas</translation>
    </message>
    <message>
        <source>Upd</source>
        <translation>Upd</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Exch</source>
        <translation>Aust</translation>
    </message>
    <message>
        <source>Comm</source>
        <translation>Komm</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Hid</source>
        <translation>Verd</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>hidden, not added</source>
        <translation>verdeckt, nicht addiert</translation>
    </message>
    <message>
        <source>their exchange</source>
        <translation>ihr Austausch</translation>
    </message>
    <message>
        <source>its exchange</source>
        <translation>sein Austausch</translation>
    </message>
    <message>
        <source>Communication, exposed</source>
        <translation>Kommunikation, unverdeckt</translation>
    </message>
    <message>
        <source>Exchange, forward</source>
        <translation>Austausch, vorwärts</translation>
    </message>
    <message>
        <source>Exchange, backward</source>
        <translation>Austausch, rückwärts</translation>
    </message>
    <message>
        <source>Exchange, deltas</source>
        <translation>Austausch, Deltas</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Hidden exchange</source>
        <translation>Verdeckter Austausch</translation>
    </message>
    <message>
        <source>Hidden communication</source>
        <translation>Verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>%1 total</source>
        <translation>%1 gesamt</translation>
    </message>
    <message>
        <source> (does not fit into memory)</source>
        <translation> (passt nicht in den Speicher)</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::BestBy</name>
    <message>
        <source>And by</source>
        <translation>Und nach</translation>
    </message>
    <message>
        <source>With a second figure there is a front: where one is better only if the other is worse</source>
        <translation>Mit einer zweiten Größe gibt es eine Front: Dort wird eine nur besser, wenn die andere schlechter wird</translation>
    </message>
    <message>
        <source>How much is to be trained</source>
        <translation>Wie viel trainiert werden soll</translation>
    </message>
    <message>
        <source>The goal</source>
        <translation>Das Ziel</translation>
    </message>
    <message>
        <source>Unit of the goal</source>
        <translation>Einheit des Ziels</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Times the data set of this scenario</source>
        <translation>Mal die Datenmenge dieses Szenarios</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Train for</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>How many of the best are kept</source>
        <translation>Wie viele der besten behalten werden</translation>
    </message>
    <message>
        <source>The number of rows</source>
        <translation>Die Zahl der Zeilen</translation>
    </message>
    <message>
        <source>Keep the best</source>
        <translation>Beste behalten</translation>
    </message>
    <message>
        <source>Figure that the best is judged by</source>
        <translation>Größe, nach der das Beste beurteilt wird</translation>
    </message>
    <message>
        <source>Do not judge by this</source>
        <translation>Nicht danach beurteilen</translation>
    </message>
    <message>
        <source>most</source>
        <translation>höchste</translation>
    </message>
    <message>
        <source>least</source>
        <translation>niedrigste</translation>
    </message>
    <message>
        <source>is judged by already</source>
        <translation>danach wird schon beurteilt</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Zuerst</translation>
    </message>
    <message>
        <source>and</source>
        <translation>und</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::BottomTabs</name>
    <message>
        <source>Open the lower panel</source>
        <translation>Unteres Feld öffnen</translation>
    </message>
    <message>
        <source>Lower panels</source>
        <translation>Untere Felder</translation>
    </message>
    <message>
        <source>Fold the lower panel</source>
        <translation>Unteres Feld einklappen</translation>
    </message>
    <message>
        <source>Give the page the whole centre</source>
        <translation>Der Seite die ganze Mitte geben</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::BoxItem</name>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Breadcrumb</name>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CalibrationPage</name>
    <message>
        <source>No runs are open</source>
        <translation>Keine Messläufe offen</translation>
    </message>
    <message>
        <source>Drop a table of measured runs or layers (CSV). The model&apos;s constants are fitted to it, so that the open design predicts your machines.</source>
        <translation>Tabelle gemessener Läufe oder Schichten (CSV) hierher ziehen. Die Konstanten des Modells werden daran angepasst, sodass der offene Entwurf die eigenen Rechner vorhersagt.</translation>
    </message>
    <message>
        <source>Open a table…</source>
        <translation>Tabelle öffnen…</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Fits the design&apos;s fractions of peak, start-up times and overhead to these runs</source>
        <translation>Passt Anteile der Spitze, Startzeiten und Mehraufwand des Entwurfs an diese Läufe an</translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation>Vorhergesagt gegen gemessen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Was gefunden wurde</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Measured and predicted times</source>
        <translation>Gemessene und vorhergesagte Zeiten</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>What was left out</source>
        <translation>Was ausgelassen wurde</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Name of the calibration</source>
        <translation>Name der Kalibrierung</translation>
    </message>
    <message>
        <source>Keep and use in the design</source>
        <translation>Behalten und im Entwurf verwenden</translation>
    </message>
    <message>
        <source>Saved with your presets for this and other designs. Every figure then names it as its evidence</source>
        <translation>Wird bei den eigenen Vorgaben gespeichert, für diesen und andere Entwürfe. Jede Zahl nennt sie dann als Beleg</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Operators timed one by one, of %1</source>
        <translation>Einzeln gemessene Operatoren, von %1</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>kein Netz</translation>
    </message>
    <message>
        <source>%1 on %2, as in the main window, compared with the runs of %3</source>
        <translation>%1 auf %2, wie im Hauptfenster, verglichen mit den Messläufen von %3</translation>
    </message>
    <message>
        <source>Calibrating</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Calibrate to compare the model with these runs</source>
        <translation>Zum Vergleich des Modells mit diesen Messläufen kalibrieren</translation>
    </message>
    <message>
        <source>No calibration: see Notes</source>
        <translation>Keine Kalibrierung: siehe Anmerkungen</translation>
    </message>
    <message>
        <source>%1 operators timed · errors in percent, of the roofline, of ours, and of what was held out</source>
        <translation>%1 Operatoren gemessen · Fehler in Prozent: der Roofline, unserer, und der zurückgehaltenen</translation>
    </message>
    <message>
        <source>%1 times · mean error %2, before %3</source>
        <translation>%1 Zeiten · mittlerer Fehler %2, vorher %3</translation>
    </message>
    <message>
        <source>The table has changed: calibrate again</source>
        <translation>Die Tabelle hat sich geändert: neu kalibrieren</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Canvas</name>
    <message>
        <source>Network canvas</source>
        <translation>Zeichnung des Netzes</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1, coloured by %2</source>
        <translation>%1, gefärbt nach %2</translation>
    </message>
    <message>
        <source>PNG…</source>
        <translation>PNG…</translation>
    </message>
    <message>
        <source>PNG, 2×…</source>
        <translation>PNG, 2×…</translation>
    </message>
    <message>
        <source>SVG…</source>
        <translation>SVG…</translation>
    </message>
    <message>
        <source>PDF…</source>
        <translation>PDF…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>Drucken…</translation>
    </message>
    <message>
        <source>Export the drawing</source>
        <translation>Zeichnung exportieren</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>%1 file (*.%2)</source>
        <translation>%1-Datei (*.%2)</translation>
    </message>
    <message>
        <source>The drawing is in %1.</source>
        <translation>Die Zeichnung ist in %1.</translation>
    </message>
    <message>
        <source>Print the drawing</source>
        <translation>Zeichnung drucken</translation>
    </message>
    <message>
        <source>No times yet: this drawing is not a valid network. The charts show %1.</source>
        <translation>Noch keine Zeiten: Diese Zeichnung ist kein gültiges Netz. Die Diagramme zeigen %1.</translation>
    </message>
    <message>
        <source>No times yet: this drawing is not a valid network.</source>
        <translation>Noch keine Zeiten: Diese Zeichnung ist kein gültiges Netz.</translation>
    </message>
    <message>
        <source>No prices: %1</source>
        <translation>Keine Zeiten: %1</translation>
    </message>
    <message>
        <source>Network of the workload</source>
        <translation>Netz der Arbeitslast</translation>
    </message>
    <message>
        <source>Find a layer</source>
        <translation>Schicht finden</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Färben nach</translation>
    </message>
    <message>
        <source>Zoom out</source>
        <translation>Verkleinern</translation>
    </message>
    <message>
        <source>Ctrl+−</source>
        <translation>Strg+−</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>Vergrößern</translation>
    </message>
    <message>
        <source>Ctrl++</source>
        <translation>Strg++</translation>
    </message>
    <message>
        <source>Fit the network into the view</source>
        <translation>Netz in die Ansicht einpassen</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>%1 in %2 boxes</source>
        <translation>%1 in %2 Kästen</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>A&amp;usschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>&amp;Duplizieren</translation>
    </message>
    <message>
        <source>&amp;Group into a block</source>
        <translation>Zu Block &amp;gruppieren</translation>
    </message>
    <message>
        <source>U&amp;ngroup</source>
        <translation>Gruppe &amp;auflösen</translation>
    </message>
    <message>
        <source>Next p&amp;roblem</source>
        <translation>Nächstes &amp;Problem</translation>
    </message>
    <message>
        <source>Hybrid: back part from %1</source>
        <translation>Hybrid: hinterer Teil ab %1</translation>
    </message>
    <message>
        <source>Cut where it is best</source>
        <translation>Am besten Ort schneiden</translation>
    </message>
    <message>
        <source>Stages where the step is shortest</source>
        <translation>Stufen dort, wo der Schritt am kürzesten ist</translation>
    </message>
    <message>
        <source>Why this time</source>
        <translation>Warum diese Zeit</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Einklappen</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Ausklappen</translation>
    </message>
    <message>
        <source>Unfold all blocks</source>
        <translation>Alle Blöcke ausklappen</translation>
    </message>
    <message>
        <source>Fold all blocks</source>
        <translation>Alle Blöcke einklappen</translation>
    </message>
    <message>
        <source>Full size</source>
        <translation>Volle Größe</translation>
    </message>
    <message>
        <source>Export the network as a file…</source>
        <translation>Netz als Datei exportieren…</translation>
    </message>
    <message>
        <source>Export and print the drawing</source>
        <translation>Zeichnung exportieren und drucken</translation>
    </message>
    <message>
        <source>Only on the canvas (Ctrl+G)</source>
        <translation>Nur auf der Zeichnung (Strg+G)</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CanvasEditor</name>
    <message>
        <source>Insert %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>Delete %1 layers</source>
        <translation>%1 Schichten löschen</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>Trennen</translation>
    </message>
    <message>
        <source>Disconnect %1</source>
        <translation>%1 trennen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Duplicate %1 layers</source>
        <translation>%1 Schichten duplizieren</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>die Zwischenablage</translation>
    </message>
    <message>
        <source>The clipboard holds no layers: %1</source>
        <translation>In der Zwischenablage sind keine Schichten: %1</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>Paste %1 layers</source>
        <translation>%1 Schichten einfügen</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 weitere</translation>
    </message>
    <message>
        <source>The pasted layers read %1, which this network does not have. Connect them to another layer.</source>
        <translation>Die eingefügten Schichten lesen %1, das es in diesem Netz nicht gibt. Bitte mit einer anderen Schicht verbinden.</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Group into %1</source>
        <translation>Zu %1 gruppieren</translation>
    </message>
    <message>
        <source>Ungroup %1</source>
        <translation>Gruppe %1 auflösen</translation>
    </message>
    <message>
        <source>Repeat %1 ×%2</source>
        <translation>%1 ×%2 wiederholen</translation>
    </message>
    <message>
        <source>Rename to %1</source>
        <translation>In %1 umbenennen</translation>
    </message>
    <message>
        <source>Connect %1 to %2</source>
        <translation>%1 mit %2 verbinden</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Call it %1</source>
        <translation>%1 nennen</translation>
    </message>
    <message>
        <source>Make it %1</source>
        <translation>Zu %1 machen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CanvasLegend</name>
    <message>
        <source>outputs divided, ÷%1</source>
        <translation>Ausgaben geteilt, ÷%1</translation>
    </message>
    <message>
        <source>whole on every worker</source>
        <translation>ganz auf jedem Worker</translation>
    </message>
    <message>
        <source>Legend: %1, %2</source>
        <translation>Legende: %1, %2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CanvasScene</name>
    <message>
        <source>1 layer</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CanvasView</name>
    <message>
        <source>Network, drawn</source>
        <translation>Netz, gezeichnet</translation>
    </message>
    <message>
        <source>Nothing is drawn yet.</source>
        <translation>Noch ist nichts gezeichnet.</translation>
    </message>
    <message>
        <source>Click a layer kind on the left, or drag it here. Begin with Input.</source>
        <translation>Links eine Schichtart anklicken oder hierher ziehen. Mit Eingabe beginnen.</translation>
    </message>
    <message>
        <source>Nothing is selected. Use the arrow keys to move from box to box, and Enter to unfold a block.</source>
        <translation>Nichts ausgewählt. Die Pfeiltasten wechseln zwischen Kästen, die Eingabetaste klappt einen Block auf.</translation>
    </message>
    <message>
        <source>%1 boxes are selected.</source>
        <translation>%1 Kästen sind ausgewählt.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CardTitle</name>
    <message>
        <source>Take out of the window</source>
        <translation>Aus dem Fenster lösen</translation>
    </message>
    <message>
        <source>Float %1</source>
        <translation>%1 ablösen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CentreRows</name>
    <message>
        <source>Folded: the open panel needs the height</source>
        <translation>Eingeklappt: Das offene Feld braucht die Höhe</translation>
    </message>
    <message>
        <source>Folded: the window is too low for all charts</source>
        <translation>Eingeklappt: Das Fenster ist zu niedrig für alle Diagramme</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Chart</name>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Chart menu</source>
        <translation>Diagrammmenü</translation>
    </message>
    <message>
        <source>%1, as a table</source>
        <translation>%1, als Tabelle</translation>
    </message>
    <message>
        <source>PNG…</source>
        <translation>PNG…</translation>
    </message>
    <message>
        <source>PNG, 2×…</source>
        <translation>PNG, 2×…</translation>
    </message>
    <message>
        <source>PNG, 3×…</source>
        <translation>PNG, 3×…</translation>
    </message>
    <message>
        <source>SVG…</source>
        <translation>SVG…</translation>
    </message>
    <message>
        <source>PDF…</source>
        <translation>PDF…</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>Copy image</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy data</source>
        <translation>Daten kopieren</translation>
    </message>
    <message>
        <source>Export with light colours</source>
        <translation>Mit hellen Farben exportieren</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Export and copy</source>
        <translation>Exportieren und kopieren</translation>
    </message>
    <message>
        <source>%1 file (*.%2)</source>
        <translation>%1-Datei (*.%2)</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ClusterPanel</name>
    <message>
        <source>Duplicate and edit…</source>
        <translation>Duplizieren und bearbeiten…</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Link between nodes</source>
        <translation>Verbindung zwischen Knoten</translation>
    </message>
    <message>
        <source>Link inside a node</source>
        <translation>Verbindung im Knoten</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <source>%1 a node</source>
        <translation>%1 je Knoten</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>As in PALEO</source>
        <translation>Wie in PALEO</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Angepasst</translation>
    </message>
    <message>
        <source>Custom: the settings below match no preset cluster</source>
        <translation>Eigener: Die Einstellungen unten entsprechen keinem Cluster der Liste</translation>
    </message>
    <message>
        <source>Made for other devices; this device has no such link</source>
        <translation>Für andere Geräte gemacht; dieses hat keine solche</translation>
    </message>
    <message>
        <source>Made for other devices; this device uses %1</source>
        <translation>Für andere Geräte gemacht; dieses nutzt %1</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ColumnMapper</name>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Column of times or rates</source>
        <translation>Spalte der Zeiten oder Raten</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Unit of the time</source>
        <translation>Einheit der Zeit</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Column of workers</source>
        <translation>Spalte der Worker</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Column of the whole batch</source>
        <translation>Spalte des ganzen Batches</translation>
    </message>
    <message>
        <source>Batch/worker</source>
        <translation>Batch/Worker</translation>
    </message>
    <message>
        <source>Column of the batch of one worker</source>
        <translation>Spalte des Batches eines Workers</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Samples</translation>
    </message>
    <message>
        <source>Column of the samples of a unit of work</source>
        <translation>Spalte der Samples je Arbeitseinheit</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Column that says train or test</source>
        <translation>Spalte, die Training oder Test sagt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Hold out runs with more workers</source>
        <translation>Läufe mit mehr Workern zurückhalten</translation>
    </message>
    <message>
        <source>The count of workers</source>
        <translation>Die Zahl der Worker</translation>
    </message>
    <message>
        <source>Holds out every nth run from the fit. The prediction error on these runs shows how good the fit is.</source>
        <translation>Nimmt jeden n-ten Lauf vom Fit aus. Der Vorhersagefehler bei diesen Läufen zeigt, wie gut der Fit ist.</translation>
    </message>
    <message>
        <source>Holds out runs with more workers than this from the fit</source>
        <translation>Nimmt Läufe mit mehr Workern vom Fit aus</translation>
    </message>
    <message>
        <source>Hold out 1 of</source>
        <translation>Zurückhalten 1 von</translation>
    </message>
    <message>
        <source>Workers above</source>
        <translation>Mehr Worker als</translation>
    </message>
    <message>
        <source>Add a filter</source>
        <translation>Filter hinzufügen</translation>
    </message>
    <message>
        <source>found</source>
        <translation>erkannt</translation>
    </message>
    <message>
        <source>in column %1</source>
        <translation>in Spalte %1</translation>
    </message>
    <message>
        <source>No runs are read: see below.</source>
        <translation>Keine Läufe gelesen: siehe unten.</translation>
    </message>
    <message>
        <source>%1 runs of %2 to %3</source>
        <translation>%1 Läufe mit %2 bis %3</translation>
    </message>
    <message>
        <source>%1 of them held out</source>
        <translation>davon %1 zurückgehalten</translation>
    </message>
    <message>
        <source>1 row not read</source>
        <translation>1 Zeile nicht gelesen</translation>
    </message>
    <message>
        <source>%1 rows not read</source>
        <translation>%1 Zeilen nicht gelesen</translation>
    </message>
    <message>
        <source>Column to filter by</source>
        <translation>Spalte, nach der gefiltert wird</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Value to compare with</source>
        <translation>Vergleichswert</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>Remove this filter</source>
        <translation>Diesen Filter entfernen</translation>
    </message>
    <message>
        <source>Hold out every nth run</source>
        <translation>Jeden n-ten Lauf zurückhalten</translation>
    </message>
    <message>
        <source>The interval of held-out runs</source>
        <translation>Der Abstand zurückgehaltener Läufe</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ColumnsDialog</name>
    <message>
        <source>Not known, kept as a note</source>
        <translation>Nicht erkannt, als Notiz behalten</translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation>Spalten der Tabelle</translation>
    </message>
    <message>
        <source>What each column holds. Corrections are kept beside the table, in a file of its name that ends with .map.</source>
        <translation>Was jede Spalte enthält. Korrekturen werden neben der Tabelle aufbewahrt, in einer Datei ihres Namens mit der Endung .map.</translation>
    </message>
    <message>
        <source>What the column %1 holds</source>
        <translation>Was die Spalte %1 enthält</translation>
    </message>
    <message>
        <source>Unit of figures</source>
        <translation>Einheit der Zahlen</translation>
    </message>
    <message>
        <source>%1 of all rows</source>
        <translation>%1 aller Zeilen</translation>
    </message>
    <message>
        <source>such as %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>For all rows</source>
        <translation>Für alle Zeilen</translation>
    </message>
    <message>
        <source>As read</source>
        <translation>Wie gelesen</translation>
    </message>
    <message>
        <source>Takes every correction back</source>
        <translation>Nimmt alle Korrekturen zurück</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>%1 results can be read.</source>
        <translation>%1 Ergebnisse können gelesen werden.</translation>
    </message>
    <message>
        <source>%1 results can be read, %2 of them only in part: %3</source>
        <translation>%1 Ergebnisse können gelesen werden, %2 davon nur zum Teil: %3</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Combo</name>
    <message>
        <source>Search in %1</source>
        <translation>In %1 suchen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CommandList</name>
    <message>
        <source>Nothing is called “%1”.</source>
        <translation>Nichts heißt „%1“.</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>not available</source>
        <translation>nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>A command, a preset, a setting … or “workers 16”</source>
        <translation>Ein Befehl, eine Vorgabe, eine Einstellung … oder „workers 16“</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>↑ ↓ select · Enter runs · Escape closes · %L1 of %L2</source>
        <translation>↑ ↓ wählt · Eingabe führt aus · Esc schließt · %L1 von %L2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ComparePage</name>
    <message>
        <source>Nothing to compare with yet</source>
        <translation>Noch nichts zum Vergleichen</translation>
    </message>
    <message>
        <source>Pin a design, then change something. This page compares up to four pinned designs with the open one and shows how much of the difference each change explains.</source>
        <translation>Einen Entwurf anheften, dann etwas ändern. Diese Seite vergleicht bis zu vier angeheftete Entwürfe mit dem offenen und zeigt, wie viel des Unterschieds jede Änderung erklärt.</translation>
    </message>
    <message>
        <source>Pin this design</source>
        <translation>Diesen Entwurf anheften</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Compare from</source>
        <translation>Ausgang des Vergleichs</translation>
    </message>
    <message>
        <source>Compare to</source>
        <translation>Ziel des Vergleichs</translation>
    </message>
    <message>
        <source>Figure whose difference is explained</source>
        <translation>Größe, deren Unterschied erklärt wird</translation>
    </message>
    <message>
        <source>Figures of the designs</source>
        <translation>Kennzahlen der Entwürfe</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Nothing is pinned to compare with.</source>
        <translation>Zum Vergleichen ist nichts angeheftet.</translation>
    </message>
    <message>
        <source>this design</source>
        <translation>dieser Entwurf</translation>
    </message>
    <message>
        <source>This</source>
        <translation>Dieser</translation>
    </message>
    <message>
        <source>the open design</source>
        <translation>der offene Entwurf</translation>
    </message>
    <message>
        <source> (from)</source>
        <translation> (Ausgang)</translation>
    </message>
    <message>
        <source>nothing differs</source>
        <translation>kein Unterschied</translation>
    </message>
    <message>
        <source>This design</source>
        <translation>Dieser Entwurf</translation>
    </message>
    <message>
        <source>%1 and %2 do not differ in any field that affects a figure. Change a field to see its share here.</source>
        <translation>%1 und %2 unterscheiden sich in keinem Feld, das eine Zahl beeinflusst. Nach einer Änderung steht hier ihr Anteil.</translation>
    </message>
    <message>
        <source>Working it out… %1</source>
        <translation>Wird berechnet… %1</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ConditionRow</name>
    <message>
        <source>Figure or field</source>
        <translation>Größe oder Feld</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Value, or an expression of other figures</source>
        <translation>Wert oder ein Ausdruck aus anderen Größen</translation>
    </message>
    <message>
        <source>A number, or an expression: step / 2, start.step * 0.8</source>
        <translation>Eine Zahl oder ein Ausdruck: step / 2, start.step * 0.8</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Fields</source>
        <translation>Felder</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>An expression</source>
        <translation>Ein Ausdruck</translation>
    </message>
    <message>
        <source>Written out: step &lt; 0.8 * start.step and memory &lt; 12</source>
        <translation>Ausgeschrieben: step &lt; 0.8 * start.step and memory &lt; 12</translation>
    </message>
    <message>
        <source>Others</source>
        <translation>Sonstiges</translation>
    </message>
    <message>
        <source>is</source>
        <translation>ist</translation>
    </message>
    <message>
        <source>more than</source>
        <translation>mehr als</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>mindestens</translation>
    </message>
    <message>
        <source>less than</source>
        <translation>weniger als</translation>
    </message>
    <message>
        <source>at most</source>
        <translation>höchstens</translation>
    </message>
    <message>
        <source>exactly</source>
        <translation>genau</translation>
    </message>
    <message>
        <source>As it is shown: 63 %</source>
        <translation>Wie es dasteht: 63 %</translation>
    </message>
    <message>
        <source>As texts show it, right to its last digit: 63 %, 4.2, 159 GFLOP</source>
        <translation>Wie Texte es zeigen, richtig bis zur letzten Ziffer: 63 %, 4.2, 159 GFLOP</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::CpuPage</name>
    <message>
        <source>CPU cluster</source>
        <translation>CPU-Cluster</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>Diagramm</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Replicas and their machines, by what sets the time</source>
        <translation>Repliken und ihre Rechner, nach dem, was die Zeit bestimmt</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>One sample by layers, with its exchange</source>
        <translation>Ein Sample nach Schichten, mit seinem Austausch</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>A step with both kinds of updates</source>
        <translation>Ein Schritt mit beiden Arten von Updates</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Bestimmt durch</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>Asynchron</translation>
    </message>
    <message>
        <source>If replicas queue</source>
        <translation>Wenn Repliken anstehen</translation>
    </message>
    <message>
        <source>Replicas that meet at the servers wait for each other: a closed queueing network</source>
        <translation>Repliken, die sich an den Servern treffen, warten aufeinander: ein geschlossenes Warteschlangennetz</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Veraltung</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Updates of others between a replica&apos;s read of the weights and its own update</source>
        <translation>Updates anderer zwischen dem Lesen der Gewichte durch eine Replik und ihrem eigenen Update</translation>
    </message>
    <message>
        <source>Synchronous</source>
        <translation>Synchron</translation>
    </message>
    <message>
        <source>Switch to a CPU cluster</source>
        <translation>Zum CPU-Cluster wechseln</translation>
    </message>
    <message>
        <source>This design is not a CPU cluster</source>
        <translation>Dieser Entwurf ist kein CPU-Cluster</translation>
    </message>
    <message>
        <source>CPU machines with parameter servers use another model for layers and updates. The network and the batch stay the same. Undo restores the devices.</source>
        <translation>Für CPU-Rechner mit Parameterservern gilt ein anderes Modell für Schichten und Updates. Netz und Batch bleiben gleich. Rückgängig stellt die Geräte wieder her.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::DesignTableModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2, better</source>
        <translation>%1, %2, besser</translation>
    </message>
    <message>
        <source>%1, %2, worse</source>
        <translation>%1, %2, schlechter</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::DeviceMapChart</name>
    <message>
        <source>Device map</source>
        <translation>Gerätekarte</translation>
    </message>
    <message>
        <source>1 node × %1</source>
        <translation>1 Knoten × %1</translation>
    </message>
    <message>
        <source>%1 nodes × %2</source>
        <translation>%1 Knoten × %2</translation>
    </message>
    <message>
        <source>several</source>
        <translation>mehrere</translation>
    </message>
    <message>
        <source>%1 group</source>
        <translation>%1-Gruppe</translation>
    </message>
    <message>
        <source>%1 devices, %2.</source>
        <translation>%1 Geräte, %2.</translation>
    </message>
    <message>
        <source>Device %1, node %2, device %3 in it.</source>
        <translation>Gerät %1, Knoten %2, darin Gerät %3.</translation>
    </message>
    <message>
        <source>%1 %2 of %3: devices %4, %5.</source>
        <translation>%1 %2 von %3: Geräte %4, %5.</translation>
    </message>
    <message>
        <source>First device</source>
        <translation>Erstes Gerät</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>Knoten</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>expert tensor</source>
        <translation>Experten-Tensor</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1 to %2 in steps of %3</source>
        <translation>%1 bis %2 in Schritten von %3</translation>
    </message>
    <message>
        <source>node %1 of %2</source>
        <translation>Knoten %1 von %2</translation>
    </message>
    <message>
        <source>nodes %1 to %2 of %3</source>
        <translation>Knoten %1 bis %2 von %3</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::DeviceMapPage</name>
    <message>
        <source>Axis of the colours</source>
        <translation>Achse der Farben</translation>
    </message>
    <message>
        <source>Order of the axes</source>
        <translation>Reihenfolge der Achsen</translation>
    </message>
    <message>
        <source>Colour by</source>
        <translation>Farbe nach</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>What the device holds</source>
        <translation>Was das Gerät hält</translation>
    </message>
    <message>
        <source>Colour by the rank on this axis</source>
        <translation>Farbe nach dem Rang auf dieser Achse</translation>
    </message>
    <message>
        <source>Device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>node %1, device %2</source>
        <translation>Knoten %1, Gerät %2</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>1/%1 of %2</source>
        <translation>1/%1 von %2</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>Share of the positions of each sequence</source>
        <translation>Anteil an den Positionen jeder Sequenz</translation>
    </message>
    <message>
        <source>Weights · optimizer</source>
        <translation>Gewichte · Optimierer</translation>
    </message>
    <message>
        <source>Shares of its layers&apos; weights and optimizer states that it keeps (ZeRO)</source>
        <translation>Anteile an Gewichten und Optimiererzuständen seiner Schichten, die es hält (ZeRO)</translation>
    </message>
    <message>
        <source>Memory, peak</source>
        <translation>Speicher, Spitze</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Share of the step in which it waits for other devices</source>
        <translation>Anteil des Schritts, in dem es auf andere Geräte wartet</translation>
    </message>
    <message>
        <source>link busy %1</source>
        <translation>Verbindung belegt %1</translation>
    </message>
    <message>
        <source>%1 messages a step with %2 in %3: %4 exposed, %5 hidden. Within %6.</source>
        <translation>%1 Nachrichten je Schritt mit %2 in %3: %4 unverdeckt, %5 verdeckt. Innerhalb: %6.</translation>
    </message>
    <message>
        <source>the node</source>
        <translation>der Knoten</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 Knoten</translation>
    </message>
    <message>
        <source>This design has no device map. It uses only one device, its devices cannot be divided evenly into the mesh, or its method does not support meshes.</source>
        <translation>Zu diesem Entwurf gibt es keine Karte: Er hat nur ein Gerät, seine Geräte gehen im Mesh nicht auf, oder die Methode kennt keine Meshes.</translation>
    </message>
    <message>
        <source>Back to all devices (Escape)</source>
        <translation>Zurück zu allen Geräten (Esc)</translation>
    </message>
    <message>
        <source>Outermost first</source>
        <translation>Äußerste zuerst</translation>
    </message>
    <message>
        <source>Neighbours on this axis are the next device.</source>
        <translation>Nachbar auf dieser Achse ist das nächste Gerät.</translation>
    </message>
    <message>
        <source>Neighbours on this axis are %1 devices apart.</source>
        <translation>Nachbarn auf dieser Achse sind %1 Geräte voneinander entfernt.</translation>
    </message>
    <message>
        <source>next</source>
        <translation>direkt daneben</translation>
    </message>
    <message>
        <source>%1 apart</source>
        <translation>Abstand %1</translation>
    </message>
    <message>
        <source>Drag it to another place, or use Alt+Left and Alt+Right.</source>
        <translation>Ziehen Sie sie an eine andere Stelle, oder drücken Sie Alt+Links oder Alt+Rechts.</translation>
    </message>
    <message>
        <source>Experts need the devices of a stage next to each other: pipeline stays outermost.</source>
        <translation>Experten brauchen die Geräte einer Stufe nebeneinander: Pipeline bleibt außen.</translation>
    </message>
    <message>
        <source>All devices</source>
        <translation>Alle Geräte</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::DockCard</name>
    <message>
        <source>Put back into the window</source>
        <translation>Ins Fenster zurücksetzen</translation>
    </message>
    <message>
        <source>Take out of the window</source>
        <translation>Aus dem Fenster lösen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Document</name>
    <message>
        <source>Pin %1</source>
        <translation>%1 anheften</translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation>%1 lösen</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Pin %1 becomes %2</source>
        <translation>Angeheftetes %1 wird %2</translation>
    </message>
    <message>
        <source>Swap with %1</source>
        <translation>Mit %1 tauschen</translation>
    </message>
    <message>
        <source>New network</source>
        <translation>Neues Netz</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::EvidenceTag</name>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>datasheet</source>
        <translation>Datenblatt</translation>
    </message>
    <message>
        <source>calibrated</source>
        <translation>kalibriert</translation>
    </message>
    <message>
        <source>extrapolated</source>
        <translation>extrapoliert</translation>
    </message>
    <message>
        <source>assumed</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Counted, no estimate.</source>
        <translation>Gezählt, keine Schätzung.</translation>
    </message>
    <message>
        <source>Peak figures from the manufacturer, not calibrated.</source>
        <translation>Spitzenwerte des Herstellers, nicht kalibriert.</translation>
    </message>
    <message>
        <source>Fitted to measured runs.</source>
        <translation>An gemessene Läufe angepasst.</translation>
    </message>
    <message>
        <source>Outside of what was measured.</source>
        <translation>Außerhalb dessen, was gemessen wurde.</translation>
    </message>
    <message>
        <source>Evidence: %1</source>
        <translation>Beleg: %1</translation>
    </message>
    <message>
        <source>A default value that has not been verified.</source>
        <translation>Ein Standardwert, der nicht überprüft ist.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Exports</name>
    <message>
        <source>Scalescope network (*.json)</source>
        <translation>Scalescope-Netz (*.json)</translation>
    </message>
    <message>
        <source>ONNX model without weights (*.onnx)</source>
        <translation>ONNX-Modell ohne Gewichte (*.onnx)</translation>
    </message>
    <message>
        <source>PALEO network (*.json)</source>
        <translation>PALEO-Netz (*.json)</translation>
    </message>
    <message>
        <source>All charts…</source>
        <translation>Alle Diagramme…</translation>
    </message>
    <message>
        <source>Drawing of the network</source>
        <translation>Zeichnung des Netzes</translation>
    </message>
    <message>
        <source>Network as a file…</source>
        <translation>Netz als Datei…</translation>
    </message>
    <message>
        <source>Timeline as a trace…</source>
        <translation>Zeitlinie als Trace …</translation>
    </message>
    <message>
        <source>A file that Perfetto (ui.perfetto.dev) and chrome://tracing open</source>
        <translation>Eine Datei, die Perfetto (ui.perfetto.dev) und chrome://tracing öffnen</translation>
    </message>
    <message>
        <source>&amp;Report…</source>
        <translation>Ber&amp;icht…</translation>
    </message>
    <message>
        <source>Export the open and pinned designs as a report of one or two pages (Ctrl+Shift+R)</source>
        <translation>Den offenen und die angehefteten Entwürfe als Bericht von ein bis zwei Seiten exportieren (Strg+Umschalt+R)</translation>
    </message>
    <message>
        <source>&amp;Print the drawing…</source>
        <translation>Zeichnung d&amp;rucken…</translation>
    </message>
    <message>
        <source>The configuration for %1 was copied.</source>
        <translation>Die Konfiguration für %1 wurde kopiert.</translation>
    </message>
    <message>
        <source>%1 It cannot express all of the scenario: %2 And %3 more.</source>
        <translation>%1 Sie kann nicht das ganze Szenario ausdrücken: %2 Und %3 weitere.</translation>
    </message>
    <message>
        <source>%1 It cannot express all of the scenario: %2</source>
        <translation>%1 Sie kann nicht das ganze Szenario ausdrücken: %2</translation>
    </message>
    <message>
        <source>%1 was not written. %2</source>
        <translation>%1 wurde nicht geschrieben. %2</translation>
    </message>
    <message>
        <source>Export all charts to a folder</source>
        <translation>Alle Diagramme in einen Ordner exportieren</translation>
    </message>
    <message>
        <source>All charts were exported to %1 as PNG, SVG, PDF and CSV.</source>
        <translation>Alle Diagramme wurden als PNG, SVG, PDF und CSV nach %1 exportiert.</translation>
    </message>
    <message>
        <source>The drawing is not a valid network yet. Fix the entries under Problems, then export it.</source>
        <translation>Die Zeichnung ist noch kein gültiges Netz. Erst die Einträge unter Probleme beheben, dann exportieren.</translation>
    </message>
    <message>
        <source>Export the network</source>
        <translation>Netz exportieren</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>The network was exported to %1.</source>
        <translation>Das Netz wurde nach %1 exportiert.</translation>
    </message>
    <message>
        <source>Export what PALEO supports</source>
        <translation>Schreiben, was PALEO sagen kann</translation>
    </message>
    <message>
        <source>This design has no timeline.</source>
        <translation>Dieser Entwurf hat keine Zeitlinie.</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>Zeitlinie exportieren</translation>
    </message>
    <message>
        <source>timeline</source>
        <translation>zeitlinie</translation>
    </message>
    <message>
        <source>Trace for Perfetto (*.json)</source>
        <translation>Trace für Perfetto (*.json)</translation>
    </message>
    <message>
        <source>The timeline was exported to %1. Open it at ui.perfetto.dev.</source>
        <translation>Die Zeitlinie wurde nach %1 exportiert. Öffnen lässt sie sich auf ui.perfetto.dev.</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>HTML page (*.html)</source>
        <translation>HTML-Seite (*.html)</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>Making the report</source>
        <translation>Bericht wird erstellt</translation>
    </message>
    <message>
        <source>The report was exported to %1.</source>
        <translation>Der Bericht wurde nach %1 exportiert.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::FieldRows</name>
    <message>
        <source>“%1”</source>
        <translation>„%1“</translation>
    </message>
    <message>
        <source>all modules</source>
        <translation>alle Module</translation>
    </message>
    <message>
        <source>no module</source>
        <translation>kein Modul</translation>
    </message>
    <message>
        <source>%1 of %2 modules</source>
        <translation>%1 von %2 Modulen</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Üblich: %1</translation>
    </message>
    <message>
        <source>no effect here</source>
        <translation>ändert hier nichts</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Files</name>
    <message>
        <source>Open %1</source>
        <translation>%1 öffnen</translation>
    </message>
    <message>
        <source>%1 is open. Undo restores the previous scenario.</source>
        <translation>%1 ist offen. Rückgängig stellt das vorige Szenario wieder her.</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>Save the scenario</source>
        <translation>Szenario speichern</translation>
    </message>
    <message>
        <source>Scenarios (*.json)</source>
        <translation>Szenarien (*.json)</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>Änderungen an %1 speichern?</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>your work in the lesson</source>
        <translation>die Arbeit in der Lektion</translation>
    </message>
    <message>
        <source>the drawing “%1”, which only Undo brings back</source>
        <translation>die Zeichnung „%1“, die nur Rückgängig zurückbringt</translation>
    </message>
    <message>
        <source>settings, progress in lessons and recent files</source>
        <translation>Einstellungen, Fortschritt in Lektionen und zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>If you quit now, this will be lost:</source>
        <translation>Beim Beenden geht verloren:</translation>
    </message>
    <message>
        <source>Quit Scalescope</source>
        <translation>Scalescope beenden</translation>
    </message>
    <message>
        <source>The pasted text</source>
        <translation>Der eingefügte Text</translation>
    </message>
    <message>
        <source>Reset to example</source>
        <translation>Auf Beispiel zurücksetzen</translation>
    </message>
    <message>
        <source>Open a scenario, a network, a lesson, a table, a trace or a calibration</source>
        <translation>Szenario, Netz, Lektion, Tabelle, Trace oder Kalibrierung öffnen</translation>
    </message>
    <message>
        <source>Scenarios, networks, lessons, tables, traces and training configurations (*.json *.prototxt *.keras *.onnx *.csv *.gz *.sh *.slurm *.yaml *.yml *.toml *.py);;All files (*)</source>
        <translation>Szenarien, Netze, Lektionen, Tabellen, Traces und Trainingskonfigurationen (*.json *.prototxt *.keras *.onnx *.csv *.gz *.sh *.slurm *.yaml *.yml *.toml *.py);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Paste a scenario</source>
        <translation>Szenario einfügen</translation>
    </message>
    <message>
        <source>%1 was opened from the pasted text. It has not been saved to a file.</source>
        <translation>%1 wurde aus dem eingefügten Text geöffnet und noch nicht in einer Datei gespeichert.</translation>
    </message>
    <message>
        <source>The scenario was copied as text (%L1 characters). Open it in another Scalescope with Edit ▸ Paste a scenario, or pass it to a verb as SCENARIO.</source>
        <translation>Das Szenario wurde als Text kopiert (%L1 Zeichen). In einem anderen Scalescope öffnet es Bearbeiten ▸ Szenario einfügen; die Kommandozeile nimmt es als SCENARIO.</translation>
    </message>
    <message>
        <source>%1 The drawing is not a valid network yet, so it was not copied.</source>
        <translation>%1 Die Zeichnung ist noch kein gültiges Netz und wurde deshalb nicht mitkopiert.</translation>
    </message>
    <message>
        <source>%1, line %2,</source>
        <translation>%1, Zeile %2,</translation>
    </message>
    <message>
        <source>Your file %1 could not be read and was skipped. %2</source>
        <translation>Die eigene Datei %1 war nicht lesbar und wurde übersprungen. %2</translation>
    </message>
    <message>
        <source>%1 There is one more problem with your files.</source>
        <translation>%1 Es gibt ein weiteres Problem mit eigenen Dateien.</translation>
    </message>
    <message>
        <source>%1 There are %2 more problems with your files.</source>
        <translation>%1 Es gibt %2 weitere Probleme mit eigenen Dateien.</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>the recovered session</source>
        <translation>die wiederhergestellte Sitzung</translation>
    </message>
    <message>
        <source>your unsaved work</source>
        <translation>die ungespeicherte Arbeit</translation>
    </message>
    <message>
        <source>Your unsaved work from last time could not be read: %1 The file was kept as %2.</source>
        <translation>Die ungesicherte Arbeit vom letzten Mal war nicht lesbar: %1 Die Datei liegt noch unter %2.</translation>
    </message>
    <message>
        <source>Recover the last session</source>
        <translation>Letzte Sitzung wiederherstellen</translation>
    </message>
    <message>
        <source>Scalescope did not shut down properly last time. Your unsaved work has been recovered.</source>
        <translation>Scalescope wurde beim letzten Mal nicht ordnungsgemäß beendet. Die ungesicherte Arbeit wurde wiederhergestellt.</translation>
    </message>
    <message>
        <source>Another window was closed with unsaved work.</source>
        <translation>Ein weiteres Fenster wurde mit ungesicherter Arbeit geschlossen.</translation>
    </message>
    <message>
        <source>%1 other windows were closed with unsaved work.</source>
        <translation>%1 weitere Fenster wurden mit ungesicherter Arbeit geschlossen.</translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open the next</source>
        <translation>Nächste öffnen</translation>
    </message>
    <message>
        <source>the recovered measurements</source>
        <translation>die wiederhergestellten Messungen</translation>
    </message>
    <message>
        <source>your unsaved measurements</source>
        <translation>die ungespeicherten Messungen</translation>
    </message>
    <message>
        <source>Your measurements from last time could not be read: %1 The file was kept as %2.</source>
        <translation>Die Messungen vom letzten Mal waren nicht lesbar: %1 Die Datei liegt noch unter %2.</translation>
    </message>
    <message>
        <source>%1 was read as a configuration of %2.</source>
        <translation>%1 wurde als Konfiguration von %2 gelesen.</translation>
    </message>
    <message>
        <source>Read as %1</source>
        <translation>Als %1 lesen</translation>
    </message>
    <message>
        <source>%1 It was read as a configuration of %2.</source>
        <translation>%1 Gelesen wurde es als Konfiguration von %2.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::FilterPopup</name>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>Nichts passt zu „%1“.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::FitSettings</name>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Batch/worker</source>
        <translation>Batch/Worker</translation>
    </message>
    <message>
        <source>FLOP/sample</source>
        <translation>FLOP/Sample</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Working set</source>
        <translation>Arbeitsmenge</translation>
    </message>
    <message>
        <source>Form of the model</source>
        <translation>Form des Modells</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>Produkt</translation>
    </message>
    <message>
        <source>A sum of powers and levels, times powers of what scales the work, plus a constant</source>
        <translation>Eine Summe von Potenzen und Stufen, mal Potenzen dessen, was die Arbeit skaliert, plus eine Konstante</translation>
    </message>
    <message>
        <source>Two terms</source>
        <translation>Zwei Terme</translation>
    </message>
    <message>
        <source>Computation that workers share, plus communication that grows with them</source>
        <translation>Rechnen, das Worker sich teilen, plus Kommunikation, die mit ihnen wächst</translation>
    </message>
    <message>
        <source>Analytical</source>
        <translation>Analytisch</translation>
    </message>
    <message>
        <source>Data parallelism with a ring all-reduce: peak, bandwidth, latency and overhead are fitted</source>
        <translation>Datenparallelität mit Ring-Allreduce: Spitze, Bandbreite, Latenz und Mehraufwand werden angepasst</translation>
    </message>
    <message>
        <source>Tiers</source>
        <translation>Speicherstufen</translation>
    </message>
    <message>
        <source>Time per operation by size of the working set and by threads</source>
        <translation>Zeit je Operation nach Größe der Arbeitsmenge und nach Threads</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>No column varies.</source>
        <translation>Keine Spalte variiert.</translation>
    </message>
    <message>
        <source>Column of: %1</source>
        <translation>Spalte für: %1</translation>
    </message>
    <message>
        <source>Change the column of %1</source>
        <translation>Spalte für %1 ändern</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>%1 ändern</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Verlust</translation>
    </message>
    <message>
        <source>Loss of a relative error</source>
        <translation>Verlust eines relativen Fehlers</translation>
    </message>
    <message>
        <source>Squared</source>
        <translation>Quadratisch</translation>
    </message>
    <message>
        <source>Huber</source>
        <translation>Huber</translation>
    </message>
    <message>
        <source>Squared up to 15 %, linear above: outliers weigh less</source>
        <translation>Quadratisch bis 15 %, darüber linear: Ausreißer wiegen weniger</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>Absolut</translation>
    </message>
    <message>
        <source>Half of the runs above, half below</source>
        <translation>Die Hälfte der Läufe darüber, die Hälfte darunter</translation>
    </message>
    <message>
        <source>Penalty</source>
        <translation>Strafterm</translation>
    </message>
    <message>
        <source>Weight of the penalty on large constants</source>
        <translation>Gewicht des Strafterms für große Konstanten</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>by cross-validation</source>
        <translation>durch Kreuzvalidierung</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>Wovon</translation>
    </message>
    <message>
        <source>What the penalty is of</source>
        <translation>Worauf der Strafterm wirkt</translation>
    </message>
    <message>
        <source>squares (L2)</source>
        <translation>Quadrate (L2)</translation>
    </message>
    <message>
        <source>sizes (L1)</source>
        <translation>Beträge (L1)</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>How the constants are sought</source>
        <translation>Wie die Konstanten gesucht werden</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Least squares from many starts</source>
        <translation>Kleinste Quadrate von vielen Startpunkten</translation>
    </message>
    <message>
        <source>Global</source>
        <translation>Global</translation>
    </message>
    <message>
        <source>Differential evolution, checked against the fast way</source>
        <translation>Differentielle Evolution, gegen den schnellen Weg geprüft</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Seed of all random numbers</source>
        <translation>Seed aller Zufallszahlen</translation>
    </message>
    <message>
        <source>Refits</source>
        <translation>Wiederholungen</translation>
    </message>
    <message>
        <source>Refits of the bootstrap</source>
        <translation>Wiederholungen des Bootstraps</translation>
    </message>
    <message>
        <source>Number of fits to resampled runs, used for all intervals; 0 for none</source>
        <translation>Anzahl der Fits an neu gezogene Läufe, aus denen alle Intervalle stammen; 0 für keine</translation>
    </message>
    <message>
        <source>Role of %1</source>
        <translation>Rolle von %1</translation>
    </message>
    <message>
        <source>Change the role of %1</source>
        <translation>Rolle von %1 ändern</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>nicht verwendet</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Potenz</translation>
    </message>
    <message>
        <source>levels</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>skaliert</translation>
    </message>
    <message>
        <source>traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>The time does not depend on it</source>
        <translation>Die Zeit hängt nicht davon ab</translation>
    </message>
    <message>
        <source>What is computed, as a power of it</source>
        <translation>Was berechnet wird, als Potenz davon</translation>
    </message>
    <message>
        <source>What is computed, a constant for every value</source>
        <translation>Was berechnet wird, eine Konstante für jeden Wert</translation>
    </message>
    <message>
        <source>Scales all the work: workers, batch, chunks</source>
        <translation>Skaliert die ganze Arbeit: Worker, Batch, Teile</translation>
    </message>
    <message>
        <source>What is sent between workers</source>
        <translation>Was zwischen Workern gesendet wird</translation>
    </message>
    <message>
        <source>%1: %2 values</source>
        <translation>%1: %2 Werte</translation>
    </message>
    <message>
        <source>, %1 to %2</source>
        <translation>, %1 bis %2</translation>
    </message>
    <message>
        <source>choose a column</source>
        <translation>Spalte wählen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::FoldBar</name>
    <message>
        <source>Folded charts</source>
        <translation>Eingeklappte Diagramme</translation>
    </message>
    <message>
        <source>Show %1. Another chart or the open panel gives way.</source>
        <translation>%1 zeigen. Ein anderes Diagramm oder das offene Feld macht Platz.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::FormulaBlock</name>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::GalleryDialog</name>
    <message>
        <source>scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>scenario · step %1</source>
        <translation>Szenario · Schritt %1</translation>
    </message>
    <message>
        <source>network · %1 parameters</source>
        <translation>Netz · %1 Parameter</translation>
    </message>
    <message>
        <source>device · peak, bandwidth, memory</source>
        <translation>Spitze, Bandbreite, Speicher</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>Search presets</source>
        <translation>Vorgaben durchsuchen</translation>
    </message>
    <message>
        <source>Kind of preset</source>
        <translation>Art der Vorgabe</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation>Szenarien</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Netze</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>Nichts passt zu „%1“.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::HardwareEditor</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
    <message>
        <source>The scenario stores these figures; the preset does not change. Leave a field empty if its value is unknown.</source>
        <translation>Das Szenario speichert diese Werte; die Vorgabe bleibt unverändert. Unbekannte Werte leer lassen.</translation>
    </message>
    <message>
        <source>The scenario stores these figures; the preset does not change.</source>
        <translation>Das Szenario speichert diese Werte; die Vorgabe bleibt unverändert.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::HeatChart</name>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>There is nothing to show yet.</source>
        <translation>Noch gibt es nichts zu zeigen.</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>%1 across, %2 down</source>
        <translation>%1 waagerecht, %2 senkrecht</translation>
    </message>
    <message>
        <source>%1 over %2 and %3. The best is %4, at %5 and %6; %7 cells have no answer.</source>
        <translation>%1 über %2 und %3. Das Beste ist %4, bei %5 und %6; %7 Zellen haben keine Antwort.</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Anmerkung</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::HelpWindow</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Back (%1)</source>
        <translation>Zurück (%1)</translation>
    </message>
    <message>
        <source>Forward (%1)</source>
        <translation>Vorwärts (%1)</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>Keine Seite enthält alle diese Wörter.</translation>
    </message>
    <message>
        <source>%1 – Help</source>
        <translation>%1 – Hilfe</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::InputList</name>
    <message>
        <source>Inputs of the formula</source>
        <translation>Eingangsgrößen der Formel</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Keeping</name>
    <message>
        <source>%1 cannot be stored: %2</source>
        <translation>Speichern fehlgeschlagen (%1): %2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::KeyFigureModel</name>
    <message>
        <source>%1, better</source>
        <translation>%1, besser</translation>
    </message>
    <message>
        <source>%1, worse</source>
        <translation>%1, schlechter</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>vs %1</source>
        <translation>gegen %1</translation>
    </message>
    <message>
        <source>%1, a warning</source>
        <translation>%1, eine Warnung</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::KeyFigures</name>
    <message>
        <source>Key figures</source>
        <translation>Kennzahlen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LayerList</name>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Unfold all rows</source>
        <translation>Alle Zeilen aufklappen</translation>
    </message>
    <message>
        <source>Fold all rows</source>
        <translation>Alle Zeilen zuklappen</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>In network order</source>
        <translation>In Reihenfolge des Netzes</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LayerModel</name>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>frozen</source>
        <translation>eingefroren</translation>
    </message>
    <message>
        <source>%1 of the step</source>
        <translation>%1 des Schritts</translation>
    </message>
    <message>
        <source> ❄</source>
        <translation> ❄</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>%1 %2 per step</source>
        <translation>%1 %2 je Schritt</translation>
    </message>
    <message>
        <source>Floating-point operations of the forward pass, for one sample</source>
        <translation>Gleitkommaoperationen des Vorwärtslaufs, für ein Sample</translation>
    </message>
    <message>
        <source>%1 per step, on the %2 that has the layer</source>
        <translation>%1 je Schritt, auf dem %2 mit der Schicht</translation>
    </message>
    <message>
        <source>%1 per step that no other work hides</source>
        <translation>%1 je Schritt, die keine andere Arbeit verdeckt</translation>
    </message>
    <message>
        <source>%1 of communication behind other work; no part of the total</source>
        <translation>%1 Kommunikation hinter anderer Arbeit; nicht in der Summe</translation>
    </message>
    <message>
        <source>%1 per step</source>
        <translation>%1 je Schritt</translation>
    </message>
    <message>
        <source>Total less that of the layer of the same name in the pinned design, %1 per step</source>
        <translation>Summe abzüglich der Summe der gleichnamigen Schicht im angehefteten Entwurf, %1 je Schritt</translation>
    </message>
    <message>
        <source>Kept from the forward pass for the backward pass, on one %1</source>
        <translation>Vom Vorwärts- für den Rückwärtslauf behalten, auf einem %1</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Work/sample</source>
        <translation>Arbeit/Sample</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>vs %1</source>
        <translation>gegen %1</translation>
    </message>
    <message>
        <source>Keeps</source>
        <translation>Behält</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LayerTimeChart</name>
    <message>
        <source>Time per layer</source>
        <translation>Zeit je Schicht</translation>
    </message>
    <message>
        <source>In network order</source>
        <translation>In Reihenfolge des Netzes</translation>
    </message>
    <message>
        <source>Longest first</source>
        <translation>Längste zuerst</translation>
    </message>
    <message>
        <source>%1 per step, last valid network</source>
        <translation>%1 je Schritt, letztes gültiges Netz</translation>
    </message>
    <message>
        <source>%1 per step, per %2</source>
        <translation>%1 je Schritt, je %2</translation>
    </message>
    <message>
        <source>The network has no layers yet.</source>
        <translation>Das Netz hat noch keine Schichten.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 vom %2</translation>
    </message>
    <message>
        <source>the step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>%1 layers, %2 per step. Longest: %3 with %4</source>
        <translation>%1 Schichten, %2 je Schritt. Längste: %3 mit %4</translation>
    </message>
    <message>
        <source>%1 layers, %2 in all. Longest: %3 with %4</source>
        <translation>%1 Schichten, %2 insgesamt. Längste: %3 mit %4</translation>
    </message>
    <message>
        <source> (%1 of the step)</source>
        <translation> (%1 des Schritts)</translation>
    </message>
    <message>
        <source>. Exposed communication of all layers: %1.</source>
        <translation>. Unverdeckte Kommunikation aller Schichten: %1.</translation>
    </message>
    <message>
        <source> Selected: %1, %2.</source>
        <translation> Ausgewählt: %1, %2.</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>Block</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Share of step</source>
        <translation>Anteil am Schritt</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonDesk</name>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Leave the lesson and return to your own work</source>
        <translation>Lektion verlassen und zur eigenen Arbeit zurückkehren</translation>
    </message>
    <message>
        <source>Back to how this step begins</source>
        <translation>Zurück zum Anfang dieses Schritts</translation>
    </message>
    <message>
        <source>&amp;All lessons…</source>
        <translation>&amp;Alle Lektionen…</translation>
    </message>
    <message>
        <source>&amp;Go on where I was</source>
        <translation>Zuletzt offene Lektion &amp;fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Write a lesson from this scenario…</source>
        <translation>Lektion aus diesem Szenario &amp;schreiben…</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>&amp;Step before</source>
        <translation>&amp;Voriger Schritt</translation>
    </message>
    <message>
        <source>&amp;Back to how this step begins</source>
        <translation>&amp;Zurück zum Anfang dieses Schritts</translation>
    </message>
    <message>
        <source>&amp;Leave the lesson</source>
        <translation>&amp;Lektion verlassen</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>&amp;Präsentieren</translation>
    </message>
    <message>
        <source>Full screen with large type and a highlighted pointer (F11; Escape leaves it)</source>
        <translation>Vollbild mit großer Schrift und hervorgehobenem Zeiger (F11; Esc beendet es)</translation>
    </message>
    <message>
        <source>&amp;Go on with “%1”</source>
        <translation>„%1“ &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Panel: network</source>
        <translation>Feld: Netz</translation>
    </message>
    <message>
        <source>Panel: cluster</source>
        <translation>Feld: Cluster</translation>
    </message>
    <message>
        <source>Panel: model</source>
        <translation>Feld: Modell</translation>
    </message>
    <message>
        <source>Panel: workers and strategy</source>
        <translation>Feld: Worker und Strategie</translation>
    </message>
    <message>
        <source>Panel: why</source>
        <translation>Feld: Warum</translation>
    </message>
    <message>
        <source>Panel: numbers</source>
        <translation>Feld: Zahlen</translation>
    </message>
    <message>
        <source>Layer table</source>
        <translation>Schichttabelle</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Back to how the step begins</source>
        <translation>Zurück zum Anfang des Schritts</translation>
    </message>
    <message>
        <source>Back to %1, as it was before the lesson “%2”.</source>
        <translation>Zurück zu %1, wie es vor der Lektion „%2“ war.</translation>
    </message>
    <message>
        <source>Take over the lesson&apos;s design</source>
        <translation>Entwurf der Lektion übernehmen</translation>
    </message>
    <message>
        <source>The lesson&apos;s design is open. Undo restores your previous work.</source>
        <translation>Der Entwurf der Lektion ist offen. Rückgängig stellt die vorige Arbeit wieder her.</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Weiter: %1</translation>
    </message>
    <message>
        <source>&amp;Back to the lesson you are writing</source>
        <translation>&amp;Zurück zur Lektion in Arbeit</translation>
    </message>
    <message>
        <source>%1 (CPU cluster)</source>
        <translation>%1 (CPU-Cluster)</translation>
    </message>
    <message>
        <source>Your unsaved lesson “%1” has been reopened.</source>
        <translation>Die nicht gespeicherte Lektion „%1“ wurde wieder geöffnet.</translation>
    </message>
    <message>
        <source>An unsaved lesson could not be read. The file was kept as %1.</source>
        <translation>Eine ungesicherte Lektion war nicht lesbar. Die Datei liegt noch unter %1.</translation>
    </message>
    <message>
        <source>Another unsaved lesson will be reopened the next time Scalescope starts.</source>
        <translation>Eine weitere ungesicherte Lektion wird beim nächsten Start geöffnet.</translation>
    </message>
    <message>
        <source>Undo restores your earlier work in this lesson.</source>
        <translation>Rückgängig stellt die frühere Arbeit in dieser Lektion wieder her.</translation>
    </message>
    <message>
        <source>Return to the lesson</source>
        <translation>Zurück zur Lektion</translation>
    </message>
    <message>
        <source>%1 is open. The lesson “%2” was closed.</source>
        <translation>%1 ist geöffnet. Die Lektion „%2“ wurde verlassen.</translation>
    </message>
    <message>
        <source>Recover the lesson</source>
        <translation>Lektion wiederherstellen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonDocument</name>
    <message>
        <source>First step</source>
        <translation>Erster Schritt</translation>
    </message>
    <message>
        <source>What is seen here.</source>
        <translation>Was hier zu sehen ist.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonEditor</name>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Title of the lesson</source>
        <translation>Titel der Lektion</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>What it is about, in a sentence</source>
        <translation>Worum es geht, in einem Satz</translation>
    </message>
    <message>
        <source>Minutes it takes</source>
        <translation>Dauer in Minuten</translation>
    </message>
    <message>
        <source> min</source>
        <translation> min</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Add a step after this one</source>
        <translation>Nach diesem einen Schritt hinzufügen</translation>
    </message>
    <message>
        <source>Remove this step</source>
        <translation>Diesen Schritt entfernen</translation>
    </message>
    <message>
        <source>Move this step up</source>
        <translation>Diesen Schritt nach oben</translation>
    </message>
    <message>
        <source>Move this step down</source>
        <translation>Diesen Schritt nach unten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>As it is read</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>&amp;Lesson</source>
        <translation>&amp;Lektion</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>&amp;Try it in the window</source>
        <translation>Im Fenster &amp;ausprobieren</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>A new lesson</source>
        <translation>Eine neue Lektion</translation>
    </message>
    <message>
        <source>%1[*] – lesson</source>
        <translation>%1[*] – Lektion</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>Ready: it can be saved and opened.</source>
        <translation>Fertig zum Speichern und Öffnen.</translation>
    </message>
    <message>
        <source>%1 (and %2 more)</source>
        <translation>%1 (und %2 weitere)</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>Nächster Schritt</translation>
    </message>
    <message>
        <source>What is seen here.</source>
        <translation>Was hier zu sehen ist.</translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>Schritt hinzufügen</translation>
    </message>
    <message>
        <source>Remove a step</source>
        <translation>Schritt entfernen</translation>
    </message>
    <message>
        <source>Move a step</source>
        <translation>Schritt verschieben</translation>
    </message>
    <message>
        <source>Take the solution</source>
        <translation>Lösung übernehmen</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>Lektion speichern</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>Lektionen (*.json)</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>Lektion öffnen</translation>
    </message>
    <message>
        <source>%1 is not a lesson.</source>
        <translation>%1 ist keine Lektion.</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>Änderungen an %1 speichern?</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Preview this step in the main window (F5)</source>
        <translation>Vorschau dieses Schritts im Hauptfenster (F5)</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>&amp;New from the open scenario</source>
        <translation>&amp;Neu aus dem offenen Szenario</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>As it begins</source>
        <translation>Wie am Anfang</translation>
    </message>
    <message>
        <source>Pinned designs</source>
        <translation>Angeheftete Entwürfe</translation>
    </message>
    <message>
        <source>Use the current scenario</source>
        <translation>Aktuelles Szenario verwenden</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonList</name>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Each lesson takes five to ten minutes. Your work returns when you leave it.</source>
        <translation>Jede Lektion dauert fünf bis zehn Minuten. Beim Verlassen ist die eigene Arbeit wieder da.</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>From the beginning</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 (own)</source>
        <translation>%1 (eigene)</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Wiederholen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonPanel</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>The step before (Alt+Page Up)</source>
        <translation>Der vorige Schritt (Alt+Bild auf)</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>Sources: %1</source>
        <translation>Quellen: %1</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>Abschließen</translation>
    </message>
    <message>
        <source>Leave the lesson and return to your own work</source>
        <translation>Lektion verlassen und zur eigenen Arbeit zurückkehren</translation>
    </message>
    <message>
        <source>The next step (Alt+Page Down)</source>
        <translation>Der nächste Schritt (Alt+Bild ab)</translation>
    </message>
    <message>
        <source>↓ To do</source>
        <translation>↓ Aufgabe</translation>
    </message>
    <message>
        <source>↓ Question</source>
        <translation>↓ Frage</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::LessonSession</name>
    <message>
        <source>the recovered lesson</source>
        <translation>die wiederhergestellte Lektion</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::MachinePanel</name>
    <message>
        <source>1 core</source>
        <translation>1 Kern</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 Kerne</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>choose one</source>
        <translation>wählen</translation>
    </message>
    <message>
        <source>Duplicate and edit…</source>
        <translation>Duplizieren und bearbeiten…</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>each on one machine</source>
        <translation>jede auf einem Rechner</translation>
    </message>
    <message>
        <source>each on %1 machines</source>
        <translation>jede auf %1 Rechnern</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::MainWindow</name>
    <message>
        <source>Computing…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Layer table</source>
        <translation>Schichttabelle</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>From PALEO</source>
        <translation>Von PALEO aus</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>Sensitivität</translation>
    </message>
    <message>
        <source>CPU cluster</source>
        <translation>CPU-Cluster</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Veraltung</translation>
    </message>
    <message>
        <source>Device map</source>
        <translation>Gerätekarte</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New network</source>
        <translation>&amp;Neues Netz</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Copy the scenario as one line of text, for a message or another Scalescope (Ctrl+Shift+C)</source>
        <translation>Szenario als Textzeile kopieren, für eine Nachricht oder ein anderes Scalescope (Strg+Umschalt+C)</translation>
    </message>
    <message>
        <source>P&amp;aste a scenario</source>
        <translation>Szenario ein&amp;fügen</translation>
    </message>
    <message>
        <source>Opens a scenario or a training configuration that was copied as text (Ctrl+Shift+V)</source>
        <translation>Öffnet ein Szenario oder eine Trainingskonfiguration, die als Text kopiert wurde (Strg+Umschalt+V)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Speedup &amp;compares</source>
        <translation>S&amp;peedup vergleicht</translation>
    </message>
    <message>
        <source>&amp;Canvas</source>
        <translation>&amp;Zeichnung</translation>
    </message>
    <message>
        <source>The network as a drawing (Ctrl+G)</source>
        <translation>Das Netz als Zeichnung (Strg+G)</translation>
    </message>
    <message>
        <source>&amp;Workers and strategy</source>
        <translation>&amp;Worker und Strategie</translation>
    </message>
    <message>
        <source>Workers and strategy above the canvas (Ctrl+Shift+W)</source>
        <translation>Worker und Strategie über der Zeichnung (Strg+Umschalt+W)</translation>
    </message>
    <message>
        <source>&amp;Measurements</source>
        <translation>&amp;Messungen</translation>
    </message>
    <message>
        <source>Measured runs and models fitted to them (Ctrl+M)</source>
        <translation>Gemessene Läufe und daran angepasste Modelle (Strg+M)</translation>
    </message>
    <message>
        <source>Reset &amp;layout</source>
        <translation>Anordnung z&amp;urücksetzen</translation>
    </message>
    <message>
        <source>&amp;Scenario</source>
        <translation>&amp;Szenario</translation>
    </message>
    <message>
        <source>&amp;Find the best…</source>
        <translation>&amp;Bestes finden…</translation>
    </message>
    <message>
        <source>The best configurations around this scenario, and why (Ctrl+Shift+F)</source>
        <translation>Die besten Konfigurationen um dieses Szenario, und warum (Strg+Umschalt+F)</translation>
    </message>
    <message>
        <source>&amp;Reset to example</source>
        <translation>Auf Beispiel &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;About Scalescope</source>
        <translation>&amp;Über Scalescope</translation>
    </message>
    <message>
        <source>Main</source>
        <translation>Haupt</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Switch between light and dark</source>
        <translation>Zwischen hell und dunkel wechseln</translation>
    </message>
    <message>
        <source>Step, changed since calibrated</source>
        <translation>Schritt, seit Kalibrierung geändert</translation>
    </message>
    <message>
        <source>Step, calibrated</source>
        <translation>Schritt, kalibriert</translation>
    </message>
    <message>
        <source>Step, extrapolated</source>
        <translation>Schritt, extrapoliert</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>computed in %1 ms</source>
        <translation>in %1 ms berechnet</translation>
    </message>
    <message>
        <source>drawn in %1 ms</source>
        <translation>in %1 ms gezeichnet</translation>
    </message>
    <message>
        <source>1 shape problem</source>
        <translation>1 Formproblem</translation>
    </message>
    <message>
        <source>%1 shape problems</source>
        <translation>%1 Formprobleme</translation>
    </message>
    <message>
        <source>1 problem of the drawn network</source>
        <translation>1 Problem im gezeichneten Netz</translation>
    </message>
    <message>
        <source>%1 problems of the drawn network</source>
        <translation>%1 Probleme im gezeichneten Netz</translation>
    </message>
    <message>
        <source>; times are those of the last valid network</source>
        <translation>; Zeiten sind die des letzten gültigen Netzes</translation>
    </message>
    <message>
        <source>; the charts show %1, the last valid network</source>
        <translation>; die Diagramme zeigen %1, das letzte gültige Netz</translation>
    </message>
    <message>
        <source>Showing the last good state</source>
        <translation>Letzter guter Stand</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Sizes</source>
        <translation>Größen</translation>
    </message>
    <message>
        <source>Sizes the network leaves open, such as the sequence length. The batch is set with the workers.</source>
        <translation>Größen, die das Netz offen lässt, etwa die Sequenzlänge. Der Batch wird bei den Workern eingestellt.</translation>
    </message>
    <message>
        <source>Properties</source>
        <translation>Eigenschaften</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Folded panels</source>
        <translation>Eingeklappte Felder</translation>
    </message>
    <message>
        <source>%1 was not opened.</source>
        <translation>%1 wurde nicht geöffnet.</translation>
    </message>
    <message>
        <source>%1 is still shown, unchanged.</source>
        <translation>%1 wird weiterhin gezeigt, unverändert.</translation>
    </message>
    <message>
        <source>this design</source>
        <translation>dieser Entwurf</translation>
    </message>
    <message>
        <source>%1[*] – Scalescope</source>
        <translation>%1[*] – Scalescope</translation>
    </message>
    <message>
        <source>&amp;Pin as %1</source>
        <translation>Als %1 an&amp;heften</translation>
    </message>
    <message>
        <source>&amp;Pin</source>
        <translation>An&amp;heften</translation>
    </message>
    <message>
        <source>Pin %1</source>
        <translation>%1 anheften</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Pin this scenario as %1 for comparison (Ctrl+K)</source>
        <translation>Dieses Szenario zum Vergleich als %1 anheften (Strg+K)</translation>
    </message>
    <message>
        <source>Four scenarios are pinned: unpin one first</source>
        <translation>Vier Szenarien sind angeheftet: erst eines lösen</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>What this design is called:</source>
        <translation>Name dieses Entwurfs:</translation>
    </message>
    <message>
        <source>Nothing has been changed yet</source>
        <translation>Noch wurde nichts geändert</translation>
    </message>
    <message>
        <source>Nothing has been undone</source>
        <translation>Nichts wurde rückgängig gemacht</translation>
    </message>
    <message>
        <source>P&amp;resets…</source>
        <translation>&amp;Vorgaben…</translation>
    </message>
    <message>
        <source>Browse networks, scenarios and devices with pictures (Ctrl+Shift+O)</source>
        <translation>Netze, Szenarien und Geräte mit Bildern durchsehen (Strg+Umschalt+O)</translation>
    </message>
    <message>
        <source>&amp;Appearance</source>
        <translation>&amp;Erscheinungsbild</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>As the &amp;desktop</source>
        <translation>Wie der &amp;Desktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>Dun&amp;kel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher Ko&amp;ntrast</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Motion as the desk&amp;top has it</source>
        <translation>Bewegung wie der Deskto&amp;p</translation>
    </message>
    <message>
        <source>&amp;All motion</source>
        <translation>&amp;Alle Bewegungen</translation>
    </message>
    <message>
        <source>L&amp;ess motion</source>
        <translation>&amp;Weniger Bewegung</translation>
    </message>
    <message>
        <source>Controls</source>
        <translation>Bedienelemente</translation>
    </message>
    <message>
        <source>Large &amp;controls, for fingers</source>
        <translation>&amp;Große Bedienelemente, für Finger</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Find a command, a preset or a setting, or set one: “workers 16” (Ctrl+Shift+P)</source>
        <translation>Einen Befehl, eine Vorgabe oder eine Einstellung finden oder setzen: „workers 16“ (Strg+Umschalt+P)</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Help for the control under the pointer or with the focus (F1)</source>
        <translation>Hilfe zum Bedienelement unter dem Zeiger oder mit dem Fokus (F1)</translation>
    </message>
    <message>
        <source>Measurements</source>
        <translation>Messungen</translation>
    </message>
    <message>
        <source>Find the best</source>
        <translation>Bestes finden</translation>
    </message>
    <message>
        <source>Take the &amp;tour</source>
        <translation>&amp;Rundgang</translation>
    </message>
    <message>
        <source>What is &amp;new</source>
        <translation>&amp;Neuigkeiten</translation>
    </message>
    <message>
        <source>Scalescope is now version %1.</source>
        <translation>Scalescope ist jetzt Version %1.</translation>
    </message>
    <message>
        <source>What is new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>Drag the workers slider</source>
        <translation>Den Worker-Regler ziehen</translation>
    </message>
    <message>
        <source>Every chart updates while you drag. Ctrl+Z undoes a drag.</source>
        <translation>Alle Diagramme folgen beim Ziehen. Strg+Z macht es rückgängig.</translation>
    </message>
    <message>
        <source>Click a bar</source>
        <translation>Einen Balken anklicken</translation>
    </message>
    <message>
        <source>Bars are the layers of the network. The Why panel then shows the formula behind the time, with its numbers.</source>
        <translation>Balken sind die Schichten des Netzes. Das Feld Warum zeigt dann die Formel hinter der Zeit, mit ihren Zahlen.</translation>
    </message>
    <message>
        <source>Read the answer</source>
        <translation>Die Antwort lesen</translation>
    </message>
    <message>
        <source>Step time, speedup, memory and cost. Pin a design with Ctrl+K to compare later designs with it.</source>
        <translation>Zeit pro Schritt, Speedup, Speicher und Kosten. Ein mit Strg+K angehefteter Entwurf dient späteren zum Vergleich.</translation>
    </message>
    <message>
        <source>Find anything</source>
        <translation>Alles finden</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>&amp;Lessons</source>
        <translation>&amp;Lektionen</translation>
    </message>
    <message>
        <source>Pre&amp;ferences…</source>
        <translation>Vorein&amp;stellungen…</translation>
    </message>
    <message>
        <source>Appearance, language and other settings of the program</source>
        <translation>Aussehen, Sprache und andere Einstellungen des Programms</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P finds every command, preset and setting; “workers 16” sets one. F1 opens help for the current control. New to the subject? The first lesson explains what one layer costs.</source>
        <translation>Strg+Umschalt+P findet jeden Befehl, jede Vorgabe und Einstellung; „workers 16“ setzt eine. F1 öffnet die Hilfe zum aktuellen Bedienelement. Neu im Thema? Die erste Lektion erklärt, was eine Schicht kostet.</translation>
    </message>
    <message>
        <source>First lesson</source>
        <translation>Erste Lektion</translation>
    </message>
    <message>
        <source>C&amp;opy the scenario as text</source>
        <translation>Szenario als Text k&amp;opieren</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>times in %1 per step</source>
        <translation>Zeiten in %1 je Schritt</translation>
    </message>
    <message>
        <source>&amp;Low-rank adapters (LoRA)…</source>
        <translation>&amp;Niedrigrang-Adapter (LoRA)…</translation>
    </message>
    <message>
        <source>Fine-tune a few weights beside the products of the network, and freeze all others</source>
        <translation>Wenige Gewichte neben den Produkten des Netzes feinabstimmen und alle anderen einfrieren</translation>
    </message>
    <message>
        <source>Low-rank adapters</source>
        <translation>Niedrigrang-Adapter</translation>
    </message>
    <message>
        <source>Time per block</source>
        <translation>Zeit je Block</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Copy as a &amp;configuration for</source>
        <translation>Als Konfigu&amp;ration kopieren für</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Cluster and settings</source>
        <translation>Cluster und Einstellungen</translation>
    </message>
    <message>
        <source>Find a &amp;setting</source>
        <translation>Ein&amp;stellung suchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Own scenario</source>
        <translation>Eigenes Szenario</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::MeasureWindow</name>
    <message>
        <source>Measurements – Scalescope</source>
        <translation>Messungen – Scalescope</translation>
    </message>
    <message>
        <source>What is measured</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Messläufe</translation>
    </message>
    <message>
        <source>Measured runs and a model fitted to them</source>
        <translation>Gemessene Läufe und ein daran angepasstes Modell</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>Fit the analytical model&apos;s constants to these runs</source>
        <translation>Die Konstanten des analytischen Modells an diese Läufe anpassen</translation>
    </message>
    <message>
        <source>Published results</source>
        <translation>Veröffentlichte Ergebnisse</translation>
    </message>
    <message>
        <source>Published measurements compared with the model</source>
        <translation>Veröffentlichte Messungen im Vergleich mit dem Modell</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>A recorded training step, and its time on other GPUs</source>
        <translation>Ein aufgezeichneter Trainingsschritt und seine Zeit auf anderen GPUs</translation>
    </message>
    <message>
        <source>%1[*] – Measurements – Scalescope</source>
        <translation>%1[*] – Messungen – Scalescope</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open a table, a fit or a trace…</source>
        <translation>Tabelle, Fit oder Trace ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Save the table as…</source>
        <translation>&amp;Tabelle speichern unter…</translation>
    </message>
    <message>
        <source>Save the &amp;fit as…</source>
        <translation>Fit &amp;speichern unter…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Runs</source>
        <translation>&amp;Messläufe</translation>
    </message>
    <message>
        <source>&amp;Calibration</source>
        <translation>&amp;Kalibrierung</translation>
    </message>
    <message>
        <source>&amp;Published results</source>
        <translation>&amp;Veröffentlichte Ergebnisse</translation>
    </message>
    <message>
        <source>&amp;Trace</source>
        <translation>&amp;Trace</translation>
    </message>
    <message>
        <source>F&amp;it</source>
        <translation>F&amp;it</translation>
    </message>
    <message>
        <source>&amp;Fit the runs</source>
        <translation>&amp;Fit berechnen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Scalescope did not shut down properly last time. Your unsaved work has been recovered.</source>
        <translation>Scalescope wurde beim letzten Mal nicht ordnungsgemäß beendet. Die ungesicherte Arbeit wurde wiederhergestellt.</translation>
    </message>
    <message>
        <source>The fit %1 is shown without its table. Open the table to fit it again.</source>
        <translation>Der Fit %1 wird ohne seine Tabelle gezeigt. Zum erneuten Anpassen die Tabelle öffnen.</translation>
    </message>
    <message>
        <source>The fit %1 was made from other runs than the open table.</source>
        <translation>Der Fit %1 gehört zu anderen Läufen als die offene Tabelle.</translation>
    </message>
    <message>
        <source>The fit %1 was made from this table.</source>
        <translation>Der Fit %1 gehört zu dieser Tabelle.</translation>
    </message>
    <message>
        <source>These are published results. You can compare the model with them.</source>
        <translation>Dies sind veröffentlichte Ergebnisse. Das Modell lässt sich damit vergleichen.</translation>
    </message>
    <message>
        <source>Compare with the model</source>
        <translation>Mit dem Modell vergleichen</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save the changes to the table %1?</source>
        <translation>Änderungen an der Tabelle %1 speichern?</translation>
    </message>
    <message>
        <source>Open a table, a fit or a trace</source>
        <translation>Tabelle, Fit oder Trace öffnen</translation>
    </message>
    <message>
        <source>Tables, fits and traces (*.csv *.tsv *.txt *.json *.gz);;All files (*)</source>
        <translation>Tabellen, Fits und Traces (*.csv *.tsv *.txt *.json *.gz);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Save the fit</source>
        <translation>Fit speichern</translation>
    </message>
    <message>
        <source>Fits (*.json)</source>
        <translation>Fits (*.json)</translation>
    </message>
    <message>
        <source>The fit was saved to %1.</source>
        <translation>Der Fit wurde in %1 gespeichert.</translation>
    </message>
    <message>
        <source>Save the calibration</source>
        <translation>Kalibrierung speichern</translation>
    </message>
    <message>
        <source>Calibrations (*.json)</source>
        <translation>Kalibrierungen (*.json)</translation>
    </message>
    <message>
        <source>The calibration was saved to %1.</source>
        <translation>Die Kalibrierung wurde in %1 gespeichert.</translation>
    </message>
    <message>
        <source>Another unsaved table will be reopened the next time Scalescope starts.</source>
        <translation>Eine weitere ungesicherte Tabelle wird beim nächsten Start geöffnet.</translation>
    </message>
    <message>
        <source>Unsaved settings</source>
        <translation>Ungesicherte Einstellungen</translation>
    </message>
    <message>
        <source>The columns and fit settings chosen for %1 are not saved. Discard them?</source>
        <translation>Die für %1 gewählten Spalten und Fit-Einstellungen sind nicht gesichert. Verwerfen?</translation>
    </message>
    <message>
        <source>Unsaved fit</source>
        <translation>Ungesicherter Fit</translation>
    </message>
    <message>
        <source>Save the fit of the table %1?</source>
        <translation>Fit der Tabelle %1 speichern?</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::MeshEquation</name>
    <message>
        <source>divide further</source>
        <translation>weiter aufteilen</translation>
    </message>
    <message>
        <source>data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>Pipeline</translation>
    </message>
    <message>
        <source>context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Keep the %1 degree</source>
        <translation>Grad beibehalten: %1</translation>
    </message>
    <message>
        <source>Degree: %1</source>
        <translation>Grad: %1</translation>
    </message>
    <message>
        <source>Kept. Click to let it change</source>
        <translation>Bleibt. Klicken, damit es sich ändern darf</translation>
    </message>
    <message>
        <source>%1 do not divide by %2.</source>
        <translation>%1 lassen sich nicht durch %2 teilen.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Minimap</name>
    <message>
        <source>Map of the network</source>
        <translation>Karte des Netzes</translation>
    </message>
    <message>
        <source>Drag to go there</source>
        <translation>Ziehen, um dorthin zu gehen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::NetworkPanel</name>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Own</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>As in PALEO</source>
        <translation>Wie in PALEO</translation>
    </message>
    <message>
        <source>Transformers</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Networks</source>
        <translation>Netze</translation>
    </message>
    <message>
        <source>Floating-point operations of the forward pass; a multiply-add is two</source>
        <translation>Gleitkommaoperationen des Vorwärtslaufs; Multiplizieren und Addieren sind zwei</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 parameters · %2/sample</source>
        <translation>%1 Parameter · %2/Sample</translation>
    </message>
    <message>
        <source>Train %1 again</source>
        <translation>%1 wieder trainieren</translation>
    </message>
    <message>
        <source>Freeze %1</source>
        <translation>%1 einfrieren</translation>
    </message>
    <message>
        <source>Freeze all layers up to %1</source>
        <translation>Alle Schichten bis %1 einfrieren</translation>
    </message>
    <message>
        <source>Train all layers</source>
        <translation>Alle Schichten trainieren</translation>
    </message>
    <message>
        <source>Keep the activations of %1</source>
        <translation>Aktivierungen von %1 behalten</translation>
    </message>
    <message>
        <source>Recompute %1 in the backward pass</source>
        <translation>%1 im Rückwärtslauf neu berechnen</translation>
    </message>
    <message>
        <source>Hybrid: back part from %1</source>
        <translation>Hybrid: hinterer Teil ab %1</translation>
    </message>
    <message>
        <source>Gallery…</source>
        <translation>Galerie…</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::NewsDialog</name>
    <message>
        <source>What is new</source>
        <translation>Neuigkeiten</translation>
    </message>
    <message>
        <source>Since the last release</source>
        <translation>Seit der letzten Version</translation>
    </message>
    <message>
        <source>Version %1</source>
        <translation>Version %1</translation>
    </message>
    <message>
        <source>The list of changes is available in English only.</source>
        <translation>Die Liste der Änderungen gibt es nur auf Englisch.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::NoteCard</name>
    <message>
        <source>Close the note</source>
        <translation>Anmerkung schließen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::NumberField</name>
    <message>
        <source>%1 is %2 or more.</source>
        <translation>%1 ist %2 oder mehr.</translation>
    </message>
    <message>
        <source>%1 is %2 to %3.</source>
        <translation>%1 ist %2 bis %3.</translation>
    </message>
    <message>
        <source>%1 needs a number.</source>
        <translation>%1 braucht eine Zahl.</translation>
    </message>
    <message>
        <source>Write the decimal point as a dot.</source>
        <translation>Das Dezimaltrennzeichen ist der Punkt.</translation>
    </message>
    <message>
        <source>%1 is a whole number.</source>
        <translation>%1 ist eine ganze Zahl.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::NumbersPanel</name>
    <message>
        <source>1 point</source>
        <translation>1 Punkt</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>90 % of runs</source>
        <translation>90 % der Läufe</translation>
    </message>
    <message>
        <source>Where nine of ten measured steps are to be expected, by what the calibration leaves open</source>
        <translation>Wo neun von zehn gemessenen Schritten zu erwarten sind, nach dem, was die Kalibrierung offen lässt</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>Samples/s</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Exposed: the part nothing hides</source>
        <translation>Unverdeckt: der Teil, den nichts verbirgt</translation>
    </message>
    <message>
        <source>Hidden comm.</source>
        <translation>Verdeckte Komm.</translation>
    </message>
    <message>
        <source>Behind the backward pass; not part of the step</source>
        <translation>Hinter dem Rückwärtslauf; nicht Teil des Schritts</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Set by</source>
        <translation>Bestimmt durch</translation>
    </message>
    <message>
        <source>What takes most of the step</source>
        <translation>Was den größten Teil des Schritts braucht</translation>
    </message>
    <message>
        <source>What is busiest, and so sets the step: asynchronous, by the bottleneck law</source>
        <translation>Das Ausgelastetste, das den Schritt bestimmt: asynchron, nach dem Engpassgesetz</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Repliken</translation>
    </message>
    <message>
        <source>Copies of the network that train on different samples</source>
        <translation>Kopien des Netzes, die mit verschiedenen Samples trainieren</translation>
    </message>
    <message>
        <source>Machines in all</source>
        <translation>Rechner insgesamt</translation>
    </message>
    <message>
        <source>Those that train, and the parameter servers on machines of their own</source>
        <translation>Die trainierenden und die Parameterserver auf eigenen Rechnern</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Veraltung</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Updates of others between a replica&apos;s read of the weights and its own update</source>
        <translation>Updates anderer zwischen dem Lesen der Gewichte durch eine Replik und ihrem eigenen Update</translation>
    </message>
    <message>
        <source>Updates of others between a worker&apos;s read of the weights and its own update</source>
        <translation>Updates anderer zwischen dem Lesen der Gewichte durch einen Worker und seinem eigenen Update</translation>
    </message>
    <message>
        <source>Servers full at</source>
        <translation>Server voll ab</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Number of workers from which the servers are the bottleneck</source>
        <translation>Anzahl der Worker, ab der die Server der Engpass sind</translation>
    </message>
    <message>
        <source>Longer training</source>
        <translation>Längeres Training</translation>
    </message>
    <message>
        <source>What staleness makes of the training&apos;s length, if its assumed cost is right; in no other figure</source>
        <translation>Was die Veraltung aus der Länge des Trainings macht, wenn ihre angenommenen Kosten stimmen; in keiner anderen Zahl</translation>
    </message>
    <message>
        <source>Memory, machine</source>
        <translation>Speicher, Rechner</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>GB</translation>
    </message>
    <message>
        <source>Peak of the fullest machine: weights, deltas, activations and errors, buffers</source>
        <translation>Spitze des vollsten Rechners: Gewichte, Deltas, Aktivierungen und Fehler, Puffer</translation>
    </message>
    <message>
        <source>Peak on the fullest device: weights, gradients, optimizer, activations</source>
        <translation>Spitze auf dem vollsten Gerät: Gewichte, Gradienten, Optimierer, Aktivierungen</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Samples</translation>
    </message>
    <message>
        <source>Epoch cost</source>
        <translation>Kosten der Epoche</translation>
    </message>
    <message>
        <source>Price of the machine times all machines; prices change</source>
        <translation>Preis des Rechners mal alle Rechner; Preise ändern sich</translation>
    </message>
    <message>
        <source>Price of the device times workers; prices change (%1)</source>
        <translation>Preis des Geräts mal Worker; Preise ändern sich (%1)</translation>
    </message>
    <message>
        <source>Price of the device times workers; prices change</source>
        <translation>Preis des Geräts mal Worker; Preise ändern sich</translation>
    </message>
    <message>
        <source>new</source>
        <translation>neu</translation>
    </message>
    <message>
        <source>%1 %2; %3: %4</source>
        <translation>%1 %2; %3: %4</translation>
    </message>
    <message>
        <source>As many as ImageNet has, until you set the size of your data set</source>
        <translation>So viele wie in ImageNet, bis die Größe des Datensatzes eingestellt ist</translation>
    </message>
    <message>
        <source>Their cost</source>
        <translation>Ihre Kosten</translation>
    </message>
    <message>
        <source>Comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>90 %</source>
        <translation>90 %</translation>
    </message>
    <message>
        <source>Effic.</source>
        <translation>Effiz.</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Tokens/s</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>TF/s</source>
        <translation>TF/s</translation>
    </message>
    <message>
        <source>10¹² tok.</source>
        <translation>10¹² Tok.</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Of all devices: %1 samples/s</source>
        <translation>Aller Geräte: %1 Samples/s</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>TFLOP/s</source>
        <translation>TFLOP/s</translation>
    </message>
    <message>
        <source>Model FLOPs utilization: 6 FLOPs for each parameter and token, and attention, over what the devices&apos; peaks would do in the time. With what is recomputed: %1 (HFU)</source>
        <translation>Auslastung in Modell-FLOPs: 6 FLOPs je Parameter und Token sowie Attention, geteilt durch das, was die Geräte mit ihrer Spitzenleistung in dieser Zeit rechneten. Mit dem, was neu berechnet wird: %1 (HFU)</translation>
    </message>
    <message>
        <source>Each device</source>
        <translation>Jedes Gerät</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>Jedes</translation>
    </message>
    <message>
        <source>Model FLOPs in a second, as in the MFU</source>
        <translation>Modell-FLOPs in einer Sekunde, wie in der MFU</translation>
    </message>
    <message>
        <source>10¹² tokens</source>
        <translation>10¹² Tokens</translation>
    </message>
    <message>
        <source>Time to train on a trillion tokens, without interruptions</source>
        <translation>Zeit für das Training mit einer Billion Tokens, ohne Unterbrechungen</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Tokens</translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation>Goodput</translation>
    </message>
    <message>
        <source>Share of the elapsed time that trains: an interruption every %1, at best a checkpoint every %2, which takes %3</source>
        <translation>Anteil der verstrichenen Zeit, in dem trainiert wird: alle %1 eine Unterbrechung, am besten alle %2 ein Checkpoint, der %3 dauert</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>Checkpoint alle</translation>
    </message>
    <message>
        <source>Training time between two checkpoints that loses least (Young, Daly)</source>
        <translation>Trainingszeit zwischen zwei Checkpoints, die am wenigsten verliert (Young, Daly)</translation>
    </message>
    <message>
        <source>With interruptions</source>
        <translation>Mit Unterbrechungen</translation>
    </message>
    <message>
        <source>The time above with checkpoints, restarts and work that is done again</source>
        <translation>Die Zeit darüber mit Checkpoints, Neustarts und wiederholter Arbeit</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Verstrichen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::OrderChips</name>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1, %2 von %3</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Palette</name>
    <message>
        <source>Find a kind</source>
        <translation>Eine Art finden</translation>
    </message>
    <message>
        <source>Kinds of layers</source>
        <translation>Arten von Schichten</translation>
    </message>
    <message>
        <source>%1. Click: behind what is selected. Drag: to where you want it.</source>
        <translation>%1. Klick: hinter das Ausgewählte. Ziehen: an die gewünschte Stelle.</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>Andere</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PartsList</name>
    <message>
        <source>Parts</source>
        <translation>Teile</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PercentSlider</name>
    <message>
        <source>%1 percent</source>
        <translation>%1 Prozent</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PickList</name>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PickPopup</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search in %1</source>
        <translation>In %1 suchen</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Pick all that are listed</source>
        <translation>Alle aufgeführten wählen</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Drop all that are listed</source>
        <translation>Alle aufgeführten abwählen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PinRow</name>
    <message>
        <source>Rename %1</source>
        <translation>%1 umbenennen</translation>
    </message>
    <message>
        <source>Swap %1 with the present scenario</source>
        <translation>%1 mit dem jetzigen Szenario tauschen</translation>
    </message>
    <message>
        <source>Unpin %1</source>
        <translation>%1 lösen</translation>
    </message>
    <message>
        <source>Pinned scenario %1: %2</source>
        <translation>Angeheftetes Szenario %1: %2</translation>
    </message>
    <message>
        <source>Compare with it</source>
        <translation>Damit vergleichen</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>Umbenennen…</translation>
    </message>
    <message>
        <source>Swap with the present scenario</source>
        <translation>Mit dem jetzigen Szenario tauschen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PinnedList</name>
    <message>
        <source>Add the open scenario</source>
        <translation>Offenes Szenario hinzufügen</translation>
    </message>
    <message>
        <source>Name of pin %1</source>
        <translation>Name von Pin %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Remove this pin</source>
        <translation>Diesen Pin entfernen</translation>
    </message>
    <message>
        <source>As the step begins</source>
        <translation>Wie der Schritt beginnt</translation>
    </message>
    <message>
        <source>The step has its own (else those there are stay)</source>
        <translation>Der Schritt hat eigene (sonst bleiben die vorhandenen)</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PreferencesDialog</name>
    <message>
        <source>Preferences</source>
        <translation>Voreinstellungen</translation>
    </message>
    <message>
        <source>Search preferences</source>
        <translation>Voreinstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Colours of the window and of exported pictures.</source>
        <translation>Farben des Fensters und exportierter Bilder.</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Motion</source>
        <translation>Bewegung</translation>
    </message>
    <message>
        <source>Animate panels and hints.</source>
        <translation>Felder und Hinweise animieren.</translation>
    </message>
    <message>
        <source>All motion</source>
        <translation>Alle Bewegungen</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Size of controls</source>
        <translation>Größe der Bedienelemente</translation>
    </message>
    <message>
        <source>Large controls are 44 px high, for touch screens.</source>
        <translation>Große Bedienelemente sind 44 px hoch, für Touchscreens.</translation>
    </message>
    <message>
        <source>Usual</source>
        <translation>Üblich</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>Groß</translation>
    </message>
    <message>
        <source>As the desktop (%1)</source>
        <translation>Wie der Desktop (%1)</translation>
    </message>
    <message>
        <source>Language of the window. Files, tables and the command line stay English.</source>
        <translation>Sprache des Fensters. Dateien, Tabellen und die Befehlszeile bleiben englisch.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>%1 Takes effect at the next start.</source>
        <translation>%1 Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Returns all panels to their initial positions.</source>
        <translation>Bringt alle Felder in die Anfangsposition zurück.</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Help and lessons</source>
        <translation>Hilfe und Lektionen</translation>
    </message>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>Four hints that show the window.</source>
        <translation>Vier Hinweise, die das Fenster zeigen.</translation>
    </message>
    <message>
        <source>Take the tour</source>
        <translation>Rundgang beginnen</translation>
    </message>
    <message>
        <source>Progress in lessons</source>
        <translation>Fortschritt in Lektionen</translation>
    </message>
    <message>
        <source>Your progress in each lesson and the tasks you have done.</source>
        <translation>Der Fortschritt in jeder Lektion und die gelösten Aufgaben.</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt benutzte Dateien</translation>
    </message>
    <message>
        <source>Clears the list in the File menu. The files are not deleted.</source>
        <translation>Leert die Liste im Menü Datei. Die Dateien werden nicht gelöscht.</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Own presets</source>
        <translation>Eigene Vorgaben</translation>
    </message>
    <message>
        <source>Your own devices, links, networks, scenarios and lessons, loaded at the start: %1</source>
        <translation>Eigene Geräte, Verbindungen, Netze, Szenarien und Lektionen, beim Start geladen: %1</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>No preference matches. Settings of the scenario are in &lt;a href=&quot;all&quot;&gt;Settings&lt;/a&gt; (Ctrl+,).</source>
        <translation>Keine Voreinstellung passt. Die Einstellungen des Szenarios stehen in &lt;a href=&quot;all&quot;&gt;Einstellungen&lt;/a&gt; (Strg+,).</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ProblemModel</name>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>Zeile %1, Spalte %2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ProblemsView</name>
    <message>
        <source>1 error</source>
        <translation>1 Fehler</translation>
    </message>
    <message>
        <source>%1 errors</source>
        <translation>%1 Fehler</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
    <message>
        <source>Open in editor</source>
        <translation>Im Editor öffnen</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>Neu einlesen</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>No problems</source>
        <translation>Keine Probleme</translation>
    </message>
    <message>
        <source>Problems in files and edits are listed here, with their location and a remedy.</source>
        <translation>Probleme in Dateien und Änderungen stehen hier, mit Ort und Abhilfe.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ProgressRow</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::PropertyPanel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Name of the block</source>
        <translation>Name des Blocks</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Number of repetitions of the block, each reading the output of the one before</source>
        <translation>Anzahl der Wiederholungen des Blocks; jede liest die Ausgabe der vorigen</translation>
    </message>
    <message>
        <source>Name of the network</source>
        <translation>Name des Netzes</translation>
    </message>
    <message>
        <source>Why this time</source>
        <translation>Warum diese Zeit</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>Select a layer to view and edit its properties.</source>
        <translation>Eine Schicht auswählen, um ihre Eigenschaften zu sehen und zu ändern.</translation>
    </message>
    <message>
        <source>The selected layers are of different kinds. Select layers of one kind to edit them together.</source>
        <translation>Die ausgewählten Schichten sind verschiedener Art. Nur Schichten einer Art lassen sich gemeinsam bearbeiten.</translation>
    </message>
    <message>
        <source>What it makes does not fit at %1.</source>
        <translation>Was sie ergibt, passt bei %1 nicht.</translation>
    </message>
    <message>
        <source>At %1:</source>
        <translation>Bei %1:</translation>
    </message>
    <message>
        <source>Show where</source>
        <translation>Stelle zeigen</translation>
    </message>
    <message>
        <source>Goes to the edge that does not fit</source>
        <translation>Geht zu der Kante, die nicht passt</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>Cost per step</source>
        <translation>Kosten je Schritt</translation>
    </message>
    <message>
        <source>Cost, last valid network</source>
        <translation>Kosten, letztes gültiges Netz</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>Begrenzt durch</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::QuestionCard</name>
    <message>
        <source>Right.</source>
        <translation>Richtig.</translation>
    </message>
    <message>
        <source>Not so.</source>
        <translation>Nicht richtig.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::QuestionPanel</name>
    <message>
        <source>Vary</source>
        <translation>Variieren</translation>
    </message>
    <message>
        <source>around the open scenario</source>
        <translation>um das offene Szenario</translation>
    </message>
    <message>
        <source>Only where</source>
        <translation>Nur wo</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>Bestes nach</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Progress of the search</source>
        <translation>Fortschritt der Suche</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stops the search and shows the best result so far (Escape)</source>
        <translation>Bricht die Suche ab und zeigt das bisher beste Ergebnis (Esc)</translation>
    </message>
    <message>
        <source>Ctrl+Enter</source>
        <translation>Strg+Eingabe</translation>
    </message>
    <message>
        <source>One entry above is not valid yet.</source>
        <translation>Eine Angabe oben ist noch nicht gültig.</translation>
    </message>
    <message>
        <source>%1 entries above are not valid yet.</source>
        <translation>%1 Angaben oben sind noch nicht gültig.</translation>
    </message>
    <message>
        <source>Nothing is varied: add a field.</source>
        <translation>Nichts wird variiert: ein Feld hinzufügen.</translation>
    </message>
    <message>
        <source>These are more than 10¹⁵ combinations. Vary fewer fields, or use ranges that double.</source>
        <translation>Dies sind mehr als 10¹⁵ Kombinationen: weniger Felder variieren oder Bereiche angeben, die sich verdoppeln.</translation>
    </message>
    <message>
        <source>%1 combinations: too many to evaluate all of them. The search starts from many points, and its result is not proven optimal.</source>
        <translation>%1 Kombinationen: zu viele, um alle zu bewerten. Die Suche beginnt an vielen Punkten; dass ihr Ergebnis optimal ist, ist nicht bewiesen.</translation>
    </message>
    <message>
        <source>1 combination.</source>
        <translation>1 Kombination.</translation>
    </message>
    <message>
        <source>%1 combinations. All are evaluated, or pruned because they provably cannot win.</source>
        <translation>%1 Kombinationen. Alle werden bewertet oder übergangen, weil sie beweisbar nicht gewinnen können.</translation>
    </message>
    <message>
        <source>At the rate of the last search about %1.</source>
        <translation>Im Tempo der letzten Suche etwa %1.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::QuestionSentence</name>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>Days</source>
        <translation>Tage</translation>
    </message>
    <message>
        <source>How much is to be trained</source>
        <translation>Wie viel trainiert werden soll</translation>
    </message>
    <message>
        <source>A question of your own</source>
        <translation>Eine eigene Frage</translation>
    </message>
    <message>
        <source>What is varied, and on which conditions, is below</source>
        <translation>Was variiert wird und unter welchen Bedingungen, steht darunter</translation>
    </message>
    <message>
        <source>T tokens</source>
        <translation>Bio. Token</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ReportDialog</name>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A report on the open design. Pin other designs first to compare them.</source>
        <translation>Ein Bericht über den offenen Entwurf. Zum Vergleichen vorher andere anheften.</translation>
    </message>
    <message>
        <source>Title of the report</source>
        <translation>Titel des Berichts</translation>
    </message>
    <message>
        <source>the names of the designs</source>
        <translation>die Namen der Entwürfe</translation>
    </message>
    <message>
        <source>Question that the report answers</source>
        <translation>Frage, die der Bericht beantwortet</translation>
    </message>
    <message>
        <source>What is to be decided? (optional)</source>
        <translation>Was ist zu entscheiden? (optional)</translation>
    </message>
    <message>
        <source>Figure whose difference is explained</source>
        <translation>Größe, deren Unterschied erklärt wird</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>Art der Datei</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>A4 pages, to print or send</source>
        <translation>A4-Seiten, zum Drucken oder Versenden</translation>
    </message>
    <message>
        <source>HTML</source>
        <translation>HTML</translation>
    </message>
    <message>
        <source>One self-contained page for a browser</source>
        <translation>Eine Seite für den Browser, in sich vollständig</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>Shares of</source>
        <translation>Anteile an</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>A report that compares %1 with %2.</source>
        <translation>Ein Bericht, der %1 mit %2 vergleicht.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ResourceChart</name>
    <message>
        <source>A step by updates</source>
        <translation>Ein Schritt nach Updates</translation>
    </message>
    <message>
        <source>There is nothing to show yet.</source>
        <translation>Noch gibt es nichts zu zeigen.</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ResultsPage</name>
    <message>
        <source>Found</source>
        <translation>Gefunden</translation>
    </message>
    <message>
        <source>Combinations that were found</source>
        <translation>Gefundene Kombinationen</translation>
    </message>
    <message>
        <source>Export CSV…</source>
        <translation>CSV exportieren…</translation>
    </message>
    <message>
        <source>Load as the scenario</source>
        <translation>Als Szenario laden</translation>
    </message>
    <message>
        <source>Opens the selected result as the scenario (Enter, or double-click)</source>
        <translation>Öffnet das gewählte Ergebnis als Szenario (Eingabe oder Doppelklick)</translation>
    </message>
    <message>
        <source>Ranked</source>
        <translation>Rangfolge</translation>
    </message>
    <message>
        <source>Why this one</source>
        <translation>Warum dieses</translation>
    </message>
    <message>
        <source>What was looked at</source>
        <translation>Was angesehen wurde</translation>
    </message>
    <message>
        <source>Chart of what was found</source>
        <translation>Diagramm des Gefundenen</translation>
    </message>
    <message>
        <source>Front</source>
        <translation>Front</translation>
    </message>
    <message>
        <source>Two figures against each other</source>
        <translation>Zwei Größen gegeneinander</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>The best result over two varied fields</source>
        <translation>Das beste Ergebnis über zwei variierten Feldern</translation>
    </message>
    <message>
        <source>over</source>
        <translation>über</translation>
    </message>
    <message>
        <source>Figure upwards</source>
        <translation>Größe nach oben</translation>
    </message>
    <message>
        <source>Figure to the right</source>
        <translation>Größe nach rechts</translation>
    </message>
    <message>
        <source>×</source>
        <translation>×</translation>
    </message>
    <message>
        <source>Varied to the right</source>
        <translation>Nach rechts variiert</translation>
    </message>
    <message>
        <source>Varied downwards</source>
        <translation>Nach unten variiert</translation>
    </message>
    <message>
        <source>Best over two</source>
        <translation>Bestes über zwei</translation>
    </message>
    <message>
        <source>Best by</source>
        <translation>Bestes nach</translation>
    </message>
    <message>
        <source>Other figures of the rows found</source>
        <translation>Andere Größen der gefundenen Zeilen</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Proven best</source>
        <translation>Nachweislich das Beste</translation>
    </message>
    <message>
        <source>Not proven</source>
        <translation>Nicht bewiesen</translation>
    </message>
    <message>
        <source>Best so far</source>
        <translation>Bisher Bestes</translation>
    </message>
    <message>
        <source>Proven best · %1 scored in %2</source>
        <translation>Nachweislich das Beste · %1 bewertet in %2</translation>
    </message>
    <message>
        <source>Best found, not proven · %1 scored in %2</source>
        <translation>Bestes der gefundenen, nicht bewiesen · %1 bewertet in %2</translation>
    </message>
    <message>
        <source>Stopped early: best so far · %1 scored in %2</source>
        <translation>Abgebrochen: bisher Bestes · %1 bewertet in %2</translation>
    </message>
    <message>
        <source>The search could not begin</source>
        <translation>Die Suche konnte nicht beginnen</translation>
    </message>
    <message>
        <source>Press Search to find the best.</source>
        <translation>Suchen findet das Beste.</translation>
    </message>
    <message>
        <source>No combination meets the conditions. The reasons are listed below.</source>
        <translation>Keine Kombination erfüllt die Bedingungen. Die Gründe stehen unten.</translation>
    </message>
    <message>
        <source>No result has both of these figures.</source>
        <translation>Kein Ergebnis hat diese beiden Größen.</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 über %2</translation>
    </message>
    <message>
        <source>Best %1 over %2 and %3</source>
        <translation>%1: das Beste über %2 und %3</translation>
    </message>
    <message>
        <source>The question has changed.</source>
        <translation>Die Frage hat sich geändert.</translation>
    </message>
    <message>
        <source>The scenario has changed.</source>
        <translation>Das Szenario hat sich geändert.</translation>
    </message>
    <message>
        <source>This is the answer to the previous question.</source>
        <translation>Dies ist die Antwort auf die vorige Frage.</translation>
    </message>
    <message>
        <source>This was found for the one before.</source>
        <translation>Dies wurde für das vorige gefunden.</translation>
    </message>
    <message>
        <source>Search again</source>
        <translation>Neu suchen</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>scenario %1</source>
        <translation>Szenario %1</translation>
    </message>
    <message>
        <source>The rows are in %1.</source>
        <translation>Die Zeilen sind in %1.</translation>
    </message>
    <message>
        <source>Export the rows</source>
        <translation>Zeilen exportieren</translation>
    </message>
    <message>
        <source>best.csv</source>
        <translation>beste.csv</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>Select it</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>Selects the next best design below</source>
        <translation>Wählt darunter den zweitbesten Entwurf aus</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::RunsDocument</name>
    <message>
        <source>Open a fit</source>
        <translation>Fit öffnen</translation>
    </message>
    <message>
        <source>Change %1 of row %2</source>
        <translation>%1 in Zeile %2 ändern</translation>
    </message>
    <message>
        <source>Remove a run</source>
        <translation>Einen Lauf entfernen</translation>
    </message>
    <message>
        <source>Remove %1 runs</source>
        <translation>%1 Läufe entfernen</translation>
    </message>
    <message>
        <source>Change the columns</source>
        <translation>Spalten ändern</translation>
    </message>
    <message>
        <source>Hold out runs</source>
        <translation>Läufe zurückhalten</translation>
    </message>
    <message>
        <source>Change the form</source>
        <translation>Form ändern</translation>
    </message>
    <message>
        <source>Fitting</source>
        <translation>Fit läuft</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::RunsPage</name>
    <message>
        <source>No runs are open</source>
        <translation>Keine Messläufe offen</translation>
    </message>
    <message>
        <source>Drop a table of measured runs (CSV) on the window: a header, then a run per row, with its workers, its batch and its time or throughput.</source>
        <translation>Tabelle gemessener Läufe (CSV) auf das Fenster ziehen: eine Kopfzeile, dann je Zeile ein Lauf mit seinen Workern, seinem Batch und seiner Zeit oder seinem Durchsatz.</translation>
    </message>
    <message>
        <source>Open a table…</source>
        <translation>Tabelle öffnen…</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Fit</translation>
    </message>
    <message>
        <source>Progress of the fit</source>
        <translation>Fortschritt des Fits</translation>
    </message>
    <message>
        <source>Chart of the fit</source>
        <translation>Diagramm des Fits</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Predicted against measured time</source>
        <translation>Vorhergesagte gegen gemessene Zeit</translation>
    </message>
    <message>
        <source>Over workers</source>
        <translation>Über Worker</translation>
    </message>
    <message>
        <source>The fit over counts of workers</source>
        <translation>Der Fit über der Zahl der Worker</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suche</translation>
    </message>
    <message>
        <source>The best cost while constants are sought</source>
        <translation>Die besten Kosten, während Konstanten gesucht werden</translation>
    </message>
    <message>
        <source>What is shown over workers</source>
        <translation>Was über Workern gezeigt wird</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Beside the model&apos;s speedup</source>
        <translation>Neben dem Speedup des Modells</translation>
    </message>
    <message>
        <source>Draws the fit into the speedup chart of the main window</source>
        <translation>Zeichnet den Fit in das Speedup-Diagramm des Hauptfensters</translation>
    </message>
    <message>
        <source>Predicted against measured</source>
        <translation>Vorhergesagt gegen gemessen</translation>
    </message>
    <message>
        <source>Best cost</source>
        <translation>Beste Kosten</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Messläufe</translation>
    </message>
    <message>
        <source>Save table…</source>
        <translation>Tabelle…</translation>
    </message>
    <message>
        <source>Save fit…</source>
        <translation>Fit…</translation>
    </message>
    <message>
        <source>Constants</source>
        <translation>Konstanten</translation>
    </message>
    <message>
        <source>Constants of the fit</source>
        <translation>Konstanten des Fits</translation>
    </message>
    <message>
        <source>Factors</source>
        <translation>Faktoren</translation>
    </message>
    <message>
        <source>Factors of the fit</source>
        <translation>Faktoren des Fits</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Errors of the fit and of simpler ways</source>
        <translation>Fehler des Fits und einfacherer Wege</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, geändert</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Fitting…</source>
        <translation>Fit läuft…</translation>
    </message>
    <message>
        <source>Press Fit to fit a model to the runs.</source>
        <translation>„Fit“ passt ein Modell an die Läufe an.</translation>
    </message>
    <message>
        <source>table %1, %2</source>
        <translation>Tabelle %1, %2</translation>
    </message>
    <message>
        <source>A saved fit, shown without its table.</source>
        <translation>Ein gespeicherter Fit, ohne seine Tabelle gezeigt.</translation>
    </message>
    <message>
        <source>This fit was made from other runs than the open table.</source>
        <translation>Dieser Fit gehört zu anderen Läufen als die offene Tabelle.</translation>
    </message>
    <message>
        <source>The table or the model changed since this fit: fit again.</source>
        <translation>Tabelle oder Modell haben sich seit diesem Fit geändert: neu anpassen.</translation>
    </message>
    <message>
        <source>Mean error %1 on %2 fitted runs</source>
        <translation>Mittlerer Fehler %1 bei %2 angepassten Läufen</translation>
    </message>
    <message>
        <source>, %1 on %2 held out</source>
        <translation>, %1 bei %2 zurückgehaltenen</translation>
    </message>
    <message>
        <source>Runs measured again differ by %1.</source>
        <translation>Wiederholt gemessene Läufe unterscheiden sich um %1.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::RunsTable</name>
    <message>
        <source>Runs</source>
        <translation>Messläufe</translation>
    </message>
    <message>
        <source>Edit the cell</source>
        <translation>Zelle bearbeiten</translation>
    </message>
    <message>
        <source>Remove the selected runs</source>
        <translation>Ausgewählte Läufe entfernen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::RunsTableModel</name>
    <message>
        <source>not read</source>
        <translation>nicht gelesen</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>zurückgehalten</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>angepasst</translation>
    </message>
    <message>
        <source>90 % between %1 and %2</source>
        <translation>90 % zwischen %1 und %2</translation>
    </message>
    <message>
        <source>Extrapolated in %1</source>
        <translation>Extrapoliert in %1</translation>
    </message>
    <message>
        <source>Of one unit of work, as it was read</source>
        <translation>Von einer Arbeitseinheit, wie gelesen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwendung</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>Vorhergesagt</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SearchDocument</name>
    <message>
        <source>Searching</source>
        <translation>Suche läuft</translation>
    </message>
    <message>
        <source>%1 scored, %2 a second</source>
        <translation>%1 bewertet, %2 je Sekunde</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich läuft</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SearchSession</name>
    <message>
        <source>the recovered search</source>
        <translation>die wiederhergestellte Suche</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SearchWindow</name>
    <message>
        <source>Find the best – Scalescope</source>
        <translation>Bestes finden – Scalescope</translation>
    </message>
    <message>
        <source>&amp;Search</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>&amp;Cancel, show the best so far</source>
        <translation>&amp;Abbrechen, bisher Bestes zeigen</translation>
    </message>
    <message>
        <source>&amp;Open the selected result as the scenario</source>
        <translation>Gewähltes Ergebnis als Szenario ö&amp;ffnen</translation>
    </message>
    <message>
        <source>C&amp;lose</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Front</source>
        <translation>&amp;Front</translation>
    </message>
    <message>
        <source>&amp;Heat map</source>
        <translation>&amp;Heatmap</translation>
    </message>
    <message>
        <source>The last search could not be read. The file was kept as %1.</source>
        <translation>Die letzte Suche war nicht lesbar. Die Datei liegt noch unter %1.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Section</name>
    <message>
        <source>unfolded</source>
        <translation>aufgeklappt</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>zugeklappt</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SensitivityPage</name>
    <message>
        <source>Walls and objective</source>
        <translation>Grenzen und Ziel</translation>
    </message>
    <message>
        <source>What the chart judges by</source>
        <translation>Wonach das Diagramm urteilt</translation>
    </message>
    <message>
        <source>Efficiency below which adding workers does not pay</source>
        <translation>Effizienz, unter der sich weitere Worker nicht lohnen</translation>
    </message>
    <message>
        <source>The line for the efficiency</source>
        <translation>Die Effizienzlinie</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Efficiency line</source>
        <translation>Effizienzlinie</translation>
    </message>
    <message>
        <source>Walls: counts at which something changes</source>
        <translation>Grenzen: Anzahlen, an denen sich etwas ändert</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>Twice as many: go there</source>
        <translation>Doppelt so viele: dorthin gehen</translation>
    </message>
    <message>
        <source>Go to this count</source>
        <translation>Zu dieser Anzahl gehen</translation>
    </message>
    <message>
        <source>Left out:</source>
        <translation>Ausgelassen:</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Session</name>
    <message>
        <source>Unsaved work</source>
        <translation>ungesicherte Arbeit</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SettingsPanel</name>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Corrections of PALEO</source>
        <translation>Korrekturen von PALEO</translation>
    </message>
    <message>
        <source>all corrections</source>
        <translation>alle Korrekturen</translation>
    </message>
    <message>
        <source>none: as published</source>
        <translation>keine: wie veröffentlicht</translation>
    </message>
    <message>
        <source>%1 of %2 corrections</source>
        <translation>%1 von %2 Korrekturen</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>Korrigiert</translation>
    </message>
    <message>
        <source>Efficiency: the fractions of peak that are reached</source>
        <translation>Effizienz: welche Anteile der Spitzenleistung erreicht werden</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>eigene Werte</translation>
    </message>
    <message>
        <source>Calibrate on runs…</source>
        <translation>An Messläufen kalibrieren…</translation>
    </message>
    <message>
        <source>Open a calibration…</source>
        <translation>Kalibrierung öffnen…</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>Innen</translation>
    </message>
    <message>
        <source>Software that trains, and what it holds in memory</source>
        <translation>Software, die trainiert, und was sie im Speicher hält</translation>
    </message>
    <message>
        <source>Trainer</source>
        <translation>Trainer</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Veraltung</translation>
    </message>
    <message>
        <source>cost of each missed update: assumed, not measured</source>
        <translation>Kosten jedes verpassten Updates: angenommen, nicht gemessen</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>First wide blocks</source>
        <translation>Erste breite Blöcke</translation>
    </message>
    <message>
        <source>Last wide blocks</source>
        <translation>Letzte breite Blöcke</translation>
    </message>
    <message>
        <source>Accumulate</source>
        <translation>Akkumulieren</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Saving memory</source>
        <translation>Speicher sparen</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>Module</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>Blöcke</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>How long gathered weights are kept</source>
        <translation>Wie lange eingesammelte Gewichte behalten werden</translation>
    </message>
    <message>
        <source>Gathered weights</source>
        <translation>Eingesammelte Gewichte</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>States on host</source>
        <translation>Zustände auf Host</translation>
    </message>
    <message>
        <source>Activations on host</source>
        <translation>Aktivierungen auf Host</translation>
    </message>
    <message>
        <source>Modules on host</source>
        <translation>Module auf Host</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Convolutions</source>
        <translation>Faltungen</translation>
    </message>
    <message>
        <source>Kernel launch</source>
        <translation>Kernelstart</translation>
    </message>
    <message>
        <source>NICs per node</source>
        <translation>NICs je Knoten</translation>
    </message>
    <message>
        <source>Failures</source>
        <translation>Ausfälle</translation>
    </message>
    <message>
        <source>Device fails every</source>
        <translation>Ausfall je Gerät</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neustart</translation>
    </message>
    <message>
        <source>Checkpoint</source>
        <translation>Checkpoint</translation>
    </message>
    <message>
        <source>CPU cluster</source>
        <translation>CPU-Cluster</translation>
    </message>
    <message>
        <source>one per core</source>
        <translation>einer je Kern</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Deltas</source>
        <translation>Deltas</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>Austausch</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Formulas</source>
        <translation>Formeln</translation>
    </message>
    <message>
        <source>Parallelism</source>
        <translation>Parallelität</translation>
    </message>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>No setting matches “%1”.</source>
        <translation>Keine Einstellung heißt „%1“.</translation>
    </message>
    <message>
        <source>Shares of peak</source>
        <translation>Anteile der Spitze</translation>
    </message>
    <message>
        <source>Calibrated on runs</source>
        <translation>An Messläufen kalibriert</translation>
    </message>
    <message>
        <source>1 point</source>
        <translation>1 Punkt</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>one per core (%1)</source>
        <translation>einer je Kern (%1)</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ShortcutsDialog</name>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Search shortcuts: a name or a key</source>
        <translation>Tastenkürzel suchen: ein Name oder eine Taste</translation>
    </message>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>Menüs</translation>
    </message>
    <message>
        <source>Open a menu</source>
        <translation>Ein Menü öffnen</translation>
    </message>
    <message>
        <source>Alt and its letter</source>
        <translation>Alt und sein Buchstabe</translation>
    </message>
    <message>
        <source>Help for the control under the pointer or with the focus</source>
        <translation>Hilfe zum Bedienelement unter dem Zeiger oder mit dem Fokus</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>↑ ↓, Page Up, Page Down, Home, End</source>
        <translation>↑ ↓, Bild auf, Bild ab, Pos1, Ende</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Escape</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>One worker more or less</source>
        <translation>Ein Worker mehr oder weniger</translation>
    </message>
    <message>
        <source>→ ←</source>
        <translation>→ ←</translation>
    </message>
    <message>
        <source>Next power of two</source>
        <translation>Nächste Zweierpotenz</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Bild auf, Bild ab</translation>
    </message>
    <message>
        <source>1 and 1,024</source>
        <translation>1 und 1.024</translation>
    </message>
    <message>
        <source>Home, End</source>
        <translation>Pos1, Ende</translation>
    </message>
    <message>
        <source>Give up a drag</source>
        <translation>Ein Ziehen abbrechen</translation>
    </message>
    <message>
        <source>Charts</source>
        <translation>Diagramme</translation>
    </message>
    <message>
        <source>Read the next value</source>
        <translation>Nächsten Wert lesen</translation>
    </message>
    <message>
        <source>→ ← or ↓ ↑</source>
        <translation>→ ← oder ↓ ↑</translation>
    </message>
    <message>
        <source>Device map: next device by rank</source>
        <translation>Gerätekarte: nächstes Gerät nach Rang</translation>
    </message>
    <message>
        <source>Shift+→, Shift+←</source>
        <translation>Umschalt+→, Umschalt+←</translation>
    </message>
    <message>
        <source>Zoom</source>
        <translation>Zoomen</translation>
    </message>
    <message>
        <source>+ − or wheel</source>
        <translation>+ − oder Mausrad</translation>
    </message>
    <message>
        <source>Move by a page</source>
        <translation>Um eine Seite weiter</translation>
    </message>
    <message>
        <source>Everything again</source>
        <translation>Wieder alles</translation>
    </message>
    <message>
        <source>0 or double click</source>
        <translation>0 oder Doppelklick</translation>
    </message>
    <message>
        <source>Copy the numbers</source>
        <translation>Zahlen kopieren</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Menu: table, export, order</source>
        <translation>Menü: Tabelle, Export, Reihenfolge</translation>
    </message>
    <message>
        <source>Menu key, Shift+F10 or right click</source>
        <translation>Menütaste, Umschalt+F10 oder Rechtsklick</translation>
    </message>
    <message>
        <source>Hide a series</source>
        <translation>Eine Reihe ausblenden</translation>
    </message>
    <message>
        <source>click in the legend</source>
        <translation>Klick in die Legende</translation>
    </message>
    <message>
        <source>Show one series alone</source>
        <translation>Nur eine Reihe zeigen</translation>
    </message>
    <message>
        <source>double click in the legend</source>
        <translation>Doppelklick in die Legende</translation>
    </message>
    <message>
        <source>Canvas</source>
        <translation>Zeichnung</translation>
    </message>
    <message>
        <source>Go to the next box, take it along</source>
        <translation>Zum nächsten Kasten, ihn mitnehmen</translation>
    </message>
    <message>
        <source>arrows, Shift and arrows</source>
        <translation>Pfeile, Umschalt und Pfeile</translation>
    </message>
    <message>
        <source>First and last box</source>
        <translation>Erster und letzter Kasten</translation>
    </message>
    <message>
        <source>Fold or unfold a block</source>
        <translation>Block ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Enter or double click, + −</source>
        <translation>Eingabe oder Doppelklick, + −</translation>
    </message>
    <message>
        <source>wheel or Ctrl++ Ctrl+−, Ctrl+0</source>
        <translation>Mausrad oder Strg++ Strg+−, Strg+0</translation>
    </message>
    <message>
        <source>All in sight</source>
        <translation>Alles im Blick</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Strg+A</translation>
    </message>
    <message>
        <source>Move the paper</source>
        <translation>Das Blatt verschieben</translation>
    </message>
    <message>
        <source>Space or middle button and drag, two fingers</source>
        <translation>Ziehen mit Leertaste oder mittlerer Taste, zwei Finger</translation>
    </message>
    <message>
        <source>Find a layer</source>
        <translation>Schicht finden</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Strg+F</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>drag from the ring below a box to another box</source>
        <translation>vom Ring unter einem Kasten zu einem anderen ziehen</translation>
    </message>
    <message>
        <source>Insert</source>
        <translation>Einfügen</translation>
    </message>
    <message>
        <source>click a kind, or drag it onto a wire or a box</source>
        <translation>Art anklicken oder auf eine Leitung oder einen Kasten ziehen</translation>
    </message>
    <message>
        <source>Lists and tables</source>
        <translation>Listen und Tabellen</translation>
    </message>
    <message>
        <source>Open a choice and search it</source>
        <translation>Eine Auswahl öffnen und durchsuchen</translation>
    </message>
    <message>
        <source>Space, then type</source>
        <translation>Leertaste, dann tippen</translation>
    </message>
    <message>
        <source>Choose without opening</source>
        <translation>Wählen, ohne zu öffnen</translation>
    </message>
    <message>
        <source>↑ ↓, Home, End</source>
        <translation>↑ ↓, Pos1, Ende</translation>
    </message>
    <message>
        <source>Freeze a layer, cut before it</source>
        <translation>Schicht einfrieren, davor schneiden</translation>
    </message>
    <message>
        <source>right click in the layers</source>
        <translation>Rechtsklick in den Schichten</translation>
    </message>
    <message>
        <source>Select nothing</source>
        <translation>Nichts auswählen</translation>
    </message>
    <message>
        <source>Copy a table</source>
        <translation>Eine Tabelle kopieren</translation>
    </message>
    <message>
        <source>Edit a cell or a setting</source>
        <translation>Eine Zelle oder Einstellung bearbeiten</translation>
    </message>
    <message>
        <source>F2 or double click</source>
        <translation>F2 oder Doppelklick</translation>
    </message>
    <message>
        <source>Remove measured runs</source>
        <translation>Messläufe entfernen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Where a key figure comes from</source>
        <translation>Woher eine Kennzahl kommt</translation>
    </message>
    <message>
        <source>Pinned designs</source>
        <translation>Angeheftete Entwürfe</translation>
    </message>
    <message>
        <source>Compare with it</source>
        <translation>Damit vergleichen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>F2</source>
        <translation>F2</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
    <message>
        <source>Move up or down</source>
        <translation>Nach oben oder unten</translation>
    </message>
    <message>
        <source>Alt+↑ Alt+↓</source>
        <translation>Alt+↑ Alt+↓</translation>
    </message>
    <message>
        <source>Number fields</source>
        <translation>Zahlenfelder</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>↑ ↓ or wheel</source>
        <translation>↑ ↓ oder Mausrad</translation>
    </message>
    <message>
        <source>Take what is typed</source>
        <translation>Getipptes übernehmen</translation>
    </message>
    <message>
        <source>Give up what is typed</source>
        <translation>Getipptes verwerfen</translation>
    </message>
    <message>
        <source>Help and shortcuts</source>
        <translation>Hilfe und Tastenkürzel</translation>
    </message>
    <message>
        <source>Back, forward</source>
        <translation>Zurück, vorwärts</translation>
    </message>
    <message>
        <source>Alt+← Alt+→</source>
        <translation>Alt+← Alt+→</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Give up a file that is being read</source>
        <translation>Eine Datei nicht weiter lesen</translation>
    </message>
    <message>
        <source>Nothing matches “%1”.</source>
        <translation>Nichts passt zu „%1“.</translation>
    </message>
    <message>
        <source>Device map: open a folded cell, back</source>
        <translation>Gerätekarte: gefaltete Zelle öffnen, zurück</translation>
    </message>
    <message>
        <source>Enter or double click, Escape</source>
        <translation>Eingabe oder Doppelklick, Esc</translation>
    </message>
    <message>
        <source>Device map: move an axis</source>
        <translation>Gerätekarte: eine Achse verschieben</translation>
    </message>
    <message>
        <source>Alt+← Alt+→ on it</source>
        <translation>Alt+← Alt+→ darauf</translation>
    </message>
    <message>
        <source>Timeline: zoom, move</source>
        <translation>Zeitleiste: zoomen, verschieben</translation>
    </message>
    <message>
        <source>W S, A D</source>
        <translation>W S, A D</translation>
    </message>
    <message>
        <source>Timeline: fit what is marked</source>
        <translation>Zeitleiste: Markiertes einpassen</translation>
    </message>
    <message>
        <source>Timeline: follow a micro-batch through the stages</source>
        <translation>Zeitleiste: einem Mikro-Batch durch die Stufen folgen</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Timeline: find boxes by their words</source>
        <translation>Zeitleiste: Kästen nach ihren Wörtern finden</translation>
    </message>
    <message>
        <source>/</source>
        <translation>/</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ShownRow</name>
    <message>
        <source>%1 · %2 on each stage</source>
        <translation>%1 · %2 auf jeder Stufe</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SideTabs</name>
    <message>
        <source>Folded panels</source>
        <translation>Eingeklappte Felder</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SideWindows</name>
    <message>
        <source>The open scenario is already this result.</source>
        <translation>Das offene Szenario ist bereits dieses Ergebnis.</translation>
    </message>
    <message>
        <source>The search result is open: %1. Undo restores the previous scenario.</source>
        <translation>Das Suchergebnis ist offen: %1. Rückgängig stellt das vorige Szenario wieder her.</translation>
    </message>
    <message>
        <source>%1 corrects operator times in traces. It has no constants for the model.</source>
        <translation>%1 korrigiert die Zeiten von Operatoren in Traces; Konstanten des Modells enthält sie nicht.</translation>
    </message>
    <message>
        <source>Replace a calibration</source>
        <translation>Kalibrierung ersetzen</translation>
    </message>
    <message>
        <source>You already have a calibration called %1. Replace it?</source>
        <translation>Eine eigene Kalibrierung namens %1 ist schon vorhanden. Ersetzen?</translation>
    </message>
    <message>
        <source>Saved as %1 and used in the design.</source>
        <translation>Als %1 gespeichert und im Entwurf verwendet.</translation>
    </message>
    <message>
        <source>the fit of measured runs and its settings</source>
        <translation>der Fit gemessener Läufe und seine Einstellungen</translation>
    </message>
    <message>
        <source>the calibration you made</source>
        <translation>die erstellte Kalibrierung</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SourceView</name>
    <message>
        <source>Text of the file</source>
        <translation>Text der Datei</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::SpeedupChart</name>
    <message>
        <source>Wall</source>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>Fit, 90 % from</source>
        <translation>Fit, 90 % ab</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Gemessen</translation>
    </message>
    <message>
        <source>Speedup</source>
        <translation>Speedup</translation>
    </message>
    <message>
        <source>Ideal</source>
        <translation>Ideal</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>Fit</translation>
    </message>
    <message>
        <source>No count can be run.</source>
        <translation>Keine Anzahl ist ausführbar.</translation>
    </message>
    <message>
        <source>Mark the walls</source>
        <translation>Grenzen markieren</translation>
    </message>
    <message>
        <source>Fit, extrapolated</source>
        <translation>Fit, extrapoliert</translation>
    </message>
    <message>
        <source>speedup and efficiency</source>
        <translation>Speedup und Effizienz</translation>
    </message>
    <message>
        <source>no value</source>
        <translation>kein Wert</translation>
    </message>
    <message>
        <source>not possible (%1)</source>
        <translation>nicht möglich (%1)</translation>
    </message>
    <message>
        <source>Speedup on %1: %2. Ideal would be %3.</source>
        <translation>Speedup mit %1: %2. Ideal wäre %3.</translation>
    </message>
    <message>
        <source>Not possible because</source>
        <translation>Nicht möglich, weil</translation>
    </message>
    <message>
        <source>comm &gt; compute</source>
        <translation>Komm. &gt; Rechnen</translation>
    </message>
    <message>
        <source>eff. %1</source>
        <translation>Eff. %1</translation>
    </message>
    <message>
        <source>%1: does not fit into memory</source>
        <translation>%1: passt nicht in den Speicher</translation>
    </message>
    <message>
        <source> (does not fit into memory)</source>
        <translation> (passt nicht in den Speicher)</translation>
    </message>
    <message>
        <source>Does not fit into memory</source>
        <translation>Passt nicht in den Speicher</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>rate, and efficiency over the smallest count that fits</source>
        <translation>Durchsatz, und Effizienz gegenüber der kleinsten Anzahl, die passt</translation>
    </message>
    <message>
        <source>Throughput on %1: %2. Ideal would be %3.</source>
        <translation>Durchsatz auf %1: %2. Ideal wären %3.</translation>
    </message>
    <message>
        <source>does not fit into memory</source>
        <translation>passt nicht in den Speicher</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StackBar</name>
    <message>
        <source>Parts of the time</source>
        <translation>Teile der Zeit</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StackChart</name>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>exchange, forward</source>
        <translation>Austausch, vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>exchange, backward</source>
        <translation>Austausch, rückwärts</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>exchange, update</source>
        <translation>Austausch, Update</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Where the step goes</source>
        <translation>Wohin die Zeit des Schritts geht</translation>
    </message>
    <message>
        <source>%1 takes %2: %3.</source>
        <translation>%1 braucht %2: %3.</translation>
    </message>
    <message>
        <source>Design</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>There is nothing to show yet.</source>
        <translation>Noch gibt es nichts zu zeigen.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StageEditor</name>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>A stage runs on one worker. Times are of its layers in one step, without messages.</source>
        <translation>Eine Stufe läuft auf einem Worker. Zeiten gelten für ihre Schichten in einem Schritt, ohne Nachrichten.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Stage %1 from</source>
        <translation>Stufe %1 ab</translation>
    </message>
    <message>
        <source>First layer of stage %1</source>
        <translation>Erste Schicht der Stufe %1</translation>
    </message>
    <message>
        <source>The slowest stage</source>
        <translation>Die langsamste Stufe</translation>
    </message>
    <message>
        <source>Remove the borders that were set by hand</source>
        <translation>Von Hand gesetzte Grenzen entfernen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StalenessPage</name>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>Veraltung</translation>
    </message>
    <message>
        <source>Cost of staleness, assumed and not measured</source>
        <translation>Kosten der Veraltung, angenommen und nicht gemessen</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>for each missed update: assumed, not measured</source>
        <translation>für jedes verpasste Update: angenommen, nicht gemessen</translation>
    </message>
    <message>
        <source>Staleness at the workers in use</source>
        <translation>Veraltung bei der jetzigen Zahl von Workern</translation>
    </message>
    <message>
        <source>Speed and progress</source>
        <translation>Tempo und Fortschritt</translation>
    </message>
    <message>
        <source>Statistical efficiency</source>
        <translation>Statistische Effizienz</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>Wird berechnet…</translation>
    </message>
    <message>
        <source>All workers update synchronously, so no weights are stale.</source>
        <translation>Alle Worker aktualisieren synchron, daher veralten keine Gewichte.</translation>
    </message>
    <message>
        <source>Over one worker</source>
        <translation>Gegen einen Worker</translation>
    </message>
    <message>
        <source>speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>%1 workers, %2 updates stale</source>
        <translation>%1 Worker, %2 Updates veraltet</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Samples a second over one worker&apos;s</source>
        <translation>Samples je Sekunde gegenüber einem Worker</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Updates of others between a worker&apos;s read of the weights and its own update</source>
        <translation>Updates anderer zwischen dem Lesen der Gewichte durch einen Worker und seinem eigenen Update</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>Effizienz</translation>
    </message>
    <message>
        <source>1/(1 + cost · staleness): what a sample is still worth</source>
        <translation>1/(1 + Kosten · Veraltung): was ein Sample noch wert ist</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Speed times efficiency</source>
        <translation>Tempo mal Effizienz</translation>
    </message>
    <message>
        <source>Most progress at</source>
        <translation>Größter Fortschritt bei</translation>
    </message>
    <message>
        <source>workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>The fewest workers with the most progress of those looked at</source>
        <translation>Die wenigsten Worker mit dem größten Fortschritt unter den betrachteten</translation>
    </message>
    <message>
        <source>Servers full at</source>
        <translation>Server voll ab</translation>
    </message>
    <message>
        <source>Number of workers from which the servers are the bottleneck</source>
        <translation>Anzahl der Worker, ab der die Server der Engpass sind</translation>
    </message>
    <message>
        <source>Progress is speed times efficiency, and only as right as the assumed cost.</source>
        <translation>Fortschritt ist Tempo mal Effizienz und nur so richtig wie die angenommenen Kosten.</translation>
    </message>
    <message>
        <source>All workers update in step: nothing is stale</source>
        <translation>Alle Worker aktualisieren im Gleichschritt: nichts ist veraltet</translation>
    </message>
    <message>
        <source>With asynchronous updates no worker waits for another: each pushes its gradients to parameter servers, and trains on weights that others have changed meanwhile.</source>
        <translation>Mit asynchronen Updates wartet kein Worker auf einen anderen: Jeder sendet seine Gradienten an Parameterserver und trainiert mit Gewichten, die andere inzwischen geändert haben.</translation>
    </message>
    <message>
        <source>Update asynchronously</source>
        <translation>Asynchron aktualisieren</translation>
    </message>
    <message>
        <source>The staleness of a CPU cluster is among its own figures</source>
        <translation>Die Veraltung eines CPU-Clusters steht bei seinen eigenen Zahlen</translation>
    </message>
    <message>
        <source>Show the CPU cluster</source>
        <translation>CPU-Cluster zeigen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StatusLine</name>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StepDots</name>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>%1, done</source>
        <translation>%1, fertig</translation>
    </message>
    <message>
        <source>%1, current</source>
        <translation>%1, aktuell</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StepForm</name>
    <message>
        <source>Title of the step</source>
        <translation>Titel des Schritts</translation>
    </message>
    <message>
        <source>Text, a block on each line</source>
        <translation>Text, ein Block je Zeile</translation>
    </message>
    <message>
        <source># heading   - item   *emphasis*   **strong**   $n * t_1 / t_n$   $$a formula of its own$$</source>
        <translation># Überschrift   - Punkt   *betont*   **fett**   $n * t_1 / t_n$   $$eine Formel für sich$$</translation>
    </message>
    <message>
        <source>Scenario</source>
        <translation>Szenario</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Charts that are lit</source>
        <translation>Hervorgehobene Diagramme</translation>
    </message>
    <message>
        <source>no chart</source>
        <translation>kein Diagramm</translation>
    </message>
    <message>
        <source>Controls that are pointed at</source>
        <translation>Bedienelemente, auf die gezeigt wird</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Controls that are shown</source>
        <translation>Gezeigte Bedienelemente</translation>
    </message>
    <message>
        <source>all that there are</source>
        <translation>alle vorhandenen</translation>
    </message>
    <message>
        <source>Controls to show; all others are hidden</source>
        <translation>Angezeigte Bedienelemente; alle anderen sind verborgen</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>What is to be done; empty: nothing</source>
        <translation>Was zu tun ist; leer: nichts</translation>
    </message>
    <message>
        <source>It is done when</source>
        <translation>Gelöst, wenn</translation>
    </message>
    <message>
        <source>Hints, one on each line</source>
        <translation>Hinweise, einer je Zeile</translation>
    </message>
    <message>
        <source>The open scenario solves it</source>
        <translation>Das offene Szenario löst sie</translation>
    </message>
    <message>
        <source>A solution</source>
        <translation>Eine Lösung</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>What is asked; empty: nothing</source>
        <translation>Was gefragt wird; leer: nichts</translation>
    </message>
    <message>
        <source>Answers: right ones ticked, each with why</source>
        <translation>Antworten: richtige angehakt, jede mit Begründung</translation>
    </message>
    <message>
        <source>Add an answer</source>
        <translation>Antwort hinzufügen</translation>
    </message>
    <message>
        <source>Title of a step</source>
        <translation>Titel eines Schritts</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>No scenario of its own</source>
        <translation>Kein eigenes Szenario</translation>
    </message>
    <message>
        <source>Pointed at</source>
        <translation>Worauf gezeigt wird</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Was gezeigt wird</translation>
    </message>
    <message>
        <source>No task</source>
        <translation>Keine Aufgabe</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Hints</source>
        <translation>Hinweise</translation>
    </message>
    <message>
        <source>No question</source>
        <translation>Keine Frage</translation>
    </message>
    <message>
        <source>%1, as shipped</source>
        <translation>%1, wie mitgeliefert</translation>
    </message>
    <message>
        <source>Its own, kept in the file</source>
        <translation>Ein eigenes, in der Datei enthalten</translation>
    </message>
    <message>
        <source>That of the step before, changed</source>
        <translation>Das des vorigen Schritts, geändert</translation>
    </message>
    <message>
        <source>What the reader has made of the step before</source>
        <translation>Was beim Lesen aus dem vorigen Schritt geworden ist</translation>
    </message>
    <message>
        <source>None yet. Set up the solution of the task, then capture it</source>
        <translation>Noch keine. Die Lösung der Aufgabe einstellen, dann übernehmen</translation>
    </message>
    <message>
        <source>Answer %1 is right</source>
        <translation>Antwort %1 ist richtig</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Why it is so, or not</source>
        <translation>Warum es so ist oder nicht</translation>
    </message>
    <message>
        <source>Remove this answer</source>
        <translation>Diese Antwort entfernen</translation>
    </message>
    <message>
        <source>Right answer</source>
        <translation>Richtige Antwort</translation>
    </message>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Remove an answer</source>
        <translation>Antwort entfernen</translation>
    </message>
    <message>
        <source>Pinned designs</source>
        <translation>Angeheftete Entwürfe</translation>
    </message>
    <message>
        <source>Figures and statements</source>
        <translation>Größen und Aussagen</translation>
    </message>
    <message>
        <source>What the texts show as {name}, and what must hold; each is worked out</source>
        <translation>Was Texte als {name} zeigen und was gelten muss; alles wird nachgerechnet</translation>
    </message>
    <message>
        <source>Use current scenario</source>
        <translation>Aktuelles verwenden</translation>
    </message>
    <message>
        <source>No scenario</source>
        <translation>Kein Szenario</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::StepTimeChart</name>
    <message>
        <source>Step time</source>
        <translation>Schrittzeit</translation>
    </message>
    <message>
        <source>There is no step to divide yet.</source>
        <translation>Noch gibt es keinen Schritt zu zerlegen.</translation>
    </message>
    <message>
        <source>%1 communication</source>
        <translation>%1 Kommunikation</translation>
    </message>
    <message>
        <source>%1 cannot be run: %2</source>
        <translation>%1 nicht ausführbar: %2</translation>
    </message>
    <message>
        <source>One step takes %1 on %2</source>
        <translation>Ein Schritt dauert %1 auf %2</translation>
    </message>
    <message>
        <source>, of which %1 is exposed communication (%2)</source>
        <translation>, davon %1 unverdeckte Kommunikation (%2)</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>From %1.</source>
        <translation>Von %1.</translation>
    </message>
    <message>
        <source> to </source>
        <translation> bis </translation>
    </message>
    <message>
        <source>Not possible because</source>
        <translation>Nicht möglich, weil</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TaskCard</name>
    <message>
        <source>Show a hint</source>
        <translation>Hinweis zeigen</translation>
    </message>
    <message>
        <source>Show a hint (%1)</source>
        <translation>Hinweis zeigen (%1)</translation>
    </message>
    <message>
        <source>Another hint (%1 of %2)</source>
        <translation>Weiterer Hinweis (%1 von %2)</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Gelöst</translation>
    </message>
    <message>
        <source>Nearly there</source>
        <translation>Fast gelöst</translation>
    </message>
    <message>
        <source>To do</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Task: %1</source>
        <translation>Aufgabe: %1</translation>
    </message>
    <message>
        <source>now %1, asked for %2</source>
        <translation>jetzt %1, verlangt %2</translation>
    </message>
    <message>
        <source>%1 now %2, asked for %3</source>
        <translation>%1 jetzt %2, verlangt %3</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ThinScrollBar</name>
    <message>
        <source>Scroll along the layers</source>
        <translation>Entlang der Schichten blättern</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TimelineChart</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · Schritt %2</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Fwd</source>
        <translation>Vor</translation>
    </message>
    <message>
        <source>Bwd</source>
        <translation>Rück</translation>
    </message>
    <message>
        <source>Upd</source>
        <translation>Upd</translation>
    </message>
    <message>
        <source>Comm</source>
        <translation>Komm</translation>
    </message>
    <message>
        <source>Hid</source>
        <translation>Verd</translation>
    </message>
    <message>
        <source>Nothing runs yet.</source>
        <translation>Noch läuft nichts.</translation>
    </message>
    <message>
        <source>%1 of the step</source>
        <translation>%1 des Schritts</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>%1 busy %2</source>
        <translation>%1 beschäftigt %2</translation>
    </message>
    <message>
        <source>One step of %1: %2.</source>
        <translation>Ein Schritt mit %1: %2.</translation>
    </message>
    <message>
        <source>Row</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>Gradients of activations</source>
        <translation>Gradienten der Aktivierungen</translation>
    </message>
    <message>
        <source>Gradients of weights</source>
        <translation>Gradienten der Gewichte</translation>
    </message>
    <message>
        <source>Rec</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Wgt</source>
        <translation>Gew</translation>
    </message>
    <message>
        <source>Longest chain</source>
        <translation>Längste Kette</translation>
    </message>
    <message>
        <source>Chain</source>
        <translation>Kette</translation>
    </message>
    <message>
        <source>on the longest chain</source>
        <translation>auf der längsten Kette</translation>
    </message>
    <message>
        <source>On the longest chain</source>
        <translation>Auf der längsten Kette</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Shown from %1 to %2.</source>
        <translation>Gezeigt von %1 bis %2.</translation>
    </message>
    <message>
        <source>Micro-batch %1 is followed.</source>
        <translation>Mikro-Batch %1 wird verfolgt.</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>Mikro-Batch %1</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TimelineFind</name>
    <message>
        <source>Find: stage 2 backward 5</source>
        <translation>Suchen: Stufe 2 Rückwärts 5</translation>
    </message>
    <message>
        <source>Find in the timeline</source>
        <translation>In der Zeitleiste suchen</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TornadoChart</name>
    <message>
        <source>Sensitivity</source>
        <translation>Sensitivität</translation>
    </message>
    <message>
        <source>%1, change in % · now %2</source>
        <translation>%1, Änderung in % · jetzt %2</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>better</source>
        <translation>besser</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>schlechter</translation>
    </message>
    <message>
        <source>No field that can be varied changes this.</source>
        <translation>Kein variierbares Feld ändert dies.</translation>
    </message>
    <message>
        <source>elasticity %1</source>
        <translation>Elastizität %1</translation>
    </message>
    <message>
        <source>change of %1, %2</source>
        <translation>%1: Änderung gegenüber %2</translation>
    </message>
    <message>
        <source>Fields that change %1, %2, largest effect first. %3</source>
        <translation>Felder, die %1 ändern, %2, größte Wirkung zuerst. %3</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>Change at less</source>
        <translation>Änderung bei weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Change at more</source>
        <translation>Änderung bei mehr</translation>
    </message>
    <message>
        <source>Elasticity</source>
        <translation>Elastizität</translation>
    </message>
    <message>
        <source>In words</source>
        <translation>In Worten</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TornadoRow</name>
    <message>
        <source>not possible</source>
        <translation>nicht möglich</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::Tour</name>
    <message>
        <source>Tour</source>
        <translation>Rundgang</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TraceDocument</name>
    <message>
        <source>Predicting on other GPUs</source>
        <translation>Vorhersage auf anderen GPUs</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TracePage</name>
    <message>
        <source>No trace is open</source>
        <translation>Kein Trace offen</translation>
    </message>
    <message>
        <source>Drop a recording of PyTorch&apos;s profiler (JSON or .json.gz). Its step is shown stream by stream and predicted for other GPUs.</source>
        <translation>Aufzeichnung von PyTorchs Profiler (JSON oder .json.gz) hierher ziehen. Ihr Schritt wird Stream für Stream gezeigt und für andere GPUs vorhergesagt.</translation>
    </message>
    <message>
        <source>Open a trace…</source>
        <translation>Trace öffnen…</translation>
    </message>
    <message>
        <source>What is drawn of the trace</source>
        <translation>Was vom Trace gezeichnet wird</translation>
    </message>
    <message>
        <source>By operator</source>
        <translation>Nach Operator</translation>
    </message>
    <message>
        <source>What the step&apos;s time goes into</source>
        <translation>Wohin die Zeit des Schritts geht</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>What ran when, stream by stream</source>
        <translation>Was wann lief, Stream für Stream</translation>
    </message>
    <message>
        <source>Time and price</source>
        <translation>Zeit und Preis</translation>
    </message>
    <message>
        <source>Every GPU that has a price</source>
        <translation>Jede GPU, die einen Preis hat</translation>
    </message>
    <message>
        <source>Timeline of the step</source>
        <translation>Zeitleiste des Schritts</translation>
    </message>
    <message>
        <source>Time against price</source>
        <translation>Zeit gegen Preis</translation>
    </message>
    <message>
        <source>Other GPUs</source>
        <translation>Andere GPUs</translation>
    </message>
    <message>
        <source>The step on other GPUs</source>
        <translation>Der Schritt auf anderen GPUs</translation>
    </message>
    <message>
        <source>No GPU is chosen</source>
        <translation>Keine GPU ist gewählt</translation>
    </message>
    <message>
        <source>Choose the GPUs to predict the step for: %1 are available.</source>
        <translation>GPUs für die Vorhersage des Schritts wählen: %1 sind verfügbar.</translation>
    </message>
    <message>
        <source>Choose GPUs…</source>
        <translation>GPUs wählen…</translation>
    </message>
    <message>
        <source>On other GPUs</source>
        <translation>Auf anderen GPUs</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Anmerkungen</translation>
    </message>
    <message>
        <source>A row for every operation on %1, with the rule and what it rests on</source>
        <translation>Eine Zeile für jede Operation auf %1, mit der Regel und worauf sie beruht</translation>
    </message>
    <message>
        <source>Choose a GPU in the table or the chart first</source>
        <translation>Zuerst eine GPU in der Tabelle oder im Diagramm wählen</translation>
    </message>
    <message>
        <source>Export the operations</source>
        <translation>Operationen exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>The operations are in %1.</source>
        <translation>Die Operationen sind in %1.</translation>
    </message>
    <message>
        <source>trace %1, %2</source>
        <translation>Trace %1, %2</translation>
    </message>
    <message>
        <source> · shapes of %1 operations by alignment</source>
        <translation> · Formen von %1 Operationen durch Zuordnung</translation>
    </message>
    <message>
        <source> · shapes of %1 operations recorded</source>
        <translation> · Formen von %1 Operationen aufgezeichnet</translation>
    </message>
    <message>
        <source> · no shapes: choose the network it ran</source>
        <translation> · keine Formen: das Netz wählen, das lief</translation>
    </message>
    <message>
        <source> · corrected by %1, on %2 points</source>
        <translation> · korrigiert durch %1, an %2 Punkten</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::TraceSettings</name>
    <message>
        <source>as recorded</source>
        <translation>wie aufgezeichnet</translation>
    </message>
    <message>
        <source>Products and convolutions use TF32 where the recording shows it; if its GPU has none, as PyTorch does by itself: convolutions do, matrix products do not.</source>
        <translation>Produkte und Faltungen nutzen TF32, wo die Aufzeichnung es zeigt; hat ihre GPU keines, dann wie PyTorch von sich aus: Faltungen ja, Matrixprodukte nein.</translation>
    </message>
    <message>
        <source>TF32 convolutions</source>
        <translation>TF32-Faltungen</translation>
    </message>
    <message>
        <source>Convolutions of 32-bit tensors use TF32 where a GPU has it (compute capability 8.0 and later); matrix products stay in FP32.</source>
        <translation>Faltungen von 32-Bit-Tensoren nutzen TF32, wo eine GPU es hat (Compute Capability 8.0 und neuer); Matrixprodukte bleiben in FP32.</translation>
    </message>
    <message>
        <source>TF32</source>
        <translation>TF32</translation>
    </message>
    <message>
        <source>Convolutions and matrix products of 32-bit tensors use TF32 where a GPU has it (compute capability 8.0 and later).</source>
        <translation>Faltungen und Matrixprodukte von 32-Bit-Tensoren nutzen TF32, wo eine GPU es hat (Compute Capability 8.0 und neuer).</translation>
    </message>
    <message>
        <source>FP32</source>
        <translation>FP32</translation>
    </message>
    <message>
        <source>Products and convolutions of 32-bit tensors stay in FP32 everywhere, without tensor cores.</source>
        <translation>Produkte und Faltungen von 32-Bit-Tensoren bleiben überall in FP32, ohne Tensorkerne.</translation>
    </message>
    <message>
        <source>FP16</source>
        <translation>FP16</translation>
    </message>
    <message>
        <source>Products and convolutions take 16 bits where a GPU is faster with them. All else stays as recorded, and conversions cost nothing.</source>
        <translation>Produkte und Faltungen nehmen 16 Bit, wo eine GPU damit schneller ist. Alles andere bleibt wie aufgezeichnet, und Umwandlungen kosten nichts.</translation>
    </message>
    <message>
        <source>Step that is drawn</source>
        <translation>Gezeichneter Schritt</translation>
    </message>
    <message>
        <source>Network that the trace is aligned with</source>
        <translation>Netz, dem der Trace zugeordnet wird</translation>
    </message>
    <message>
        <source>Only shapes that the profiler recorded</source>
        <translation>Nur Formen, die der Profiler aufgezeichnet hat</translation>
    </message>
    <message>
        <source>Samples per step of that network</source>
        <translation>Samples je Schritt dieses Netzes</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>eigene</translation>
    </message>
    <message>
        <source>How times are carried over</source>
        <translation>Wie Zeiten übertragen werden</translation>
    </message>
    <message>
        <source>best evidence</source>
        <translation>bester Beleg</translation>
    </message>
    <message>
        <source>A model of the operator where its shape is known, else wave scaling</source>
        <translation>Ein Modell des Operators, wo seine Form bekannt ist, sonst Wave Scaling</translation>
    </message>
    <message>
        <source>wave scaling</source>
        <translation>Wave Scaling</translation>
    </message>
    <message>
        <source>Habitat&apos;s rule for every operation</source>
        <translation>Habitats Regel für jede Operation</translation>
    </message>
    <message>
        <source>Calibration that corrects times of operators</source>
        <translation>Kalibrierung, die Zeiten von Operatoren korrigiert</translation>
    </message>
    <message>
        <source>Precision of products and convolutions on other GPUs</source>
        <translation>Genauigkeit von Produkten und Faltungen auf anderen GPUs</translation>
    </message>
    <message>
        <source>GPUs that are shown</source>
        <translation>Gezeigte GPUs</translation>
    </message>
    <message>
        <source>all GPUs</source>
        <translation>alle GPUs</translation>
    </message>
    <message>
        <source>no GPU</source>
        <translation>keine GPU</translation>
    </message>
    <message>
        <source>%1 of %2 GPUs</source>
        <translation>%1 von %2 GPUs</translation>
    </message>
    <message>
        <source>$%1 per hour</source>
        <translation>$%1 je Stunde</translation>
    </message>
    <message>
        <source>Export operations…</source>
        <translation>Operationen exportieren…</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>Formen</translation>
    </message>
    <message>
        <source>By</source>
        <translation>Nach</translation>
    </message>
    <message>
        <source>Corrected by</source>
        <translation>Korrigiert durch</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>in</source>
        <translation>in</translation>
    </message>
    <message>
        <source>With a price</source>
        <translation>Mit Preis</translation>
    </message>
    <message>
        <source>The catalogue has a price per hour for it</source>
        <translation>Im Katalog steht ein Preis pro Stunde</translation>
    </message>
    <message>
        <source>Tensor cores</source>
        <translation>Tensorkerne</translation>
    </message>
    <message>
        <source>Has matrix units for 16-bit numbers</source>
        <translation>Hat Matrixeinheiten für 16-Bit-Zahlen</translation>
    </message>
    <message>
        <source>As much memory</source>
        <translation>So viel Speicher</translation>
    </message>
    <message>
        <source>At least the memory of the GPU of the recording</source>
        <translation>Mindestens der Speicher der GPU der Aufzeichnung</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Times of operators by the model alone</source>
        <translation>Zeiten von Operatoren allein nach dem Modell</translation>
    </message>
    <message>
        <source>A calibration in a file…</source>
        <translation>Kalibrierung aus einer Datei…</translation>
    </message>
    <message>
        <source>Open a calibration of operators</source>
        <translation>Kalibrierung von Operatoren öffnen</translation>
    </message>
    <message>
        <source>Calibrations (*.json);;All files (*)</source>
        <translation>Kalibrierungen (*.json);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::ValidationPage</name>
    <message>
        <source>No published results are open</source>
        <translation>Keine veröffentlichten Ergebnisse offen</translation>
    </message>
    <message>
        <source>Drop a table of published results (CSV) with one row per result: network, device, workers, batch, value and unit.</source>
        <translation>Tabelle veröffentlichter Ergebnisse (CSV) hierher ziehen: je Zeile ein Ergebnis mit Netz, Gerät, Workern, Batch, Wert und Einheit.</translation>
    </message>
    <message>
        <source>Open a table…</source>
        <translation>Tabelle öffnen…</translation>
    </message>
    <message>
        <source>Cancelled. The previous result is shown.</source>
        <translation>Abgebrochen. Gezeigt wird das vorige Ergebnis.</translation>
    </message>
    <message>
        <source>What is fitted to the tables before the prediction</source>
        <translation>Was vor der Vorhersage an die Tabellen angepasst wird</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>All from data sheets and presets</source>
        <translation>Alles aus Datenblättern und Vorgaben</translation>
    </message>
    <message>
        <source>the one-worker row</source>
        <translation>der Zeile mit einem Worker</translation>
    </message>
    <message>
        <source>The device&apos;s speed from the row of one worker most like a row; more workers are predicted</source>
        <translation>Das Tempo des Geräts aus der ähnlichsten Zeile mit einem Worker; mehr Worker werden vorhergesagt</translation>
    </message>
    <message>
        <source>every second row</source>
        <translation>jeder zweiten Zeile</translation>
    </message>
    <message>
        <source>Fitted to every second row of each source, framework, device and precision; the other rows are predicted</source>
        <translation>Angepasst an jede zweite Zeile je Quelle, Framework, Gerät und Genauigkeit; die anderen Zeilen werden vorhergesagt</translation>
    </message>
    <message>
        <source>a factor per device</source>
        <translation>einem Faktor je Gerät</translation>
    </message>
    <message>
        <source>Fitted to every second run on each device; the other runs are predicted</source>
        <translation>Angepasst an jeden zweiten Lauf je Gerät; die anderen Läufe werden vorhergesagt</translation>
    </message>
    <message>
        <source>How operations are priced</source>
        <translation>Wie Operationen veranschlagt werden</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>Vorgaben</translation>
    </message>
    <message>
        <source>As the profiles say</source>
        <translation>Wie die Profile sagen</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>Roofline</translation>
    </message>
    <message>
        <source>Peaks of the data sheet, memory traffic hidden, nothing else</source>
        <translation>Spitzenwerte des Datenblatts, Speicherverkehr verdeckt, sonst nichts</translation>
    </message>
    <message>
        <source>Unit of the results that are drawn</source>
        <translation>Einheit der gezeichneten Ergebnisse</translation>
    </message>
    <message>
        <source>Add a table…</source>
        <translation>Tabelle hinzufügen…</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Learn from</source>
        <translation>Lernen aus</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Predicted against published</source>
        <translation>Vorhergesagt gegen veröffentlicht</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Published results</source>
        <translation>Veröffentlichte Ergebnisse</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Errors by source, network and device</source>
        <translation>Fehler nach Quelle, Netz und Gerät</translation>
    </message>
    <message>
        <source>Not predicted</source>
        <translation>Nicht vorhergesagt</translation>
    </message>
    <message>
        <source>Why rows are not predicted</source>
        <translation>Warum Zeilen nicht vorhergesagt werden</translation>
    </message>
    <message>
        <source>Predicting %1 results</source>
        <translation>%1 Ergebnisse werden vorhergesagt</translation>
    </message>
    <message>
        <source>%1 of %2 predicted</source>
        <translation>%1 von %2 vorhergesagt</translation>
    </message>
    <message>
        <source>%1 of %2 predicted · mean error %3, median %4</source>
        <translation>%1 von %2 vorhergesagt · mittlerer Fehler %3, Median %4</translation>
    </message>
    <message>
        <source>Columns…</source>
        <translation>Spalten…</translation>
    </message>
    <message>
        <source>What each column of the table was taken for</source>
        <translation>Wofür jede Spalte der Tabelle gehalten wurde</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::VaryList</name>
    <message>
        <source>Vary another field</source>
        <translation>Weiteres Feld variieren</translation>
    </message>
    <message>
        <source>is varied already</source>
        <translation>wird schon variiert</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::VaryRow</name>
    <message>
        <source>Cluster</source>
        <translation>Cluster</translation>
    </message>
    <message>
        <source>A whole machine of the catalogue: device, node and links</source>
        <translation>Eine ganze Maschine des Katalogs: Gerät, Knoten und Verbindungen</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Another network instead of this one</source>
        <translation>Ein anderes Netz statt dieses</translation>
    </message>
    <message>
        <source>Calibration</source>
        <translation>Kalibrierung</translation>
    </message>
    <message>
        <source>Constants that were fitted to measurements</source>
        <translation>An Messungen angepasste Konstanten</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>CPU cluster</source>
        <translation>CPU-Cluster</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>Division of the work</source>
        <translation>Aufteilung der Arbeit</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Often varied</source>
        <translation>Oft variiert</translation>
    </message>
    <message>
        <source>What is varied</source>
        <translation>Was variiert wird</translation>
    </message>
    <message>
        <source>choose a field</source>
        <translation>Feld wählen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Do not vary this</source>
        <translation>Nicht variieren</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>values, separated by commas</source>
        <translation>Werte, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Values by name</source>
        <translation>Werte nach Namen</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Values of %1</source>
        <translation>Werte von %1</translation>
    </message>
    <message>
        <source>Choose what is to be varied.</source>
        <translation>Wählen, was variiert werden soll.</translation>
    </message>
    <message>
        <source>1 value</source>
        <translation>1 Wert</translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 Werte</translation>
    </message>
    <message>
        <source>Way to divide the work</source>
        <translation>Aufteilung der Arbeit</translation>
    </message>
    <message>
        <source>All degrees of the mesh, and what is sharded</source>
        <translation>Alle Grade des Meshs, und was verteilt wird</translation>
    </message>
    <message>
        <source>Low-rank adapters</source>
        <translation>Niedrigrang-Adapter</translation>
    </message>
    <message>
        <source>Products beside which adapters are trained</source>
        <translation>Produkte, neben denen Adapter trainiert werden</translation>
    </message>
    <message>
        <source>Interruptions</source>
        <translation>Unterbrechungen</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::VerdictCard</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer states</source>
        <translation>Zustände des Optimierers</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>trainer</source>
        <translation>Trainer</translation>
    </message>
    <message>
        <source>Looking for designs that fit…</source>
        <translation>Entwürfe, die passen, werden gesucht …</translation>
    </message>
    <message>
        <source>Does not fit: each %1 would need %2</source>
        <translation>Passt nicht: Je %1 wären %2 nötig</translation>
    </message>
    <message>
        <source>Does not fit: stage %1 would need %2</source>
        <translation>Passt nicht: Stufe %1 bräuchte %2</translation>
    </message>
    <message>
        <source>%1 too much</source>
        <translation>%1 zu viel</translation>
    </message>
    <message>
        <source>No change that was tried makes it fit: use more devices, or devices with more memory.</source>
        <translation>Keine der versuchten Änderungen genügt: mehr Geräte nehmen, oder Geräte mit mehr Speicher.</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>Batch %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WaterfallChart</name>
    <message>
        <source>From PALEO to corrected</source>
        <translation>Von PALEO zur Korrektur</translation>
    </message>
    <message>
        <source>together, beyond each alone</source>
        <translation>gemeinsam, über jede einzeln hinaus</translation>
    </message>
    <message>
        <source>The steps interact; this is the part that their sum does not explain.</source>
        <translation>Die Schritte beeinflussen einander; diesen Teil erklärt ihre Summe nicht.</translation>
    </message>
    <message>
        <source>adds time</source>
        <translation>verlängert</translation>
    </message>
    <message>
        <source>adds</source>
        <translation>verlängert</translation>
    </message>
    <message>
        <source>takes time away</source>
        <translation>verkürzt</translation>
    </message>
    <message>
        <source>takes</source>
        <translation>verkürzt</translation>
    </message>
    <message>
        <source>One of these times is not a finite number.</source>
        <translation>Eine dieser Zeiten ist keine endliche Zahl.</translation>
    </message>
    <message>
        <source>There is nothing to compare yet.</source>
        <translation>Noch gibt es nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>From %1 with %2 to %3 with %4 in %5 steps.</source>
        <translation>Von %1 mit %2 zu %3 mit %4 in %5 Schritten.</translation>
    </message>
    <message>
        <source> The largest is %1: %2 ms.</source>
        <translation> Der größte ist %1: %2 ms.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>After it</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>Was es tut</translation>
    </message>
    <message>
        <source>more: better</source>
        <translation>mehr: besser</translation>
    </message>
    <message>
        <source>more: worse</source>
        <translation>mehr: schlechter</translation>
    </message>
    <message>
        <source>more</source>
        <translation>mehr</translation>
    </message>
    <message>
        <source>less: worse</source>
        <translation>weniger: schlechter</translation>
    </message>
    <message>
        <source>less: better</source>
        <translation>weniger: besser</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>One of these figures is not a finite number.</source>
        <translation>Eine dieser Größen ist keine endliche Zahl.</translation>
    </message>
    <message>
        <source> The largest is %1: %2.</source>
        <translation> Am größten ist %1: %2.</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WhereList</name>
    <message>
        <source>Budget per hour</source>
        <translation>Budget je Stunde</translation>
    </message>
    <message>
        <source>Budget in all</source>
        <translation>Budget insgesamt</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>Frist</translation>
    </message>
    <message>
        <source>The batch divides by the workers</source>
        <translation>Der Batch ist durch die Worker teilbar</translation>
    </message>
    <message>
        <source>Samples in a step, at most</source>
        <translation>Samples je Schritt, höchstens</translation>
    </message>
    <message>
        <source>Efficiency, at least</source>
        <translation>Effizienz, mindestens</translation>
    </message>
    <message>
        <source>Power, at most</source>
        <translation>Leistungsaufnahme, höchstens</translation>
    </message>
    <message>
        <source>It fits in the device&apos;s memory</source>
        <translation>Es passt in den Gerätespeicher</translation>
    </message>
    <message>
        <source>Devices of unknown memory size are assumed to fit everything</source>
        <translation>Bei Geräten mit unbekanntem Speicher wird angenommen, dass alles passt</translation>
    </message>
    <message>
        <source>Add a condition</source>
        <translation>Bedingung hinzufügen</translation>
    </message>
    <message>
        <source>Write your own</source>
        <translation>Eigene schreiben</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>step &lt;= 250 ms</source>
        <translation>step &lt;= 250 ms</translation>
    </message>
    <message>
        <source>Remove this condition</source>
        <translation>Diese Bedingung entfernen</translation>
    </message>
    <message>
        <source>Devices, at most</source>
        <translation>Geräte, höchstens</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WhyPage</name>
    <message>
        <source>Load the nearest</source>
        <translation>Nächstliegendes laden</translation>
    </message>
    <message>
        <source>Run a search, then select a row, a point or a cell.</source>
        <translation>Suchen, dann eine Zeile, einen Punkt oder eine Zelle wählen.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft…</translation>
    </message>
    <message>
        <source>The best is %1.</source>
        <translation>Das Beste ist %1.</translation>
    </message>
    <message>
        <source>What it waits for</source>
        <translation>Worauf es wartet</translation>
    </message>
    <message>
        <source>What the best waits for</source>
        <translation>Worauf das Beste wartet</translation>
    </message>
    <message>
        <source>There is no other result to compare it with.</source>
        <translation>Es gibt kein anderes zum Vergleichen.</translation>
    </message>
    <message>
        <source>What the runner-up lacks</source>
        <translation>Was dem Zweiten fehlt</translation>
    </message>
    <message>
        <source>What this one lacks</source>
        <translation>Was diesem fehlt</translation>
    </message>
    <message>
        <source>Second is %1.</source>
        <translation>Zweites ist %1.</translation>
    </message>
    <message>
        <source>They differ in: %1.</source>
        <translation>Sie unterscheiden sich in: %1.</translation>
    </message>
    <message>
        <source>What would turn the order</source>
        <translation>Was die Rangfolge umkehren würde</translation>
    </message>
    <message>
        <source>No change of price, peak, memory bandwidth or links by up to a factor of 16 does.</source>
        <translation>Keine Änderung von Preis, Spitze, Speicherbandbreite oder Verbindungen bis zum Faktor 16.</translation>
    </message>
    <message>
        <source>Nothing has been searched yet.</source>
        <translation>Noch wurde nichts gesucht.</translation>
    </message>
    <message>
        <source>The search could not begin</source>
        <translation>Die Suche konnte nicht beginnen</translation>
    </message>
    <message>
        <source>The front has %1 more results than are shown.</source>
        <translation>Auf der Front liegen %1 weitere, nicht gezeigte Ergebnisse.</translation>
    </message>
    <message>
        <source>It took %1; %2 were scored a second.</source>
        <translation>Es dauerte %1; %2 wurden je Sekunde bewertet.</translation>
    </message>
    <message>
        <source>What stands in the way</source>
        <translation>Was im Weg steht</translation>
    </message>
    <message>
        <source>The original scenario does not meet the conditions</source>
        <translation>Das ursprüngliche Szenario erfüllt die Bedingungen nicht</translation>
    </message>
    <message>
        <source>Nearest to it that fits in memory</source>
        <translation>Das nächstliegende, das in den Speicher passt</translation>
    </message>
    <message>
        <source>Nearest to it that is one</source>
        <translation>Das nächstliegende, das eine ist</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WhyPanel</name>
    <message>
        <source>%1: the same</source>
        <translation>%1: dasselbe</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2, now %3</source>
        <translation>%1: %2, jetzt %3</translation>
    </message>
    <message>
        <source>No figure</source>
        <translation>Kein Wert</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WorkerSlider</name>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::WorkersPanel</name>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers, exact</source>
        <translation>Worker, genau</translation>
    </message>
    <message>
        <source>The number of workers</source>
        <translation>Die Zahl der Worker</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>All-reduce algorithm</source>
        <translation>Allreduce-Verfahren</translation>
    </message>
    <message>
        <source>First layer of the back part</source>
        <translation>Erste Schicht des hinteren Teils</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>von Hand</translation>
    </message>
    <message>
        <source>Stages begin at the given layers</source>
        <translation>Stufen beginnen bei den angegebenen Schichten</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>Mikrobatches</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>Sequence parallelism: between divided layers, workers divide the positions of the sequence</source>
        <translation>Sequenzparallelität: Zwischen aufgeteilten Schichten teilen die Worker die Positionen der Sequenz auf</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>Schema</translation>
    </message>
    <message>
        <source>Back from</source>
        <translation>Hinten ab</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>Allreduce</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Shards</source>
        <translation>Shards</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>best layer</source>
        <translation>optimal</translation>
    </message>
    <message>
        <source>The cut with the shortest step</source>
        <translation>Der Schnitt mit dem kürzesten Schritt</translation>
    </message>
    <message>
        <source>no back part</source>
        <translation>kein hinterer Teil</translation>
    </message>
    <message>
        <source>The whole network is data parallel</source>
        <translation>Das ganze Netz ist datenparallel</translation>
    </message>
    <message>
        <source>%1, exact</source>
        <translation>%1, genau</translation>
    </message>
    <message>
        <source>The number of %1</source>
        <translation>Die Zahl der %1</translation>
    </message>
    <message>
        <source>Training machines, without dedicated servers</source>
        <translation>Trainierende Rechner, ohne reine Server</translation>
    </message>
    <message>
        <source>Exchange every</source>
        <translation>Austausch alle</translation>
    </message>
    <message>
        <source>Samples of a replica between two exchanges with the parameter servers</source>
        <translation>Samples einer Replik zwischen zwei Austauschen mit den Servern</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>Bearbeiten…</translation>
    </message>
    <message>
        <source>PALEO does not have this all-reduce. Choose another one, or the method Scalescope</source>
        <translation>PALEO kennt dieses Allreduce nicht. Ein anderes wählen oder die Methode Scalescope</translation>
    </message>
    <message>
        <source>A step of several networks can only be data parallel</source>
        <translation>Ein Schritt aus mehreren Netzen kann nur datenparallel sein</translation>
    </message>
    <message>
        <source>PALEO&apos;s methods price data parallelism only: choose the method Scalescope for the others</source>
        <translation>PALEOs Methoden veranschlagen nur Datenparallelität: für die anderen die Methode Scalescope wählen</translation>
    </message>
    <message>
        <source>The back part begins at %1</source>
        <translation>Der hintere Teil beginnt bei %1</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Way to divide the work</source>
        <translation>Aufteilung der Arbeit</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>at blocks</source>
        <translation>an Blöcken</translation>
    </message>
    <message>
        <source>Stages begin at blocks of the network, dealt out evenly as trainers do</source>
        <translation>Stufen beginnen an Blöcken des Netzes, gleichmäßig verteilt wie in den üblichen Trainingsprogrammen</translation>
    </message>
    <message>
        <source>shortest step</source>
        <translation>kürzester Schritt</translation>
    </message>
    <message>
        <source>Stages begin at the layers that make the step shortest</source>
        <translation>Stufen beginnen an den Schichten, mit denen der Schritt am kürzesten ist</translation>
    </message>
    <message>
        <source>ZeRO</source>
        <translation>ZeRO</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>Neu berechnen</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Context by</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>The best mesh for these devices, found anew whenever something changes</source>
        <translation>Das beste Mesh für diese Geräte, bei jeder Änderung neu gesucht</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Eigenes</translation>
    </message>
    <message>
        <source>Keep: %1</source>
        <translation>Beibehalten: %1</translation>
    </message>
    <message>
        <source>less</source>
        <translation>weniger</translation>
    </message>
    <message>
        <source>more…</source>
        <translation>mehr …</translation>
    </message>
</context>
<context>
    <name>scalescope::ui::XyChart</name>
    <message>
        <source>There is nothing to show yet.</source>
        <translation>Noch gibt es nichts zu zeigen.</translation>
    </message>
    <message>
        <source>90 % between</source>
        <translation>90 % zwischen</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>%1: one point</source>
        <translation>%1: ein Punkt</translation>
    </message>
    <message>
        <source>%1: %2 points, the last at %3, %4</source>
        <translation>%1: %2 Punkte, der letzte bei %3, %4</translation>
    </message>
    <message>
        <source>%1 over %2. %3.</source>
        <translation>%1 über %2. %3.</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>Punkt</translation>
    </message>
    <message>
        <source>90 % from</source>
        <translation>90 % ab</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>%1 (log)</source>
        <translation>%1 (log)</translation>
    </message>
</context>
</TS>
