// Runs in JupyterLite's pages: loads Python early, links to the book, reports outdated copies of labs and cells that never end.
// lite.py defines TOLD above this code.
const BUSY = 30_000; // milliseconds
const WARM_UP = { code: "import matplotlib.pyplot, labkit.notebook", silent: true, store_history: false };
const warm = new Map(); // kernel id => a promise that is kept when the kernel has run WARM_UP

(async () => {
  navigator.storage?.persist?.(); // otherwise browsers may delete notebooks
  const app = await until(() => window.jupyterapp?.serviceManager && window.jupyterapp);
  warmUpKernels(app.serviceManager.sessions);
  await app.started;
  const seen = new Set();
  setInterval(() => {
    const panel = app.shell.currentWidget;
    if (panel?.content?.model?.cells?.length && !seen.has(panel.id)) {
      seen.add(panel.id);
      attend(app, panel);
    }
  }, 50);
})();

async function until(what) {
  while (!what()) await new Promise(next => setTimeout(next, 50));
  return what();
}

// Each kernel first loads the packages, while the student reads, and Matplotlib builds its font cache, where its warning is not shown.
function warmUpKernels(sessions) {
  const start = sessions.startNew.bind(sessions);
  sessions.startNew = async (...all) => {
    const session = await start(...all), { kernel } = session;
    const run = () => warm.set(kernel.id, kernel.requestExecute(WARM_UP).done);
    run();
    kernel.connectionStatusChanged.connect((_, status) => status === "connected" && run()); // after a restart
    return session;
  };
}

function wordsOf(panel) {
  const folder = panel.context.path.split("/").slice(-2, -1)[0];
  return TOLD.words[folder] ?? TOLD.words[TOLD.first] ?? TOLD.words.en;
}

async function attend(app, panel) {
  const words = wordsOf(panel);
  const lab = panel.context.path.replace(/( [^/]*)?\.ipynb$/, "");
  if (TOLD.labs.includes(lab)) startOnce(panel.sessionContext);
  sayWhileLoading(app, panel, words);
  const label = '[data-command="docmanager:download"] .jp-ToolbarButtonComponent-label';
  await panel.context.ready;
  await until(() => panel.node.querySelector(label) ?? document.querySelector(label)); // the toolbar appears after the notebook
  document.querySelectorAll(label).forEach(each => {
    each.textContent = words["hand-in"];
    Object.assign(each.closest("jp-button").style, { border: "1px solid var(--jp-border-color1)", borderRadius: "4px", padding: "0 4px" });
  });
  if (TOLD.labs.includes(lab)) linkToBook(panel, lab.replace(/[^/]+$/, "labs/$&"), words);
  sayIfStale(app, panel, words);
  watchForEnd(app, panel, words);
}

function notify(app, message, ...actions) {
  const type = actions.length ? "warning" : "info", options = { autoClose: false, actions };
  return app.commands.execute("apputils:notify", { message, type, options });
}

// If a cell is run before the kernel has started, wait for the kernel. JupyterLab would ask which kernel to use.
function startOnce(context) {
  const start = context.startKernel.bind(context), known = () => context.kernelPreference.language; // as the lab says
  let starting = null;
  context.startKernel = () => (starting ??= until(known).then(start).finally(() => { starting = null; }));
}

async function sayWhileLoading(app, panel, words) {
  const id = await notify(app, words.loading.replace("{size}", TOLD.megabytes));
  await until(() => warm.get(panel.sessionContext.session?.kernel?.id));
  await warm.get(panel.sessionContext.session.kernel.id);
  app.commands.execute("apputils:dismiss-notification", { id });
}

function linkToBook(panel, place, words) {
  const link = Object.assign(document.createElement("a"), { href: `../../${place}.html`, textContent: words.book });
  link.classList.add("labkit-book");
  Object.assign(link.style, { color: "var(--jp-content-link-color)", margin: "auto 8px", whiteSpace: "nowrap" });
  panel.toolbar.node.prepend(link);
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
  const message = words.stale.replace("{old}", found[1].trim()).replace("{new}", TOLD.version);
  notify(app, message, { label: words.fresh, commandId: command, displayType: "accent" });
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
    const action = { label: words.restart, commandId: "notebook:restart-kernel", displayType: "accent" };
    notify(app, words["kernel-busy"], action);
  }
}
