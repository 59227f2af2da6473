// Runs the code cells of notebooks in Pyodide, as JupyterLite's kernel does: node run_notebooks.mjs PYODIDE NOTEBOOK...
// Prints a line of JSON for each: {name, said, failed}.
import { readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...notebooks] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
const quiet = { messageCallback: () => {}, errorCallback: () => {} };
const python = await loadPyodide({ indexURL: `${resolve(folder)}/`, env: { HOME: "/home/pyodide", MPLBACKEND: "agg" }, stderr: () => {} });
await python.loadPackage(["ipython", "sqlite3"], quiet);
await python.runPythonAsync(`
import io, sys
from contextlib import redirect_stdout
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()

def run(source):
    with redirect_stdout(io.StringIO()) as said:
        right = shell.run_cell(source).success
    return [right, said.getvalue()]
`);
const run = python.globals.get("run");
for (const path of notebooks) {
  await python.runPythonAsync("shell.reset()");
  const result = { name: basename(path), said: "", failed: null };
  for (const cell of JSON.parse(readFileSync(path, "utf-8")).cells) {
    if (cell.cell_type !== "code" || result.failed) continue;
    const source = cell.source.join("");
    await python.loadPackagesFromImports(source, quiet);
    const [right, said] = run(source).toJs();
    result.said += said;
    if (!right) result.failed = `${cell.id}: ${said.slice(-2000)}`;
  }
  console.log(JSON.stringify(result));
}
