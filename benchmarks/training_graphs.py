"""Training steps of eight models, exported from JAX, with XLA's temporaries.

    python -m bufferize.benchmarks.training_graphs make FOLDER       # needs JAX and IREE's compiler (the extra `jax`)
    python -m bufferize.benchmarks.training_graphs measure FOLDER    # a table of peaks

Each model is a loss in plain JAX. Its step returns the loss and the updated parameters (`jax.value_and_grad`, and steps against
the gradient). `make` writes `NAME.mlir`, linalg on tensors as
IREE's input pipeline gives it, and `xla.json`, the bytes of temporaries that XLA's CPU compiler reports for the same function.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean
from typing import Any

Array = Any
"""A JAX array; JAX is not required for measuring."""


Shapes = list[tuple[int, ...]]


def models() -> dict[str, tuple[Callable[..., Array], Shapes, Shapes]]:
    """By name, a loss, and the shapes of its parameters and of its inputs, which follow them."""
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

    def autoencoder(*args: Array) -> Array:
        *weights, x = args
        code = jnp.tanh(jnp.tanh(x @ weights[0]) @ weights[1]) @ weights[2]
        back = jnp.tanh(jnp.tanh(code @ weights[3]) @ weights[4]) @ weights[5]
        return ((jax.nn.sigmoid(back) - x) ** 2).mean() + 1e-3 * (code * code).mean()

    def attention(q: Array, k: Array, v: Array, out: Array, keys: Array, values: Array, x: Array) -> Array:
        keys = lax.dynamic_update_slice(keys, x @ k, (64, 0)).reshape(128, heads, 16)
        values = lax.dynamic_update_slice(values, x @ v, (64, 0)).reshape(128, heads, 16)
        scores = jnp.einsum("qhd,khd->hqk", (x @ q).reshape(64, heads, 16), keys) / 4
        mixed = jnp.einsum("hqk,khd->qhd", jax.nn.softmax(scores, -1), values)
        return ((mixed.reshape(64, width) @ out - x) ** 2).mean()

    d = width
    per_block: Shapes = [(d,), (d, 3 * d), (d, d), (d,), (d, 4 * d), (4 * d, d)]
    residual: Shapes = [(3, 3, 16, 16), (3, 3, 16, 16), (16,)]
    mixed: Shapes = []
    for channels in (16, 32, 32):
        mixed += [(1, 1, channels, 8), (1, 1, channels, 8), (3, 3, 8, 8)]
        mixed += [(1, 1, channels, 8), (5, 5, 8, 8), (1, 1, channels, 8)]
    pooled: Shapes = [(3, 3, 3, 16), (3, 3, 16, 32), (3, 3, 32, 64), (256, 10)]
    halves: Shapes = [(256, 128), (128, 64), (64, 16), (16, 64), (64, 128), (128, 256)]
    return {
        "mlp": (mlp, [(64, 64)] * 8, [(256, 64)]),
        "transformer": (transformer, per_block * layers, [(length, d)]),
        "lstm": (lstm, [(32, 256), (64, 256), (256,)], [(12, 64, 32)]),
        "convnet": (convnet, pooled, [(4, 16, 16, 3)]),
        "resnet": (resnet, [(3, 3, 3, 16), *residual * 4], [(4, 16, 16, 3)]),
        "inception": (inception, mixed, [(4, 16, 16, 16)]),
        "autoencoder": (autoencoder, halves, [(256, 256)]),
        "attention": (attention, [(d, d)] * 4, [(128, d), (128, d), (64, d)]),
    }


def make(folder: Path) -> None:
    """Write the programs, and the sizes of XLA's temporaries."""
    jax = importlib.import_module("jax")

    from ..bridges import read
    from ..ir.text.printer import print_module

    folder.mkdir(parents=True, exist_ok=True)
    temporaries: dict[str, int] = {}
    for name, (loss, parameters, inputs) in models().items():
        differentiated = jax.value_and_grad(loss, tuple(range(len(parameters))))

        def step(*arguments: Array, value_and_gradients: Callable[..., Array] = differentiated) -> Array:
            value, gradients = value_and_gradients(*arguments)
            return value, [w - 0.01 * g for w, g in zip(arguments, gradients, strict=False)]

        arguments = [jax.ShapeDtypeStruct(shape, "float32") for shape in (*parameters, *inputs)]
        lowered = jax.jit(step).lower(*arguments)
        temporaries[name] = lowered.compile().memory_analysis().temp_size_in_bytes
        (folder / f"{name}.mlir").write_text(print_module(read(lowered, name)), "utf-8")
        print(f"{name}: {temporaries[name]:,} bytes of temporaries in XLA", file=sys.stderr)
    (folder / "xla.json").write_text(json.dumps(temporaries, indent=1) + "\n", "utf-8")


def measure(folder: Path) -> None:
    """Print a table of peaks: as exported, reordered, and with at most a third more computation.

    An asterisk marks the least of any order, a dagger the least with the same in-place decisions. The last line has the
    geometric means of what is saved, and of what orders can save at most, with the same decisions and with any.
    """
    from ..analysis.models.facts import registry_with
    from ..analysis.one_shot import AnalysisOptions
    from ..ir.source.locations import Source
    from ..ir.text.parser import parse_source
    from ..transforms.memory_arena.tensors import Wanted, improve
    from ..transforms.memory_arena.trials import TrialSettings

    options = AnalysisOptions(bufferize_function_boundaries=True, allow_return_allocs_from_loops=True)
    settings = TrialSettings(options, registry_with([], []), 64)
    known = folder / "xla.json"
    xla: dict[str, int] = json.loads(known.read_text("utf-8")) if known.exists() else {}
    print("| program | as exported | order | a third more computed | more | XLA |")
    print("|---|--:|--:|--:|--:|--:|")
    rests: dict[bool, list[float]] = {False: [], True: []}
    least_rests: list[tuple[float, float]] = []
    for path in sorted(folder.glob("*.mlir")):
        cells: list[str] = []
        for wanted in (Wanted(), Wanted(1, 33)):
            module = parse_source(Source(path.name, path.read_text("utf-8")))
            found = improve(module, settings, wanted).values()
            if not found:
                break
            before = max(each.before.peak for each in found)
            if not cells:
                cells.append(f"{before:,}")
            largest = max(found, key=lambda each: each.after.peak)
            peak, claim = largest.after.peak, largest.claim
            rests[wanted.budget is not None].append(peak / before)
            if wanted.budget is None:
                least_rests.append(
                    (max(claim.any_order, claim.these_decisions) / before, claim.any_order / before)
                )
            least = "\\*" if peak <= claim.any_order else "†" if peak <= claim.these_decisions else ""
            cells.append(f"{peak:,}{least}")
            more = sum(each.bytes for each in found) / max(1, sum(each.computed for each in found))
            if wanted.budget is not None:
                cells.append(f"{100 * more:.0f} %")
        print(f"| {path.stem} | {' | '.join(cells)} | {xla.get(path.stem, 0):,} |", flush=True)
    order, recomputed, decided, any_order = (
        f"{geometric_mean(found) - 1:.1%}"
        for found in (rests[False], rests[True], *zip(*least_rests, strict=True))
    )
    print(f"\n{order} by order, {recomputed} with recomputation")
    print(f"orders save at most {decided} with the same in-place decisions, {any_order} with any")


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="training_graphs", description=__doc__)
    parser.add_argument("command", choices=["make", "measure"])
    parser.add_argument("folder", type=Path)
    flags = parser.parse_args(arguments)
    (make if flags.command == "make" else measure)(flags.folder)


if __name__ == "__main__":
    main()
