"""Names that MLIR gave up are answered with what took their place."""

import pytest
from bufferize.cli.opt import main
from bufferize.ir.source.diagnostics import PassFailed
from bufferize.transforms.pass_base import (
    PASSES,
    RETIRED_OPTIONS as OPTIONS,
    RETIRED_PASSES as GONE,
    find_pass,
)
from bufferize.transforms.pass_manager import make_pass


@pytest.mark.parametrize("name", GONE)
def test_a_pass_that_is_gone(name, tmp_path, capsys):
    assert find_pass(name) is None
    with pytest.raises(PassFailed, match=f"'{name}' was removed from MLIR: "):
        make_pass(name)
    file = tmp_path / "f.mlir"
    file.write_text("module {}")
    assert main([str(file), f"-{name}"]) == 1
    assert GONE[name] in capsys.readouterr().err


@pytest.mark.parametrize(("name", "option"), OPTIONS)
def test_an_option_that_is_gone(name, option):
    assert name in PASSES
    with pytest.raises(PassFailed, match=f"option {option} was removed from MLIR: "):
        make_pass(name, f"{option}=1")
