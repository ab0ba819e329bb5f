// node compile.mjs FOLDER: modules of the archives there become code of the Python that will run them, so that no reader's browser
// compiles them. What is not Python stays as it is.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const folder = resolve(process.argv[2]);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${folder}/pyodide/` });
python.runPython(`
import importlib._bootstrap_external as loader
import importlib.util
import zipfile

def compiled():
    with zipfile.ZipFile("in.zip") as given, zipfile.ZipFile("out.zip", "w", zipfile.ZIP_DEFLATED) as made:
        for name in given.namelist():
            data = given.read(name)
            if name.endswith(".py"):
                try:
                    code = compile(data, "/" + name, "exec", dont_inherit=True)
                except (SyntaxError, ValueError):
                    pass  # a sample of what is wrong, as libraries keep in their tests
                else:
                    name += "c"
                    data = loader._code_to_hash_pyc(code, importlib.util.source_hash(data), checked=False)
            made.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
`);
const archives = ["bufferize.zip", "pyodide/python_stdlib.zip"].map((name) => {
  python.FS.writeFile("in.zip", new Uint8Array(readFileSync(`${folder}/${name}`)));
  python.runPython("compiled()");
  return [name, python.FS.readFile("out.zip")];
});
for (const [name, data] of archives) writeFileSync(`${folder}/${name}`, data);
