"""Which dialects there are: those whose modules lie in the package."""

from bufferize.ir.text.registry import Registry


def test_dialects_that_are_there_as_compiled_modules_only(tmp_path, monkeypatch):
    """As in a browser, where the package is unpacked without its sources."""
    folder = tmp_path / "a_package_of_dialects"
    (folder / "ods" / "data").mkdir(parents=True)
    for name in ("__init__.py", "scf.py", "memref.pyc", "common.py", "notes.txt"):
        (folder / name).touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    assert Registry("a_package_of_dialects").dialects == ("memref", "scf")
