"""Training graphs of six models, exported from JAX, with XLA's temporaries.

    python -m bufferize.benchmarks.training_graphs make FOLDER       # needs JAX and IREE's compiler (the extra `jax`)
    python -m bufferize.benchmarks.training_graphs measure FOLDER    # a table of peaks

Each model is a loss in plain JAX, differentiated with `jax.grad` by its parameters. `make` writes `NAME.mlir`, linalg on tensors as
IREE's input pipeline gives it, and `xla.json`, the bytes of temporaries that XLA's CPU compiler reports for the same function.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Array = Any
"""A JAX array; JAX is not required for measuring."""


def models() -> dict[str, tuple[Callable[..., Array], list[tuple[int, ...]]]]:
    """By name, a loss whose last argument is the input, and the shapes of its arguments."""
    jax, jnp, lax = (importlib.import_module(name) for name in ("jax", "jax.numpy", "jax.lax"))

    def norm(x: Array, scale: Array) -> Array:
        mean = x.mean(-1, keepdims=True)
        centred = x - mean
        return scale * centred * lax.rsqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)

    def mlp(*args: Array) -> Array:
        *weights, x = args
        for w in weights[:-1]:
            x = jax.nn.gelu(x @ w)
        return ((x @ weights[-1]) ** 2).mean()

    heads, width, length, layers = 4, 64, 128, 4

    def block(x: Array, s1: Array, qkv: Array, out: Array, s2: Array, up: Array, down: Array) -> Array:
        h = norm(x, s1)
        q, k, v = jnp.split((h @ qkv).reshape(length, 3 * heads, width // heads), 3, axis=1)
        scores = jnp.einsum("qhd,khd->hqk", q, k) / (width // heads) ** 0.5
        scores = jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9)
        mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores, -1), v)
        x = x + mixed.reshape(length, width) @ out
        return x + jax.nn.gelu(norm(x, s2) @ up) @ down

    def transformer(*args: Array) -> Array:
        *parameters, x = args
        for i in range(layers):
            x = block(x, *parameters[6 * i : 6 * i + 6])
        return (x * x).mean()

    def lstm(wx: Array, wh: Array, b: Array, xs: Array) -> Array:
        h = c = jnp.zeros((xs.shape[1], wh.shape[0]))
        total = jnp.zeros(())
        for t in range(xs.shape[0]):
            i, f, g, o = jnp.split(xs[t] @ wx + h @ wh + b, 4, axis=-1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            total += (h * h).mean()
        return total

    def conv(x: Array, w: Array, stride: int = 1) -> Array:
        return lax.conv_general_dilated(
            x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    def convnet(*args: Array) -> Array:
        *weights, head, x = args
        for w in weights:
            x = jax.nn.relu(conv(x, w))
            x = (x[:, ::2, ::2] + x[:, 1::2, ::2] + x[:, ::2, 1::2] + x[:, 1::2, 1::2]) / 4
        return ((x.reshape(x.shape[0], -1) @ head) ** 2).mean()

    def resnet(*args: Array) -> Array:
        *weights, x = args
        x = jax.nn.relu(conv(x, weights[0]))
        for first, second, scale in zip(weights[1::3], weights[2::3], weights[3::3], strict=True):
            x = x + conv(jax.nn.relu(norm(conv(x, first), scale)), second)
            x = jax.nn.relu(x)
        return (x.mean((1, 2)) ** 2).mean()

    def inception(*args: Array) -> Array:
        *weights, x = args
        for i in range(0, len(weights), 6):
            one, three_in, three, five_in, five, pool = weights[i : i + 6]
            branches = [
                jax.nn.relu(conv(x, one)),
                jax.nn.relu(conv(jax.nn.relu(conv(x, three_in)), three)),
                jax.nn.relu(conv(jax.nn.relu(conv(x, five_in)), five)),
                jax.nn.relu(conv((x + jnp.roll(x, 1, 1) + jnp.roll(x, 1, 2)) / 3, pool)),
            ]
            x = jnp.concatenate(branches, axis=-1)
        return (x.mean((1, 2)) ** 2).mean()

    d = width
    per_block: list[tuple[int, ...]] = [(d,), (d, 3 * d), (d, d), (d,), (d, 4 * d), (4 * d, d)]
    residual: list[tuple[int, ...]] = [(3, 3, 16, 16), (3, 3, 16, 16), (16,)]
    mixed: list[tuple[int, ...]] = []
    for channels in (16, 32, 32):
        mixed += [(1, 1, channels, 8), (1, 1, channels, 8), (3, 3, 8, 8)]
        mixed += [(1, 1, channels, 8), (5, 5, 8, 8), (1, 1, channels, 8)]
    pooled: list[tuple[int, ...]] = [(3, 3, 3, 16), (3, 3, 16, 32), (3, 3, 32, 64), (256, 10)]
    return {
        "mlp": (mlp, [(64, 64)] * 8 + [(256, 64)]),
        "transformer": (transformer, [*per_block * layers, (length, d)]),
        "lstm": (lstm, [(32, 256), (64, 256), (256,), (12, 64, 32)]),
        "convnet": (convnet, [*pooled, (4, 16, 16, 3)]),
        "resnet": (resnet, [(3, 3, 3, 16), *residual * 4, (4, 16, 16, 3)]),
        "inception": (inception, [*mixed, (4, 16, 16, 16)]),
    }


def make(folder: Path) -> None:
    """Write the programs, and the sizes of XLA's temporaries."""
    jax = importlib.import_module("jax")

    from ..bridges.reading import read
    from ..ir.text.printer import print_module

    folder.mkdir(parents=True, exist_ok=True)
    temporaries: dict[str, int] = {}
    for name, (loss, shapes) in models().items():
        every = tuple(range(len(shapes) - 1))
        arguments = [jax.ShapeDtypeStruct(shape, "float32") for shape in shapes]
        lowered = jax.jit(jax.grad(loss, every)).lower(*arguments)
        temporaries[name] = lowered.compile().memory_analysis().temp_size_in_bytes
        (folder / f"{name}.mlir").write_text(print_module(read(lowered, name)), "utf-8")
        print(f"{name}: {temporaries[name]:,} bytes of temporaries in XLA", file=sys.stderr)
    (folder / "xla.json").write_text(json.dumps(temporaries, indent=1) + "\n", "utf-8")


def measure(folder: Path) -> None:
    """Print a table of peaks: as exported, reordered, with destination-passing, and with at most a third more
    computation.
    """
    from ..analysis.models.facts import registry_with
    from ..analysis.one_shot.options import AnalysisOptions
    from ..ir.source.locations import Source
    from ..ir.text.parser import parse_source
    from ..transforms.memory_arena.tensors import TrialSettings, Wanted, improve

    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    settings = TrialSettings(options, registry_with([], []), 64)
    known = folder / "xla.json"
    xla: dict[str, int] = json.loads(known.read_text("utf-8")) if known.exists() else {}
    print("| program | as exported | order | destinations | a third more computed | more | XLA |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for path in sorted(folder.glob("*.mlir")):
        cells: list[str] = []
        for wanted in (Wanted(), Wanted(destinations=True), Wanted(1, 33)):
            module = parse_source(Source(path.name, path.read_text("utf-8")))
            found = improve(module, settings, wanted).values()
            if not found:
                break
            if not cells:
                cells.append(f"{max(each.before.peak for each in found):,}")
            cells.append(f"{max(each.after.peak for each in found):,}")
            more = sum(each.bytes for each in found) / max(1, sum(each.computed for each in found))
            if wanted.budget is not None:
                cells.append(f"{100 * more:.0f} %")
        print(f"| {path.stem} | {' | '.join(cells)} | {xla.get(path.stem, 0):,} |", flush=True)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="training_graphs", description=__doc__)
    parser.add_argument("command", choices=["make", "measure"])
    parser.add_argument("folder", type=Path)
    flags = parser.parse_args(arguments)
    (make if flags.command == "make" else measure)(flags.folder)


if __name__ == "__main__":
    main()
