// Python, and this package in it. Programs come as messages; their text and report go back.
const say = (state) => postMessage({ state });
const settings = await (await fetch("settings.json")).json();
const home = new URL(settings.pyodide, location.href).href;
say("loading Python");
const [{ loadPyodide }, archive] = await Promise.all([
  import(home + "pyodide.mjs"),
  fetch("bufferize.zip").then((answer) => answer.arrayBuffer()),
]);
const python = await loadPyodide({ indexURL: home });
say("loading bufferize");
python.unpackArchive(archive, "zip", { extractDir: "/lib/packages" });
python.runPython(`
import io, os, sys
from contextlib import redirect_stderr, redirect_stdout
sys.path.insert(0, "/lib/packages")
os.environ.update(COLUMNS="100", NO_COLOR="1")
os.makedirs("/work", exist_ok=True)
os.chdir("/work")
from bufferize.cli.main import main

class Stream(io.TextIOWrapper):
    """Text that commands write, as they would to a terminal."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", errors="surrogateescape", write_through=True)

    def text(self):
        self.flush()
        return self.buffer.getvalue().decode("utf-8", "replace")

def command(*words):
    out = Stream()
    with redirect_stdout(out), redirect_stderr(out):
        main(list(words))
    return out.text()

def write(program):
    with open("program.mlir", "w", encoding="utf-8", errors="replace") as file:
        file.write(program)
    if os.path.exists("report.html"):
        os.remove("report.html")

def report():
    said = command("report", "program.mlir", "-o", "report.html", "--isolated")
    if os.path.exists("report.html"):
        with open("report.html", encoding="utf-8") as file:
            return file.read()
    return ""
`);
const call = (name, ...words) => python.globals.get(name)(...words);
onmessage = ({ data }) => {
  const start = performance.now();
  try {
    call("write", data.program);
    postMessage({ text: call("command", "explain", "program.mlir", "--isolated") });
    postMessage({ report: call("report") });
  } catch (failure) {
    postMessage({ text: String(failure) });
  }
  postMessage({ done: true, milliseconds: performance.now() - start });
};
postMessage({ ready: true });
