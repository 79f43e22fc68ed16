#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times matrix products, convolutions and element-wise operators of PyTorch on this machine.

    python3 measure_operators.py > my-gpu.csv            # about five minutes on a GPU
    python3 measure_operators.py --quick > my-gpu.csv    # about half a minute
    python3 measure_operators.py --cpu --quick           # without a GPU: to see that it works

    scalescope measure calibrate my-gpu.csv --name "my GPU" --save my-gpu.json

Writes a CSV to standard output, one row per operator, pass and precision, as it goes; progress goes to standard error.
Needs PyTorch 1.13 or later and nothing else. Nothing is sent anywhere.

How it measures: shapes are drawn at random, evenly in the logarithm of every dimension, with a fixed seed, so that two
machines measure the same ones. Each is run a few times to warm up (the first run may choose an algorithm), then
`--repeats` times. On a GPU every run lies between two CUDA events, on a CPU between two readings of the clock; the
median of the runs is written. So a time holds the launch of the operator, as a training step does. The gradient of the
input and that of the weights are timed apart. TF32 is off for fp32 and on for tf32.

Columns: device, framework, op, pass, precision, then the shape: batch, m, n, k of a product (C[m x n] = A[m x k] B[k x n],
batch of them); batch, in_channels, height, width, out_channels, kernel_height, kernel_width, stride, padding, groups of a
convolution; rows, cols of an element-wise operator; then time_ms and repeats. Cells that do not apply are empty.
"""

import argparse
import csv
import math
import random
import statistics
import sys
import time

COLUMNS = ["device", "framework", "op", "pass", "precision", "batch", "m", "n", "k", "in_channels", "height", "width",
           "out_channels", "kernel_height", "kernel_width", "stride", "padding", "groups", "rows", "cols", "time_ms",
           "repeats"]


def log_uniform(draws, low, high, step=1):
    """A whole number between low and high, evenly in its logarithm, a multiple of step."""
    value = math.exp(draws.uniform(math.log(low), math.log(high)))
    return max(step, int(round(value / step)) * step)


def product_shapes(count, seed, most):
    """Linear layers (batch 1) and batched products (attention), of at most `most` FLOP."""
    draws = random.Random(seed)
    shapes = []
    while len(shapes) < count:
        if len(shapes) % 3 == 2:
            shape = dict(batch=log_uniform(draws, 4, 512), m=log_uniform(draws, 16, 1024), n=log_uniform(draws, 16, 1024),
                         k=log_uniform(draws, 16, 256, 8))
        else:
            shape = dict(batch=1, m=log_uniform(draws, 8, 16384), n=log_uniform(draws, 32, 16384, 8),
                         k=log_uniform(draws, 32, 16384, 8))
        if 2.0 * shape["batch"] * shape["m"] * shape["n"] * shape["k"] <= most:
            shapes.append(shape)
    return shapes


def convolution_shapes(count, seed, most):
    """Kernels as networks have them, of at most `most` FLOP; one in ten is depthwise."""
    draws = random.Random(seed)
    shapes = []
    while len(shapes) < count:
        kernel = draws.choice([1, 1, 3, 3, 3, 5, 7])
        stride = draws.choice([1, 1, 1, 2])
        channels = log_uniform(draws, 16, 2048, 8)
        filters = log_uniform(draws, 16, 2048, 8)
        groups = 1
        if draws.random() < 0.1 and kernel > 1:
            filters = groups = channels
        size = log_uniform(draws, 7, 224)
        batch = log_uniform(draws, 1, 256)
        outputs = (size + 2 * (kernel // 2) - kernel) // stride + 1
        flops = 2.0 * batch * outputs * outputs * filters * (channels // groups) * kernel * kernel
        elements = batch * (channels * size * size + filters * outputs * outputs)
        if flops <= most and elements <= 2.5e8:
            shapes.append(dict(batch=batch, in_channels=channels, height=size, width=size, out_channels=filters,
                               kernel_height=kernel, kernel_width=kernel, stride=stride, padding=kernel // 2,
                               groups=groups))
    return shapes


def elementwise_shapes(count, seed, most_elements):
    draws = random.Random(seed)
    operators = ["add", "mul", "relu", "gelu", "softmax", "layer_norm"]
    shapes = []
    while len(shapes) < count:
        shape = dict(rows=log_uniform(draws, 64, 65536), cols=log_uniform(draws, 64, 16384, 8))
        if shape["rows"] * shape["cols"] <= most_elements:
            shapes.append((operators[len(shapes) % len(operators)], shape))
    return shapes


class Machine:
    """The device that is measured, and how its clock is read."""

    def __init__(self, torch, on_cpu, repeats):
        self.torch = torch
        self.gpu = not on_cpu
        self.repeats = repeats
        if self.gpu and not torch.cuda.is_available():
            sys.exit("PyTorch finds no GPU here. Use --cpu to time the processor instead.")
        self.place = "cuda" if self.gpu else "cpu"
        self.name = torch.cuda.get_device_name() if self.gpu else "CPU"
        torch.backends.cudnn.benchmark = True

    def median_ms(self, work):
        """Milliseconds of one call of `work`, the median of the repeats."""
        for _ in range(3):
            work()
        times = []
        if self.gpu:
            cuda = self.torch.cuda
            cuda.synchronize()
            for _ in range(self.repeats):
                begin, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
                begin.record()
                work()
                end.record()
                end.synchronize()
                times.append(begin.elapsed_time(end))
        else:
            for _ in range(self.repeats):
                begin = time.perf_counter()
                work()
                times.append(1e3 * (time.perf_counter() - begin))
        return statistics.median(times)

    def tensor(self, dtype, *sides):
        return self.torch.randn(*sides, device=self.place).to(dtype)


def allow_tf32(torch, allowed):
    torch.backends.cuda.matmul.allow_tf32 = allowed
    torch.backends.cudnn.allow_tf32 = allowed


def product_passes(machine, shape, dtype):
    torch = machine.torch
    batch, m, n, k = shape["batch"], shape["m"], shape["n"], shape["k"]
    lead = () if batch == 1 else (batch,)
    a, b, c = (machine.tensor(dtype, *lead, *sides) for sides in ((m, k), (k, n), (m, n)))
    multiply = torch.matmul
    yield "forward", lambda: multiply(a, b)
    yield "input_gradient", lambda: multiply(c, b.transpose(-1, -2))
    yield "weight_gradient", lambda: multiply(a.transpose(-1, -2), c)


def convolution_passes(machine, shape, dtype):
    torch = machine.torch
    data = machine.tensor(dtype, shape["batch"], shape["in_channels"], shape["height"], shape["width"])
    filters = machine.tensor(dtype, shape["out_channels"], shape["in_channels"] // shape["groups"],
                             shape["kernel_height"], shape["kernel_width"])
    stride, padding, groups = shape["stride"], shape["padding"], shape["groups"]

    def forward():
        return torch.nn.functional.conv2d(data, filters, None, stride, padding, 1, groups)

    yield "forward", forward
    error = torch.randn_like(forward())

    def backward(of_data, of_filters):
        return torch.ops.aten.convolution_backward(error, data, filters, None, [stride, stride], [padding, padding],
                                                   [1, 1], False, [0, 0], groups, [of_data, of_filters, False])

    yield "input_gradient", lambda: backward(True, False)
    yield "weight_gradient", lambda: backward(False, True)


def elementwise_work(machine, op, shape, dtype):
    functional = machine.torch.nn.functional
    a = machine.tensor(dtype, shape["rows"], shape["cols"])
    b = machine.tensor(dtype, shape["rows"], shape["cols"])
    return {"add": lambda: a + b, "mul": lambda: a * b, "relu": lambda: functional.relu(a),
            "gelu": lambda: functional.gelu(a), "softmax": lambda: functional.softmax(a, -1),
            "layer_norm": lambda: functional.layer_norm(a, (shape["cols"],))}[op]


def measure(machine, precisions, shapes, out):
    torch = machine.torch
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    dtypes = {"fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
    products, convolutions, elementwise = shapes
    jobs = [("matmul", s) for s in products] + [("conv2d", s) for s in convolutions] + list(elementwise)
    for precision in precisions:
        allow_tf32(torch, precision == "tf32")
        for number, (op, shape) in enumerate(jobs):
            if sys.stderr.isatty():
                print("\r%s: %d of %d " % (precision, number + 1, len(jobs)), end="", file=sys.stderr)
            row = dict(device=machine.name, framework="PyTorch " + torch.__version__, op=op, precision=precision,
                       repeats=machine.repeats, **shape)
            try:
                if op == "matmul":
                    passes = product_passes(machine, shape, dtypes[precision])
                elif op == "conv2d":
                    passes = convolution_passes(machine, shape, dtypes[precision])
                elif precision == "tf32":
                    continue  # only products know it
                else:
                    passes = [("forward", elementwise_work(machine, op, shape, dtypes[precision]))]
                with torch.no_grad():
                    for name, work in passes:
                        writer.writerow(dict(row, **{"pass": name, "time_ms": "%.6g" % machine.median_ms(work)}))
                out.flush()
            except RuntimeError as problem:  # most likely too little memory: the others are still worth having
                print("\nleft out: %s %s: %s" % (op, shape, str(problem).splitlines()[0]), file=sys.stderr)
                if machine.gpu:
                    torch.cuda.empty_cache()
    if sys.stderr.isatty():
        print(file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cpu", action="store_true", help="time the processor instead of a GPU")
    parser.add_argument("--quick", action="store_true", help="a tenth of the shapes, small ones, fewer repeats")
    parser.add_argument("--shapes", type=int, default=200, help="shapes of products, and as many convolutions (200)")
    parser.add_argument("--repeats", type=int, default=25, help="runs of each, of which the median counts (25)")
    parser.add_argument("--precision", action="append", choices=["fp32", "tf32", "fp16", "bf16"],
                        help="may be repeated; by default fp32, and fp16 on a GPU")
    parser.add_argument("--seed", type=int, default=1, help="of the shapes (1)")
    options = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("PyTorch is not installed here: see https://pytorch.org")
    count, repeats = options.shapes, options.repeats
    if options.quick:
        count, repeats = max(4, count // 10), min(repeats, 7)
    machine = Machine(torch, options.cpu, repeats)
    most = (5e7 if options.quick else 2e9) if options.cpu else 2e11 if options.quick else 2e12
    shapes = (product_shapes(count, options.seed, most), convolution_shapes(count, options.seed + 1, most),
              elementwise_shapes(count // 2, options.seed + 2, 2e6 if options.cpu else 1e8))
    measure(machine, options.precision or (["fp32"] if options.cpu else ["fp32", "fp16"]), shapes, sys.stdout)


if __name__ == "__main__":
    main()
