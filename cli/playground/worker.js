// Python, and this package in it. Requests come as messages; answers go back under the same number.
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
import os, sys
sys.path.insert(0, "/lib/packages")
os.environ.update(COLUMNS="100", NO_COLOR="1")
os.makedirs("/work", exist_ok=True)
os.chdir("/work")
from bufferize.cli.playground import answer
`);
const answer = python.globals.get("answer");
onmessage = ({ data: { id, request } }) => {
  try {
    postMessage({ id, answer: JSON.parse(answer(JSON.stringify(request))) });
  } catch (failure) {
    postMessage({ id, failure: String(failure) });
  }
};
postMessage({ ready: true });
