"""What pyproject.toml cannot say: what an index shows of the README, where links into the checkout lead nowhere; and how an editable
install is found by tools that read it without running it.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

HERE = Path(__file__).resolve().parent


def index_page(readme: str, repository: str = "") -> str:
    """The README for a page that has no other files beside it.

    Links and pictures of files lead to `repository`, an address that ends where paths begin; without one, links are their text and
    pictures are left out.
    """

    def link(found: re.Match[str]) -> str:
        mark, text, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        if repository:
            return f"{mark}[{text}]({repository.rstrip('/')}/{target})"
        return "" if mark else text

    parts = re.split(r"(^```.*?^```$)", readme, flags=re.M | re.S)
    parts[::2] = [re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", link, part) for part in parts[::2]]
    return "".join(parts)


class Build(build_py):
    """Leaves this file out of the package, which begins in the same folder."""

    def find_package_modules(self, package: str, package_dir: str) -> list[tuple[str, str, str]]:
        found = super().find_package_modules(package, package_dir)
        return [module for module in found if (module[0], module[1]) != ("bufferize", "setup")]


class Editable(editable_wheel):
    """Puts a folder on the path that has the checkout in it under the package's name.

    The package begins in the checkout's own folder, which may be called anything. setuptools would find it by a hook that runs at start,
    which mypy and pyright do not see; a link they do. Where links cannot be made, the hook it is.
    """

    def _select_strategy(self, name, tag, build_lib):
        folder = HERE / ".editable"
        link = folder / "bufferize"
        try:
            from setuptools.command.editable_wheel import _StaticPth

            folder.mkdir(exist_ok=True)
            if not link.is_symlink():
                link.symlink_to(HERE, target_is_directory=True)
            return _StaticPth(self.distribution, name, [folder])
        except (ImportError, OSError):
            return getattr(super(), "_select_strategy")(name, tag, build_lib)  # noqa: B009


if __name__ == "__main__":
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        long_description=index_page(
            (HERE / "README.md").read_text(encoding="utf-8"), project.get("urls", {}).get("Files", "")
        ),
        long_description_content_type="text/markdown",
        cmdclass={"build_py": Build, "editable_wheel": Editable},
    )
