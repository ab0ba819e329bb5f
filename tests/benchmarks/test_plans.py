"""`bufferize bench --plans`: files of buffers are planned beside others, and the exit code says what fits."""

import json

from bufferize.cli.main import main

ROWS = "id,lower,upper,size\n0,0,2,4\n1,0,3,3\n2,0,5,1\n3,2,4,2\n4,2,5,2\n5,3,6,3\n6,4,6,2\n7,5,6,3\n"


def test_files_with_and_without_a_capacity(tmp_path, capsys):
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "a.8.csv").write_text(ROWS)
    (tmp_path / "b.csv").write_text(ROWS)
    out = tmp_path / "results"
    assert main(["bench", "--plans", str(tmp_path), "-o", str(out)]) == 0
    said = capsys.readouterr().out
    assert "| a.8.csv | 8 | 1.000 |" in said and "| yes |" in said
    results = {r["name"]: r for r in json.loads((tmp_path / "results.json").read_text())}
    assert results["b.csv"]["capacity"] is None
    assert results["a.8.csv"]["heights"]["bufferize"] == results["a.8.csv"]["bound"] == 8
    assert all(height >= 8 for height in results["a.8.csv"]["heights"].values())


def test_what_does_not_fit_fails(tmp_path, capsys):
    (tmp_path / "a.7.csv").write_text(ROWS)
    assert main(["bench", "--plans", str(tmp_path), "--no-peers"]) == 1
    assert "| no |" in capsys.readouterr().out


def test_a_folder_without_files(tmp_path, capsys):
    assert main(["bench", "--plans", str(tmp_path)]) == 2
    assert "there are no .csv files" in capsys.readouterr().err
