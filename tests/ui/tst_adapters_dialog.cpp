// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog that adds low-rank adapters: what it says before, one undo step, and the rank among the network's sizes.
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "core/network/adapters.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "support_window.hpp"
#include "ui/design/adapters_dialog.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

namespace {

QString u(const char* text) { return QString::fromUtf8(text); }

}  // namespace

class TestAdaptersDialog : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    AdaptersDialog* ask() {
        find<QAction>("adapters")->trigger();
        auto* dialog = window_->findChild<AdaptersDialog*>();
        if (!dialog || !dialog->isVisible()) qFatal("no dialog");
        return dialog;
    }
    void choose(AdaptersDialog& dialog, const char* products) {
        auto* combo = dialog.findChild<Combo*>(u("adapterProducts"));
        combo->set_current(u(products));
        emit combo->chosen(u(products));
    }
    QString outcome(AdaptersDialog& dialog) { return dialog.findChild<QLabel*>(u("adapterOutcome"))->text(); }
    QPushButton& apply(AdaptersDialog& dialog) { return *dialog.findChild<QPushButton*>(u("adapterApply")); }
    void close(AdaptersDialog* dialog) {
        dialog->reject();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private slots:
    void initTestCase() { prepare(); }
    void init() {
        open();
        emit find<Combo>("network")->chosen(u("transformers/llama-2-7b"));
        settle();
    }
    void cleanup() { window_.reset(); }

    void one_undo_step() {
        const Scenario before = scenario();
        AdaptersDialog* dialog = ask();
        QCOMPARE(outcome(*dialog), u("192 adapters with 37.9\u00A0M parameters, 0.6\u00A0% of all."));
        choose(*dialog, "attention");
        emit dialog->findChild<NumberField*>(u("adapterRank"))->choose(8);
        apply(*dialog).click();
        settle();
        QCOMPARE(count_adapters(scenario()).adapters, std::int64_t{128});
        QCOMPARE(symbol_value(scenario(), rank_symbol), std::optional<std::int64_t>(8));
        QVERIFY(!scenario().training.frozen.empty());
        // The rank is a field of the panel of the network now.
        auto* rank = find<NumberField>("symbols.rank");
        QCOMPARE(rank->value(), 8.0);
        window_->document().history().undo();
        settle();
        QVERIFY(scenario() == before);
        window_->document().history().redo();
        QCOMPARE(count_adapters(scenario()).adapters, std::int64_t{128});
    }

    void names_and_problems() {
        AdaptersDialog* dialog = ask();
        choose(*dialog, "names");
        QVERIFY(!apply(*dialog).isEnabled());
        auto* names = dialog->findChild<QLineEdit*>(u("adapterNames"));
        QVERIFY(names->isVisible());
        names->setText(u("q_proj, atention"));
        QVERIFY2(outcome(*dialog).contains(u("did you mean attention?")), qPrintable(outcome(*dialog)));
        QVERIFY(!apply(*dialog).isEnabled());
        names->setText(u("q_proj, v_proj"));
        QVERIFY(outcome(*dialog).startsWith(u("64 adapters with 8.39\u00A0M parameters")));
        choose(*dialog, "none");
        QCOMPARE(outcome(*dialog), u("All weights are trained."));
        close(dialog);
    }

    void a_drawing_that_is_no_network_yet() {
        NetworkDraft draft = window_->document().drawn(0);
        draft.layers.back().inputs.clear();
        window_->document().edit_network(0, std::move(draft), {});
        AdaptersDialog* dialog = ask();
        QVERIFY(!apply(*dialog).isEnabled());
        QVERIFY(outcome(*dialog).contains(u("not a valid network")));
        close(dialog);
    }
};

QTEST_MAIN(TestAdaptersDialog)
#include "tst_adapters_dialog.moc"
