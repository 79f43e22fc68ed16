#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what training takes on this GPU, layer by layer: the files of this folder that README.md calls our own.

    python3 tests/data/measured/record.py OUT            # about nine minutes on an H100; OUT is a folder
    python3 tests/data/measured/record.py OUT --quick    # small batches, two repeats: to see that it works
    python3 tests/data/measured/record.py OUT --quick --cpu

Needs PyTorch 2 and a clone of this repository: the networks are built from presets/networks, so that layers have the
names that Scalescope gives them. Every section stands for itself: what fails is told on standard error and left out.

    machine.json      device, versions, clocks at rest, what a launch costs
    steps.csv         whole training steps, their phases and memory
    updates.csv       updates of so many parameters
    layers.csv        forward and backward of each layer, inside the step and alone
    operators.csv     products, convolutions, element-wise operators; columns of resources/measure/measure_operators.py
    trace-*.json.gz   a step each, as PyTorch's profiler records it, trimmed to what Scalescope reads

How it measures: times lie between CUDA events, after warming up; a column called *_min_ms is the least of the repeats,
that without "min" their median. Before what is timed the GPU is given something to wait for, until Python has queued
all of it: times are those of the GPU, without gaps. Two exceptions, which hold what Python takes if the GPU is faster:
`time_ms` of steps.csv, from one step's begin to the next one's in a loop that never waits for the GPU, and `time_ms` of
operators.csv, which holds the launch.
"""

import argparse
import bisect
import collections
import contextlib
import csv
import functools
import gc
import gzip
import json
import math
import os
import statistics
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "resources" / "measure"))
import measure_operators as operators  # noqa: E402

STEPS = ["network", "precision", "layout", "batch_per_worker", "optimizer", "parameters", "time_ms", "time_min_ms",
         "forward_ms", "forward_min_ms", "backward_ms", "backward_min_ms", "update_ms", "update_min_ms", "host_ms",
         "peak_bytes", "resting_bytes", "sm_mhz", "watts"]
UPDATES = ["optimizer", "kind", "parameters", "update_ms", "update_min_ms"]
LAYERS = ["network", "precision", "layout", "batch", "layer", "kind", "input", "output", "parameters", "forward_ms",
          "forward_min_ms", "backward_ms", "backward_min_ms", "alone_forward_ms", "alone_forward_min_ms",
          "alone_backward_ms", "alone_backward_min_ms"]
OPERATORS = [c for c in operators.COLUMNS if c not in ("framework", "repeats")] + ["min_ms", "queued_ms", "layout"]


# The clock

class Clock:
    def __init__(self, gpu):
        self.gpu = gpu
        self.place = "cuda" if gpu else "cpu"

    def mark(self):
        if not self.gpu:
            return time.perf_counter()
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def ms(self, a, b):
        return a.elapsed_time(b) if self.gpu else 1e3 * (b - a)

    def wait(self):
        if self.gpu:
            torch.cuda.synchronize()

    def hold(self, host_ms):
        """Keeps the GPU waiting for about so long."""
        if self.gpu:
            torch.cuda._sleep(int(2e6 * host_ms))

    def queued(self, work, repeats, warm):
        """Calls `work`, which returns marks; the distances of neighbouring marks in ms, a list for each repeat."""
        host, runs = 1.0, []
        for turn in range(warm + repeats):
            self.wait()
            self.hold(min(60.0, 1.3 * host))  # longer, if the work itself waited for the GPU
            begin = time.perf_counter()
            marks = work()
            host = 1e3 * (time.perf_counter() - begin) if turn < warm else host
            self.wait()
            if turn >= warm:
                runs.append([self.ms(a, b) for a, b in zip(marks, marks[1:])])
        return runs


def median_and_min(times):
    return "%.5g" % statistics.median(times), "%.5g" % min(times)


class Meter(threading.Thread):
    """Clock and power of the GPU, as nvidia-smi tells them ten times a second."""

    def __init__(self, gpu):
        super().__init__(daemon=True)
        self.readings = []
        if gpu:
            self.start()

    def run(self):
        query = ["nvidia-smi", "--query-gpu=clocks.sm,power.draw", "--format=csv,noheader,nounits", "-lms", "100"]
        try:
            with subprocess.Popen(query, stdout=subprocess.PIPE, text=True) as smi:
                for line in smi.stdout:
                    self.readings.append((time.time(), *map(float, line.split(","))))
        except (OSError, ValueError):
            pass

    def since(self, begin):
        """Medians of MHz and W, or nothing."""
        readings = [r for r in self.readings if r[0] >= begin]
        return [round(statistics.median(column)) for column in list(zip(*readings))[1:]] or ["", ""]


# Networks

class Layer(nn.Module):
    """A layer of a preset. Its parameters are made to fit the inputs `given`."""

    def __init__(self, row, given, place, dtype):
        super().__init__()
        self.name, self.kind, self.inputs = row["name"], row["kind"], row.get("inputs", [])
        self.row = row
        self.activation = row.get("activation")
        x = given[0] if given else None
        there = {"device": place, "dtype": dtype}
        if self.kind == "convolution":
            kernel = row["kernel"]
            padding = row.get("padding", [0, 0])
            padding = [k // 2 for k in kernel] if padding == "same" else padding
            self.inner = nn.Conv2d(x.shape[1], row["filters"], kernel, row.get("stride", 1), padding,
                                   bias=row.get("bias", True), **there)
        elif self.kind == "dense":
            self.flat = x.dim() == 4
            self.inner = nn.Linear(x[0].numel() if self.flat else x.shape[-1], row["units"], **there)
        elif self.kind == "batch_norm":
            self.inner = nn.BatchNorm2d(x.shape[1], **there)
        elif self.kind == "layer_norm":
            self.inner = nn.LayerNorm(x.shape[-1], **there)
        elif self.kind == "embedding":
            self.inner = nn.Embedding(row["entries"], row["units"], **there)

    def forward(self, *given):
        y = self.before_activation(*given)
        return functional.relu(y, inplace=True) if self.activation == "relu" else y

    def before_activation(self, x, *others):
        kind, row = self.kind, self.row
        if kind == "dense" and self.flat:
            return self.inner(x.flatten(1))
        if kind in ("convolution", "dense", "batch_norm", "layer_norm", "embedding"):
            return self.inner(x)
        if kind == "pooling":
            return functional.max_pool2d(x, row["kernel"], row["stride"], row.get("padding", 0))
        if kind == "global_pooling":
            return functional.adaptive_avg_pool2d(x, 1)
        if kind == "add":
            return x + others[0]
        if kind == "dropout":
            return functional.dropout(x, row["rate"])
        if kind == "activation":
            return functional.gelu(x, approximate="tanh")
        if kind == "attention":
            batch, sequence, width = x.shape
            q, k, v = x.view(batch, sequence, 3, row["heads"], -1).permute(2, 0, 3, 1, 4)
            y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            return y.transpose(1, 2).reshape(batch, sequence, width // 3)
        if kind in ("softmax", "cross_entropy"):
            return functional.cross_entropy(x.reshape(others[0].numel(), -1), others[0].flatten())
        raise ValueError("no such layer: " + kind)


def transformer_rows(hidden, heads, vocabulary):
    """One block of GPT with what is before and after it, named as Scalescope names it; q, k and v are one product."""
    def row(name, kind, *inputs, **more):
        return dict(name=name, kind=kind, inputs=list(inputs), **more)
    return [row("tokens", "input"), row("positions", "input"),
            row("embeddings/tokens", "embedding", "tokens", entries=vocabulary, units=hidden),
            row("embeddings/positions", "embedding", "positions", entries=2048, units=hidden),
            row("embeddings/sum", "add", "embeddings/tokens", "embeddings/positions"),
            row("h0/norm_attention", "layer_norm", "embeddings/sum"),
            row("h0/attention/qkv", "dense", "h0/norm_attention", units=3 * hidden),
            row("h0/attention/core", "attention", "h0/attention/qkv", heads=heads),
            row("h0/attention/out", "dense", "h0/attention/core", units=hidden),
            row("h0/sum_attention", "add", "h0/attention/out", "embeddings/sum"),
            row("h0/norm_mlp", "layer_norm", "h0/sum_attention"),
            row("h0/mlp/up", "dense", "h0/norm_mlp", units=4 * hidden),
            row("h0/mlp/activation", "activation", "h0/mlp/up"),
            row("h0/mlp/down", "dense", "h0/mlp/activation", units=hidden),
            row("h0/sum_mlp", "add", "h0/mlp/down", "h0/sum_attention"),
            row("final_norm", "layer_norm", "h0/sum_mlp"),
            row("head/logits", "dense", "final_norm", units=vocabulary),
            row("head/loss", "cross_entropy", "head/logits")]


class Net(nn.Module):
    """Layers one after the other; the last is the loss. `data` are the tensors of the inputs, `labels` the loss's."""

    def __init__(self, rows, data, labels, dtype, channels_last=False):
        super().__init__()
        self.data, self.labels = data, labels
        self.layers = nn.ModuleList()
        values = {name: x[:2] if x.dim() == 4 else x for name, x in data.items()}
        rows = [row for row in rows if row["kind"] != "input"]
        last_use = {name: place for place, row in enumerate(rows) for name in row["inputs"]}
        self.dropped = [[name for name, last in last_use.items() if last == place] for place in range(len(rows))]
        with torch.no_grad():
            for row in rows:
                given = [values[name] for name in row["inputs"]]
                layer = Layer(row, given, labels.device, dtype)
                self.layers.append(layer)
                if row is not rows[-1]:
                    values[layer.name] = layer(*given)
        if channels_last:
            self.to(memory_format=torch.channels_last)

    def forward(self, after=None, given=None):
        """The loss. `given` is called with a layer and its inputs before it runs, `after` with it and its output."""
        values = dict(self.data)
        for layer, dropped in zip(self.layers, self.dropped):
            inputs = [values[name] for name in layer.inputs]
            if layer is self.layers[-1]:
                inputs.append(self.labels)
            if given:
                given(layer, inputs)
            y = values[layer.name] = layer(*inputs)
            if after:
                after(layer, y)
            for name in dropped:
                del values[name]
        return y


class MasterAdam:
    """Adam on fp32 copies of 16-bit weights, which it then writes back."""

    def __init__(self, weights, fused):
        self.weights = list(weights)
        self.masters = [w.detach().float() for w in self.weights]
        for master in self.masters:
            master.grad = torch.empty_like(master)
        self.adam = torch.optim.AdamW(self.masters, lr=1e-5, fused=fused)

    def step(self):
        with torch.no_grad():
            for w, master in zip(self.weights, self.masters):
                master.grad.copy_(w.grad)
        self.adam.step()
        with torch.no_grad():
            for w, master in zip(self.weights, self.masters):
                w.copy_(master)

    def zero_grad(self, set_to_none=True):
        for w in self.weights:
            w.grad = None


def sides(tensors):
    return " ".join("x".join(map(str, t.shape)) or "1" for t in tensors)


# What is recorded

class Recorder:
    def __init__(self, options):
        self.out, self.quick = Path(options.out), options.quick
        self.clock = Clock(not options.cpu)
        self.place = self.clock.place
        self.repeats, self.warm = (2, 2) if self.quick else (20, 3)
        self.meter = Meter(self.clock.gpu)
        self.device = torch.cuda.get_device_name() if self.clock.gpu else "CPU"
        self.latest = time.monotonic() + 60 * options.minutes
        self.files = {}
        self.convolutions = {}  # shapes, by network and layer, of the smallest batch

    def late(self):
        return time.monotonic() > self.latest

    def write(self, name, columns, **row):
        if name not in self.files:
            file = open(self.out / name, "w", newline="")
            self.files[name] = file, csv.DictWriter(file, columns, lineterminator="\n")
            self.files[name][1].writeheader()
        file, writer = self.files[name]
        writer.writerow(row)
        file.flush()

    def section(self, title, work, *arguments):
        """One that fails is left out, the others are still worth having."""
        if self.late():
            print("no time left for", title, file=sys.stderr)
            return
        begin = time.monotonic()
        try:
            work(*arguments)
        except Exception:
            print(title, "failed:", file=sys.stderr)
            traceback.print_exc()
        gc.collect()
        if self.clock.gpu:
            torch.cuda.empty_cache()
        print("%6.1f s  %s" % (time.monotonic() - begin, title), file=sys.stderr, flush=True)

    # Machine

    def machine(self):
        facts = {"device": self.device, "pytorch": torch.__version__, "cuda": torch.version.cuda,
                 "cudnn": torch.backends.cudnn.version(), "python": sys.version.split()[0]}
        if self.clock.gpu:
            names = ["driver_version", "clocks.max.sm", "clocks.max.mem", "clocks.sm", "clocks.mem", "power.limit",
                     "temperature.gpu", "ecc.mode.current"]
            told = subprocess.run(["nvidia-smi", "--query-gpu=" + ",".join(names), "--format=csv,noheader"],
                                  capture_output=True, text=True).stdout
            facts.update(zip(names, (value.strip() for value in told.split(","))))
        tiny, count = torch.ones(1, device=self.place), 500

        def launches():
            first = self.clock.mark()
            for _ in range(count):
                tiny.relu_()
            return [first, self.clock.mark()]

        def host_us(work, wait_each):
            self.clock.wait()
            begin = time.perf_counter()
            for _ in range(count):
                work()
                if wait_each:
                    self.clock.wait()
            return round(1e6 * (time.perf_counter() - begin) / count, 3)

        with torch.no_grad():
            launches()
            gpu = [1e3 * run[0] / count for run in self.clock.queued(launches, 10, 2)]
            facts["launch_host_us"] = min(host_us(tiny.relu_, False) for _ in range(5))
            facts["launch_and_wait_us"] = min(host_us(tiny.relu_, True) for _ in range(5))
            facts["tiny_kernel_gpu_us"] = round(statistics.median(gpu), 3)
            if self.clock.gpu:
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph):
                    for _ in range(count):
                        tiny.relu_()

                def replay():
                    marks = [self.clock.mark()]
                    graph.replay()
                    return marks + [self.clock.mark()]
                runs = self.clock.queued(replay, 10, 2)
                facts["tiny_kernel_in_graph_us"] = round(statistics.median(1e3 * run[0] / count for run in runs), 3)
        (self.out / "machine.json").write_text(json.dumps(facts, indent=1) + "\n")

    # Networks

    def image_network(self, name, batch, layout):
        rows = json.loads((ROOT / "presets" / "networks" / (name + ".json")).read_text())["layers"]
        last = layout == "channels_last"
        x = torch.randn(batch, 3, 224, 224, device=self.place)
        data = {"data": x.to(memory_format=torch.channels_last) if last else x}
        return Net(rows, data, torch.randint(1000, (batch,), device=self.place), torch.float32, last)

    def transformer(self, hidden, heads, batch, sequence=2048, vocabulary=50304):
        if not self.clock.gpu:
            hidden, heads, sequence, vocabulary = 64, 2, 16, 128
        tokens = torch.randint(vocabulary, (2, batch, sequence), device=self.place)
        data = {"tokens": tokens[0], "positions": torch.arange(sequence, device=self.place)}
        return Net(transformer_rows(hidden, heads, vocabulary), data, tokens[1], torch.bfloat16)

    def step(self, net, optimizer, cast):
        """A training step, with marks between its phases."""
        marks = [self.clock.mark()]
        with cast():
            loss = net()
        marks.append(self.clock.mark())
        loss.backward()
        marks.append(self.clock.mark())
        optimizer.step()
        marks.append(self.clock.mark())
        optimizer.zero_grad(set_to_none=True)
        return marks

    def steps(self, about, net, optimizer, cast):
        """A row of steps.csv."""
        host = []

        def one():
            begin = time.perf_counter()
            marks = self.step(net, optimizer, cast)
            host.append(1e3 * (time.perf_counter() - begin))
            return marks

        for _ in range(self.warm):
            one()
        memory = {}
        if self.clock.gpu:
            torch.cuda.empty_cache()
            torch.cuda.reset_peak_memory_stats()
            memory["resting_bytes"] = torch.cuda.memory_allocated()
            one()
            self.clock.wait()
            memory["peak_bytes"] = torch.cuda.max_memory_allocated()
        host.clear()
        phases = list(zip(*self.clock.queued(one, self.repeats, self.warm)))
        host = host[self.warm:]
        begin = time.time()
        marks = []
        for _ in range(self.warm + self.repeats):
            marks.append(one()[0])
        self.clock.wait()
        mhz, watts = self.meter.since(begin)
        row = dict(about, parameters=sum(p.numel() for p in net.parameters()), sm_mhz=mhz, watts=watts,
                   host_ms="%.4g" % statistics.median(host[:self.repeats]), **memory)
        whole = [self.clock.ms(a, b) for a, b in zip(marks[self.warm - 1:], marks[self.warm:])]
        for name, times in zip(["time", "forward", "backward", "update"], [whole] + phases):
            row[name + "_ms"], row[name + "_min_ms"] = median_and_min(times)
        self.write("steps.csv", STEPS, **row)

    def layers(self, about, net, cast):
        """Rows of layers.csv."""
        forward, backward = (collections.defaultdict(list) for _ in range(2))
        order = []

        def marked():
            order.clear()
            marks = [self.clock.mark()]

            def after(layer, y):
                marks.append(self.clock.mark())
                order.append((layer.name, forward))
                y.register_hook(lambda _: back.append((layer.name, self.clock.mark())))
            back = []
            with cast():
                loss = net(after)
            loss.backward()
            back.append(("", self.clock.mark()))
            net.zero_grad(set_to_none=True)
            order.append(("", forward))  # from the loss to the begin of the backward pass
            order.extend((name, backward) for name, _ in back[:-1])
            return marks + [mark for _, mark in back]

        for run in self.clock.queued(marked, self.repeats, self.warm):
            for (name, times), ms in zip(order, run):
                times[name].append(ms)

        def alone(layer, inputs):
            given = [x.detach() for x in inputs]
            for x, name in zip(given, layer.inputs):
                if name not in net.data and x.is_floating_point():
                    x.requires_grad_()
            wanted = [x for x in given if x.requires_grad] + list(layer.parameters())
            with torch.enable_grad():
                with cast():
                    y = layer(*given)
                error = torch.randn_like(y) if y.dim() else None

                def once():
                    marks = [self.clock.mark()]
                    with cast():
                        y = layer(*given)
                    marks.append(self.clock.mark())
                    torch.autograd.grad(y, wanted, error)
                    return marks + [self.clock.mark()]
                runs = list(zip(*self.clock.queued(once, self.repeats, self.warm)))
            row = dict(about, layer=layer.name, kind=layer.kind, input=sides(inputs[:len(layer.inputs)]),
                       output=sides([y]), parameters=sum(p.numel() for p in layer.parameters()))
            for name, times in [("forward", forward[layer.name]), ("backward", backward[layer.name]),
                                ("alone_forward", runs[0]), ("alone_backward", runs[1])]:
                row[name + "_ms"], row[name + "_min_ms"] = median_and_min(times)
            self.write("layers.csv", LAYERS, **row)
            if layer.kind == "convolution":
                self.convolutions.setdefault((about["network"], layer.name), convolution_shape(layer, inputs[0]))

        with torch.no_grad(), cast():
            net(given=alone)

    def casting(self, precision):
        """Sets how fp32 is multiplied; what to enter around a forward pass. Weights are cast anew each time."""
        operators.allow_tf32(torch, precision == "tf32")
        if precision == "bf16":
            return lambda: torch.autocast(self.place, torch.bfloat16, cache_enabled=False)
        return contextlib.nullcontext

    def images(self, name, batch, precision, layout):
        cast = self.casting(precision)
        net = self.image_network(name, batch, layout)
        about = dict(network=name, precision=precision, layout=layout)
        optimizer = torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9)
        self.steps(dict(about, batch_per_worker=batch, optimizer="momentum"), net, optimizer, cast)
        self.layers(dict(about, batch=batch), net, cast)

    def text(self, hidden, heads, batch):
        cast = contextlib.nullcontext
        net = self.transformer(hidden, heads, batch)
        about = dict(network="gpt-block-%d" % hidden, precision="bf16", layout="rows")
        self.layers(dict(about, batch=batch), net, cast)
        optimizer = MasterAdam(net.parameters(), self.clock.gpu)
        self.steps(dict(about, batch_per_worker=batch, optimizer="adam"), net, optimizer, cast)

    def attention(self, sequence):
        width = 4096 if self.clock.gpu else 64
        row = dict(name="attention/%d" % sequence, kind="attention", inputs=["x"], heads=32)
        layer = Layer(row, [], self.place, None)
        x = torch.randn(1, sequence, 3 * width, device=self.place).to(torch.bfloat16).requires_grad_()
        error = torch.randn(1, sequence, width, device=self.place).to(torch.bfloat16)

        def once():
            marks = [self.clock.mark()]
            y = layer(x)
            marks.append(self.clock.mark())
            torch.autograd.grad(y, [x], error)
            return marks + [self.clock.mark()]
        row = dict(network="attention", precision="bf16", layout="rows", batch=1, layer=layer.name, kind="attention",
                   input=sides([x]), output=sides([error]), parameters=0)
        for name, times in zip(["alone_forward", "alone_backward"],
                               zip(*self.clock.queued(once, self.repeats, self.warm))):
            row[name + "_ms"], row[name + "_min_ms"] = median_and_min(times)
        self.write("layers.csv", LAYERS, **row)

    def update(self, parameters, optimizer, fused):
        """A row of updates.csv: of fp32 weights, in tensors of 2²⁴."""
        size = min(parameters, 1 << 24)
        weights = [torch.randn(size, device=self.place) for _ in range(parameters // size)]
        for w in weights:
            w.grad = torch.randn_like(w)
        makers = {"adam": torch.optim.Adam, "momentum": functools.partial(torch.optim.SGD, momentum=0.9)}
        how = {"fused": True} if fused else {}
        rule = makers[optimizer](weights, lr=1e-4, **how)

        def once():
            begin = self.clock.mark()
            rule.step()
            return [begin, self.clock.mark()]
        times = [run[0] for run in self.clock.queued(once, self.repeats, self.warm)]
        median, least = median_and_min(times)
        self.write("updates.csv", UPDATES, optimizer=optimizer, kind="fused" if fused else "foreach",
                   parameters=parameters, update_ms=median, update_min_ms=least)

    # Operators

    def operator(self, op, shape, precision, passes, layout=""):
        with torch.no_grad():
            for name, work in passes:
                def once(calls=1):
                    begin = self.clock.mark()
                    for _ in range(calls):
                        work()
                    return [begin, self.clock.mark()]
                for _ in range(self.warm):
                    once()
                times = []
                for _ in range(self.repeats):
                    self.clock.wait()
                    marks = once()
                    self.clock.wait()
                    times.append(self.clock.ms(*marks))
                median, least = median_and_min(times)
                calls = max(1, min(20, int(20 / max(float(median), 1e-3))))
                queued = [run[0] / calls for run in self.clock.queued(lambda: once(calls), 3, 1)]
                self.write("operators.csv", OPERATORS, device=self.device, op=op, precision=precision, layout=layout,
                           time_ms=median, min_ms=least, queued_ms=median_and_min(queued)[0], **{"pass": name}, **shape)

    def all_operators(self, precision, jobs, channels_last=False):
        """Jobs are pairs of an operator and its shape; what does not fit is left out."""
        operators.allow_tf32(torch, precision == "tf32")
        machine = Machine(torch, not self.clock.gpu, self.repeats)
        machine.channels_last = channels_last
        dtype = torch.bfloat16 if precision == "bf16" else torch.float32
        for op, shape in jobs:
            if self.late():
                print("no time left for", precision, op, shape, file=sys.stderr)
                break
            layout = ("channels_last" if channels_last else "channels_first") if op == "conv2d" else ""
            try:
                if op == "matmul":
                    passes = operators.product_passes(machine, shape, dtype)
                elif op == "conv2d":
                    passes = operators.convolution_passes(machine, shape, dtype)
                else:
                    passes = [("forward", elementwise(machine, op, shape, dtype))]
                self.operator(op, shape, precision, passes, layout)
            except RuntimeError as problem:
                print("left out:", op, shape, str(problem).splitlines()[0], file=sys.stderr)
                if self.clock.gpu:
                    torch.cuda.empty_cache()

    # Traces

    def trace(self, name, net, optimizer, cast):
        from torch.profiler import ProfilerActivity, profile, schedule
        path = self.out / ("trace-%s.json.gz" % name)
        activities = [ProfilerActivity.CPU] + [ProfilerActivity.CUDA] * self.clock.gpu
        for _ in range(3):
            self.step(net, optimizer, cast)
        self.clock.wait()
        with profile(activities=activities, schedule=schedule(wait=0, warmup=1, active=1, repeat=1), record_shapes=True,
                     on_trace_ready=lambda p: p.export_chrome_trace(str(path))) as profiler:
            for _ in range(2):
                with torch.profiler.record_function("## forward ##"), cast():
                    loss = net()
                with torch.profiler.record_function("## backward ##"):
                    loss.backward()
                with torch.profiler.record_function("## optimizer ##"):
                    optimizer.step()
                    optimizer.zero_grad(set_to_none=True)
                self.clock.wait()
                profiler.step()
        trim(path)

    def trace_images(self, name, precision, layout, batch):
        cast = self.casting(precision)
        net = self.image_network("resnet-50", batch, layout)
        self.trace(name, net, torch.optim.SGD(net.parameters(), lr=1e-4, momentum=0.9), cast)

    def trace_text(self):
        net = self.transformer(4096, 32, 1)
        self.trace("gpt-block-bf16", net, MasterAdam(net.parameters(), self.clock.gpu), contextlib.nullcontext)


class Machine(operators.Machine):
    channels_last = False

    def tensor(self, dtype, *shape):
        x = super().tensor(dtype, *shape)
        return x.to(memory_format=torch.channels_last) if self.channels_last and x.dim() == 4 else x


def convolution_shape(layer, data):
    inner, (batch, channels, height, width) = layer.inner, data.shape
    return dict(batch=batch, in_channels=channels, height=height, width=width, out_channels=inner.out_channels,
                kernel_height=inner.kernel_size[0], kernel_width=inner.kernel_size[1], stride=inner.stride[0],
                padding=inner.padding[0], groups=1)


def elementwise(machine, op, shape, dtype):
    a, b = (machine.tensor(dtype, shape["rows"], shape["cols"]) for _ in range(2))
    return {"copy": lambda: b.copy_(a), "add": lambda: a + b, "relu": lambda: functional.relu(a)}[op]


def chosen_products(most_side):
    """Squares, products of few rows, and those of transformers of 4096 and 12288 with 2048 positions."""
    squares = [(1, s, s, s) for s in (512, 1024, 2048, 4096, 8192, 16384) if s <= most_side]
    thin = [(1, m, s, s) for m in (1, 16, 128, 512) for s in (4096, 12288)]
    narrow = [(1, 16384, n, 4096) for n in (16, 128)] + [(1, 4096, 4096, k) for k in (16, 128)]
    blocks = [(1, 2048, n * h, k * h) for h in (4096, 12288) for n, k in ((3, 1), (1, 1), (4, 1), (1, 4))
              if h <= most_side]
    batched = [(32, s, s, 128) for s in (512, 2048)] + [(32, s, 128, s) for s in (512, 2048)]
    return [("matmul", dict(zip("batch m n k".split(), shape))) for shape in squares + thin + narrow + blocks + batched]


def random_operators(count):
    return ([("matmul", s) for s in operators.product_shapes(count, 1, 5e11)] +
            [("conv2d", s) for s in operators.convolution_shapes(count, 2, 5e11)])


def trim(path):
    """Leaves of a trace what Scalescope reads: operators that launched something and those around them, the calls that
    did it, what the GPU did, the names that the program gave; of each event the members that are read."""
    with gzip.open(path, "rt") as file:
        whole = json.load(file)
    events = [e for e in whole["traceEvents"] if e.get("ph") == "X"]
    on_gpu = {"kernel", "gpu_memcpy", "gpu_memset"}
    done = {e.get("args", {}).get("correlation") for e in events if e.get("cat") in on_gpu}
    calls = [e for e in events if e.get("cat") in ("cuda_runtime", "cuda_driver")
             and e.get("args", {}).get("correlation") in done]
    launches = collections.defaultdict(list)
    for e in calls:
        launches[e["tid"]].append(float(e["ts"]))
    for times in launches.values():
        times.sort()

    def launched(e):
        times, begin = launches[e["tid"]], float(e["ts"])
        place = bisect.bisect_left(times, begin)
        return place < len(times) and times[place] <= begin + float(e["dur"])

    spans = [e for e in events if e.get("cat") == "user_annotation" or e.get("cat") == "cpu_op" and launched(e)]
    kept = sorted(spans + calls + [e for e in events if e.get("cat") in on_gpu], key=lambda e: float(e["ts"]))
    members = {"External id", "correlation", "device", "stream", "registers per thread", "shared memory", "grid",
               "block", "bytes", "Input Dims", "Concrete Inputs"}
    head = {key: whole[key] for key in ("schemaVersion", "deviceProperties") if key in whole}
    rows = [dict({key: e[key] for key in ("ph", "cat", "name", "pid", "tid", "ts", "dur")},
                 args={key: value for key, value in e.get("args", {}).items() if key in members}) for e in kept]
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    text = json.dumps(head, separators=(",", ":"))[:-1] + ',"traceEvents":[\n' + lines + "\n]}\n"
    with open(path, "wb") as file:
        file.write(gzip.compress(text.encode(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", help="a folder to write to")
    parser.add_argument("--quick", action="store_true", help="small batches and few repeats: to see that it works")
    parser.add_argument("--cpu", action="store_true", help="without a GPU: to see that it works")
    parser.add_argument("--minutes", type=float, default=15, help="after which nothing new is begun (15)")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = True
    r = Recorder(options)
    r.section("machine", r.machine)
    modes = [("bf16", "channels_last"), ("bf16", "channels_first"), ("tf32", "channels_first"),
             ("tf32", "channels_last"), ("fp32", "channels_first")]
    for precision, layout in modes[::4] if r.quick else modes:
        for name, batches in [("alexnet-one-tower", (128, 512)), ("vgg-16", (64,)), ("resnet-50", (64, 256))]:
            for batch in [2 if options.cpu else 8] if r.quick else batches:
                r.section("%s %d %s %s" % (name, batch, precision, layout), r.images, name, batch, precision, layout)
    for hidden, heads, batches in [(4096, 32, (1, 2, 4)), (12288, 96, (1,))]:
        for batch in batches[:1] if r.quick else batches:
            r.section("gpt block %d %d" % (hidden, batch), r.text, hidden, heads, batch)
    r.section("trace of images", r.trace_images, "resnet-50-bf16", "bf16", "channels_last", 2 if options.cpu else 64)
    r.section("trace of images", r.trace_images, "resnet-50-tf32", "tf32", "channels_first", 2 if options.cpu else 64)
    r.section("trace of text", r.trace_text)
    for sequence in [64] if options.cpu else (512, 1024, 2048, 4096, 8192, 16384):
        r.section("attention %d" % sequence, r.attention, sequence)
    for count in [1 << 20] if options.cpu else (1 << 20, 1 << 24, 1 << 27, 1 << 30):
        for optimizer in ("adam", "momentum"):
            for fused in (False, True)[:1 + r.clock.gpu]:
                r.section("update of %d" % count, r.update, count, optimizer, fused)
    elements = [2 ** n for n in range(10, 31, 2)]
    memory = [(op, dict(rows=n // 1024, cols=1024)) for n in (elements[:3] if options.cpu else elements)
              for op in ("copy", "add", "relu")]
    thorough = 1 if options.cpu else 4 if r.quick else 1000
    convolutions = []
    for shape in r.convolutions.values():  # of the networks, each once
        if ("conv2d", shape) not in convolutions:
            convolutions.append(("conv2d", shape))
    for precision in ("bf16", "tf32", "fp32"):
        products = chosen_products(512 if options.cpu else 16384 if precision != "fp32" else 8192)
        r.section(precision + " products", r.all_operators, precision, products[:thorough])
        r.section(precision + " convolutions", r.all_operators, precision, convolutions[:thorough], precision == "bf16")
        if precision != "tf32":
            r.section(precision + " memory", r.all_operators, precision, memory)
    for precision in ("bf16", "fp32", "tf32"):
        shapes = random_operators(60)
        if options.cpu:
            shapes = [s for s in shapes if math.prod(s[1].values()) < 1e8][:2]
        r.section(precision + " operators at random", r.all_operators, precision, shapes[:thorough],
                  precision == "bf16")


if __name__ == "__main__":
    main()
