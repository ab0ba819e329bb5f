"""What an index shows of the README: no link leads into a checkout that is not there."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_spec = importlib.util.spec_from_file_location("setup_of_the_package", ROOT / "setup.py")
assert _spec is not None and _spec.loader is not None
setup = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(setup)
README = (ROOT / "README.md").read_text(encoding="utf-8")


def targets(text: str) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S))


def test_links_of_the_index_page_are_addresses():
    assert any(not target.startswith("http") for target in targets(README))
    assert all(target.startswith(("http", "#")) for target in targets(setup.index_page(README)))
    with_files = targets(setup.index_page(README, "https://example.org/files/"))
    assert len(with_files) == len(targets(README)) and all(
        target.startswith("https://") for target in with_files
    )


def test_blocks_stay_as_they_are():
    blocks = re.findall(r"^```.*?^```$", README, re.M | re.S)
    assert re.findall(r"^```.*?^```$", setup.index_page(README), re.M | re.S) == blocks
