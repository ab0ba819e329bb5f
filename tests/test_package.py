"""The package itself: what is shipped, which way imports run, what a command loads, what the README says."""

import ast
import functools
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NOT_PACKAGES = {"tests", "docs", "examples", "build", "dist"}


def package_folders() -> set[str]:
    """The packages that the folders of the checkout make up."""
    found = {"bufferize"}
    for init in ROOT.rglob("__init__.py"):
        folders = init.relative_to(ROOT).parts[:-1]
        if (
            folders
            and folders[0] not in NOT_PACKAGES
            and not any(f.startswith(".") or f == "build" for f in folders)
        ):
            found.add(".".join(("bufferize", *folders)))
    return found


def modules() -> dict[str, Path]:
    """File by module name, for all packages that are shipped."""
    found = {}
    for package in CONFIG["tool"]["setuptools"]["packages"]:
        folder = ROOT.joinpath(*package.split(".")[1:])
        for file in folder.glob("*.py"):
            name = package if file.stem == "__init__" else f"{package}.{file.stem}"
            found[name] = file
    return found


MODULES = modules()


def test_every_package_is_listed_and_every_listed_one_exists():
    assert set(CONFIG["tool"]["setuptools"]["packages"]) == package_folders()


def test_no_folder_with_code_lacks_an_init():
    for folder in {file.parent for file in ROOT.rglob("*.py")}:
        parts = folder.relative_to(ROOT).parts
        if (
            parts
            and parts[0] not in NOT_PACKAGES
            and not any(part.startswith(".") or part == "build" for part in parts)
        ):
            assert (folder / "__init__.py").exists(), folder


def test_data_files_are_shipped():
    settings = CONFIG["tool"]["setuptools"]
    assert set(settings["package-data"]) <= set(settings["packages"])
    shipped = {
        file
        for package, patterns in settings["package-data"].items()
        for pattern in patterns
        for file in ROOT.joinpath(*package.split(".")[1:]).glob(pattern)
    }
    needed = {
        file
        for package in ROOT.glob("*/__init__.py")
        if package.parent.name not in NOT_PACKAGES
        for ending in ("*.lark", "*.tables.json", "*.dl", "*.rules.json", "*.css", "*.js")
        for file in package.parent.rglob(ending)
    }
    assert needed | set((ROOT / "examples").glob("*.mlir")) <= shipped


# -- imports


@functools.cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


@functools.cache
def imports(module: str, file: Path) -> tuple[tuple[str, bool], ...]:
    """The modules of this package that `module` imports; and whether it does so when it is itself imported."""
    return tuple(_imports(module, file))


def _imports(module: str, file: Path) -> Iterator[tuple[str, bool]]:
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    pending: list[tuple[ast.AST, bool]] = [(tree_of(file), True)]
    while pending:
        node, at_once = pending.pop()
        if isinstance(node, ast.ImportFrom):
            if node.level:
                base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
                target = f"{base}.{node.module}" if node.module else base
            else:
                target = node.module or ""
            if target.split(".")[0] == "bufferize":
                for alias in node.names:
                    whole = f"{target}.{alias.name}"
                    yield (whole if whole in MODULES else target), at_once
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "bufferize":
                    yield alias.name, at_once
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue  # for type checkers only
        inside = at_once and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        pending += [(child, inside) for child in ast.iter_child_nodes(node)]


LAYERS = ("ir", "dialects", "semantics", "analysis", "transforms", "explain", "lint", "viz", "lsp")
BESIDE = {"interpreter", "proof"}
"""They stand on `semantics`; what explains programs may run and prove them."""
ALLOWED = {
    layer: {*LAYERS[: i + 1], *(BESIDE if i >= LAYERS.index("explain") else ())}
    for i, layer in enumerate(LAYERS)
} | {layer: {"ir", "dialects", "semantics", layer} for layer in BESIDE}
"""What each folder may import. `cli`, which starts the server too, `benchmarks` and the package itself stand above all."""
RESOLVED_BY_NAME = {
    # looks up classes of operations where a name is all that is known; imported on demand
    ("ir", "dialects"),
}


def layer(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_imports_run_one_way():
    wrong = []
    for module, file in MODULES.items():
        allowed = ALLOWED.get(layer(module))
        if allowed is None:
            continue
        for target, at_once in imports(module, file):
            upward = (layer(module), layer(target))
            if layer(target) not in allowed and (at_once or upward not in RESOLVED_BY_NAME):
                wrong.append(f"{module} imports {target}")
    assert wrong == []


def test_no_two_modules_import_each_other():
    edges = {
        module: {target for target, _ in imports(module, file) if target in MODULES} - {module}
        for module, file in MODULES.items()
    }
    mutual = sorted(
        f"{module} and {target}"
        for module, targets in edges.items()
        for target in targets
        if module < target and module in edges[target]
    )
    assert mutual == []


def all_imports(module: str, file: Path) -> Iterator[str]:
    """The modules of this package that `module` imports, for type checkers too."""
    package = module if file.stem == "__init__" else module.rpartition(".")[0]
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
            target = f"{base}.{node.module}" if node.module else base
            for alias in node.names:
                whole = f"{target}.{alias.name}"
                yield whole if whole in MODULES else target


ONE_STRUCTURE = {
    # operations, values, blocks and regions refer to one another: one data structure in several files
    frozenset({"ir.program.core", "ir.program.blocks", "ir.program.values"}),
}


def test_no_circle_of_imports_for_types_neither():
    import networkx as nx

    graph = nx.DiGraph(
        (module.removeprefix("bufferize."), target.removeprefix("bufferize."))
        for module, file in MODULES.items()
        for target in all_imports(module, file)
        if target in MODULES and target != module
    )
    circles = {frozenset(c) for c in nx.strongly_connected_components(graph) if len(c) > 1}
    assert circles - ONE_STRUCTURE == set()


FOLDERS_OF_IR = ("source", "types", "program", "declaration", "text")


def test_the_folders_of_ir_have_one_direction():
    wrong = []
    for module, file in MODULES.items():
        if not module.startswith("bufferize.ir."):
            continue
        for target in all_imports(module, file):
            home, other = module.split("."), target.split(".")
            if len(home) > 3 and len(other) > 3 and other[1] == "ir" and other[2] in FOLDERS_OF_IR:
                inner, outer = FOLDERS_OF_IR.index(home[2]), FOLDERS_OF_IR.index(other[2])
                wrong += [f"{module} imports {target}"] if inner < outer else []
    assert wrong == []


MAX_LINES = 600


def test_flags_as_parsed_end_at_the_command_line():
    elsewhere = {
        file.relative_to(ROOT).as_posix()
        for package in ROOT.glob("*/__init__.py")
        if package.parent.name not in {*NOT_PACKAGES, "benchmarks", "cli"}
        for file in package.parent.rglob("*.py")
        if "argparse" in file.read_text("utf-8")
    }
    assert elsewhere == {"dialects/ods/__main__.py"}  # a command of its own


def test_no_file_is_long():
    long = {
        file.relative_to(ROOT).as_posix(): lines
        for file in ROOT.rglob("*.py")
        if not any(part.startswith(".") or part == "build" for part in file.relative_to(ROOT).parts)
        and (lines := file.read_text("utf-8").count("\n")) > MAX_LINES
    }
    assert long == {}


def test_no_two_public_classes_share_a_name():
    """Operations are left out: their classes have the names that MLIR gives them, and are told apart by dialect."""
    found: dict[str, list[str]] = {}
    for module, file in MODULES.items():
        for node in tree_of(file).body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            if ".dialects" not in module or not node.name.endswith("Op"):
                found.setdefault(node.name, []).append(module)
    assert {name: modules for name, modules in found.items() if len(modules) > 1} == {}


@pytest.mark.parametrize(
    "words", [["--version"], ["--help"], ["explain", "--help"], ["opt", "--help"]], ids=" ".join
)
def test_what_prints_a_page_loads_nothing_heavy(words):
    code = (
        "import sys\n"
        "from bufferize.cli.main import main\n"
        f"main({words!r})\n"
        "heavy = {'lark', 'numpy', 'networkx', 'rich', 'pydot'} & set(sys.modules)\n"
        "sys.exit(' '.join(heavy) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


AT_START = {
    "opt -": 62,
    "opt - -canonicalize": 80,
    "opt - -one-shot-bufferize": 145,
    "explain -": 275,
}
"""The modules of this package that a command may load for a small program: each costs up to a millisecond."""


@pytest.mark.parametrize("command", AT_START)
def test_a_command_loads_what_it_needs(command):
    code = (
        "import sys\n"
        "from bufferize.cli.main import main\n"
        f"main({command.split()!r})\n"
        "sys.stderr.write(str(sum(name.startswith('bufferize.') for name in sys.modules)))\n"
    )
    program = "func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {\n  return %t : tensor<4xf32>\n}\n"
    done = subprocess.run([sys.executable, "-c", code], input=program, capture_output=True, text=True)
    assert done.returncode == 0
    assert 30 < int(done.stderr) <= AT_START[command]


# -- what an operation means stands in few places


def named_in_code(file: Path, name: str) -> bool:
    """Whether a class or a string that is no text has this name."""
    for node in ast.walk(tree_of(file)):
        names = {
            ast.Name: lambda n: n.id,
            ast.Attribute: lambda n: n.attr,
            ast.ClassDef: lambda n: n.name,
            ast.alias: lambda n: n.name,
            ast.Constant: lambda n: n.value if isinstance(n.value, str) and " " not in n.value else "",
        }
        if type(node) in names and re.fullmatch(name, names[type(node)](node)):
            return True
    return False


@pytest.mark.parametrize(
    ("name", "most"),
    [(r"InsertSliceOp|tensor\.(parallel_)?insert_slice", 12), (r"ForOp|scf\.for", 20)],
)
def test_few_files_name_an_operation(name, most):
    """Generators of random programs, which write text, are left out of the first, and benchmarks of both."""
    found = [
        module
        for module, file in MODULES.items()
        if ".benchmarks" not in module and named_in_code(file, name)
    ]
    assert 3 < len(found) <= most, found


# -- the README


README = (ROOT / "README.md").read_text("utf-8")


def test_readme_has_its_two_commands():
    blocks = re.findall(r"```sh\n(.*?)```", README, re.S)
    assert any(".venv/bin/bufferize explain examples/" in block for block in blocks)
    assert any("-m pytest" in block for block in blocks)
    assert "<!-- test-command -->" in README


def test_files_that_the_readme_names_exist():
    names = re.findall(r"\]\((?!https?:)([^)#]+)", README) + re.findall(r"examples/\w+\.mlir", README)
    assert names
    for name in names:
        assert (ROOT / name).exists(), name


def test_commands_that_the_readme_names_exist():
    from bufferize.cli.commands import COMMANDS

    named = set(re.findall(r"`bufferize (\w+) ", README)) | set(re.findall(r"/bufferize (\w+) ", README))
    assert named
    assert named - {"COMMAND"} <= set(COMMANDS)


def test_first_example_of_the_readme_is_what_is_printed(capsys, monkeypatch):
    from bufferize.cli.main import main

    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    block = re.search(r"```\n\$ bufferize (.*?)\n(.*?)```", README, re.S)
    assert block is not None
    main([*block[1].split(), "--color", "never"])
    shown = capsys.readouterr().out
    assert block[2].strip() in shown


# -- what type checkers are told to overlook


CEILINGS = {
    # these may only be lowered
    r"\bAny\b": 1_330,
    r": Any\b": 188,
    r"# (?:pyright|type): ignore": 75,
    r"\bop\.name ==": 40,
}
"""How often a pattern may stand in the code of the packages."""


@pytest.mark.parametrize("pattern", CEILINGS)
def test_types_are_not_given_up_more_often_than_before(pattern):
    found = sum(len(re.findall(pattern, file.read_text("utf-8"))) for file in MODULES.values())
    assert found <= CEILINGS[pattern]
