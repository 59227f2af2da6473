// Runs in JupyterLite's pages. Reports outdated copies of labs, and cells that never end. lite.py defines TOLD above this code.
const BUSY = 30_000; // milliseconds

(async () => {
  const app = await until(() => window.jupyterapp);
  await app.started;
  const seen = new Set();
  setInterval(() => {
    const panel = app.shell.currentWidget;
    if (panel?.content?.model?.cells?.length && !seen.has(panel.id)) {
      seen.add(panel.id);
      attend(app, panel);
    }
  }, 300);
})();

async function until(what) {
  while (!what()) await new Promise(next => setTimeout(next, 50));
  return what();
}

function wordsOf(panel) {
  const folder = panel.context.path.split("/").slice(-2, -1)[0];
  return TOLD.words[folder] ?? TOLD.words[TOLD.first] ?? TOLD.words.en;
}

async function attend(app, panel) {
  const words = wordsOf(panel);
  const label = '[data-command="docmanager:download"] .jp-ToolbarButtonComponent-label';
  await panel.context.ready;
  await until(() => panel.node.querySelector(label) ?? document.querySelector(label)); // the toolbar appears after the notebook
  document.querySelectorAll(label).forEach(each => {
    each.textContent = words["hand-in"];
    Object.assign(each.closest("jp-button").style, { border: "1px solid var(--jp-border-color1)", borderRadius: "4px", padding: "0 4px" });
  });
  sayIfStale(app, panel, words);
  watchForEnd(app, panel, words);
}

function notify(app, message, label, commandId) {
  const options = { autoClose: false, actions: [{ label, commandId, displayType: "accent" }] };
  return app.commands.execute("apputils:notify", { message, type: "warning", options });
}

// The title cell shows the lab's version. A copy in the browser's storage hides the site's newer lab.
function sayIfStale(app, panel, words) {
  const found = /<small>Versi[oó]n ([^<]+)<\/small>/.exec(panel.content.model.cells.get(0).sharedModel.getSource());
  if (!found || found[1].trim() === TOLD.version) return;
  const command = `labkit:fresh-${panel.id}`;
  app.commands.addCommand(command, {
    label: words.fresh,
    execute: async () => {
      const { path } = panel.context, kept = path.replace(/\.ipynb$/, ` (${found[1].trim()}).ipynb`);
      await panel.context.save();
      await app.serviceManager.contents.rename(path, kept);
      location.reload();
    },
  });
  notify(app, words.stale.replace("{old}", found[1].trim()).replace("{new}", TOLD.version), words.fresh, command);
}

// In the browser, only restarting the kernel stops an endless cell.
function watchForEnd(app, panel, words) {
  let timer = null, warm = false;
  const context = panel.sessionContext;
  context.statusChanged.connect((_, status) => {
    if (status === "busy" && warm) timer ??= setTimeout(say, BUSY);
    if (status === "idle") warm = true;
    if (status !== "busy") { clearTimeout(timer); timer = null; }
  });
  function say() {
    notify(app, words["kernel-busy"], words.restart, "notebook:restart-kernel");
  }
}
