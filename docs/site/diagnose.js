// The page "What is wrong with my positional encoding?": a form, and below it the answer from diagnose_worker.js.
const SECONDS = 10; // then the worker is ended, and with it an endless loop
const PACKAGES = ["nblabkit", "encoding-labs"];
const HOST = document.getElementById("diagnose");
const LANGUAGE = document.documentElement.lang;
const COMMAND = HOST.querySelector("code").textContent;
const EXAMPLE = `import numpy as np

def positional_encoding(length, d_model):
    table = np.zeros((length, d_model))
    for column in range(d_model):
        table[:, column] = np.arange(length) / 10000 ** (2 * column / d_model)
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return table
`;
const SAY = {
  en: {
    paste: "Your function or table",
    judge: "Find the mistake",
    example: "Try an example",
    privacy: "Your text stays in this browser: it is judged here and sent nowhere. The first answer loads Python, NumPy and the labs' checks, about {size} MB.",
    loading: "Python is loading…",
    judging: "Judging…",
    endless: "Stopped: there was no answer within {seconds} seconds. Is there an endless loop?",
    failed: "Python could not be loaded ({why}). Reload the page, or run this command: {command}",
    stopped: "The code stopped Python: {why}",
    problem: "No answer: {why}.",
    elsewhere: "This page has NumPy, but no other library. To judge code for PyTorch or another one, print the table and paste its numbers, or run this command: {command}",
    given: "Yours",
    right: "Right",
    size: "Positions {top} to {bottom} from top to bottom, dimensions {left} to {end} from left to right. Blue is −{most}, white is 0, red is {most}.",
    framed: "{wrong} of {all} entries differ. The first is framed.",
    same: "All entries agree.",
    shipped: "Shipped in:",
    exercise: "Exercise about it:",
  },
  es: {
    paste: "Tu función o tu tabla",
    judge: "Buscar el error",
    example: "Probar un ejemplo",
    privacy: "Tu texto no sale de este navegador: se analiza aquí y no se envía a ningún sitio. La primera respuesta carga Python, NumPy y las comprobaciones de los laboratorios, unos {size} MB.",
    loading: "Cargando Python…",
    judging: "Analizando…",
    endless: "Detenido: no hubo respuesta en {seconds} segundos. ¿Hay un bucle infinito?",
    failed: "No se pudo cargar Python ({why}). Vuelve a cargar la página o ejecuta esta orden: {command}",
    stopped: "El código detuvo Python: {why}",
    problem: "Sin respuesta: {why}.",
    elsewhere: "Esta página tiene NumPy, pero ninguna otra biblioteca. Si tu código usa PyTorch u otra, imprime la tabla y pega sus números, o ejecuta esta orden: {command}",
    given: "La tuya",
    right: "La correcta",
    size: "Posiciones de {top} a {bottom} de arriba abajo, dimensiones de {left} a {end} de izquierda a derecha. Azul es −{most}, blanco es 0, rojo es {most}.",
    framed: "Difieren {wrong} de {all} valores. El primero está enmarcado.",
    same: "Todos los valores coinciden.",
    shipped: "Se publicó en:",
    exercise: "Ejercicio relacionado:",
  },
}[LANGUAGE];
const MEGABYTES = 18;
const STYLE = `
#diagnose textarea { box-sizing: border-box; width: 100%; min-height: 15rem; font: 0.85rem/1.5 var(--pst-font-family-monospace); padding: 0.6rem;
  color: inherit; background: var(--pst-color-surface); border: 1px solid var(--pst-color-text-muted); border-radius: 0.4rem; }
#diagnose button { font: inherit; padding: 0.35rem 0.9rem; margin: 0.5rem 0.5rem 0.5rem 0; border: 1px solid var(--pst-color-primary); border-radius: 0.4rem;
  color: var(--pst-color-primary); background: transparent; cursor: pointer; }
#diagnose button[type="submit"] { color: var(--pst-color-primary-text); background: var(--pst-color-primary); }
#diagnose button[aria-disabled="true"] { opacity: 0.6; cursor: wait; }
#diagnose [role="status"] { font-weight: 600; min-height: 1.5em; margin: 0.5rem 0; }
#diagnose .maps { display: flex; flex-wrap: wrap; gap: 1rem; }
#diagnose figure { flex: 1 1 16rem; margin: 0; }
#diagnose figcaption { color: inherit; font-weight: 600; }
#diagnose canvas { display: block; width: 100%; height: 20rem; background: white; image-rendering: pixelated; }
`;

const put = (text, facts) => text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

function element(name, text = "", attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text; // pasted text is never read as HTML
  for (const [each, value] of Object.entries(attributes)) made.setAttribute(each, value);
  return made;
}

// The text, with what is in backticks as code.
function paragraph(text) {
  const made = element("p");
  text.split("`").forEach((part, index) => made.append(index % 2 ? element("code", part) : part));
  return made;
}

const field = element("textarea", "", { id: "diagnose-text", spellcheck: "false", autocapitalize: "off", "aria-describedby": "diagnose-privacy" });
const button = element("button", SAY.judge, { type: "submit" });
const example = element("button", SAY.example, { type: "button" });
const status = element("p", "", { role: "status" });
const shown = element("div");
let worker, ready;

if (window.WebAssembly && window.Worker) {
  const form = element("form");
  form.append(element("label", SAY.paste, { for: field.id }), field, button, example);
  form.append(element("p", put(SAY.privacy, { size: MEGABYTES }), { id: "diagnose-privacy" }));
  HOST.replaceChildren(element("style", STYLE), form, status, shown);
  field.addEventListener("focus", start, { once: true });
  form.addEventListener("submit", event => { event.preventDefault(); judge(); });
  example.addEventListener("click", () => { field.value = EXAMPLE; judge(); });
}

function start() {
  return (ready ??= (() => {
    worker = new Worker(new URL("diagnose_worker.js", import.meta.url));
    return replyTo({ python: new URL(HOST.dataset.python, location).href, packages: PACKAGES });
  })());
}

function replyTo(message) {
  return new Promise(resolve => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => resolve({ failed: message });
    worker.postMessage(message);
  });
}

function stop() {
  worker.terminate();
  ready = null;
}

async function judge() {
  if (button.getAttribute("aria-disabled")) return;
  button.setAttribute("aria-disabled", "true");
  try {
    shown.replaceChildren();
    await show(field.value);
  } finally {
    button.removeAttribute("aria-disabled");
  }
}

async function show(text) {
  status.textContent = SAY.loading;
  const { failed } = await start();
  if (failed) {
    stop();
    status.textContent = put(SAY.failed, { why: failed, command: COMMAND });
    return;
  }
  status.textContent = SAY.judging;
  let timer;
  const late = new Promise(resolve => { timer = setTimeout(resolve, SECONDS * 1000, {}); });
  const reply = await Promise.race([replyTo({ text, language: LANGUAGE }), late]);
  clearTimeout(timer);
  if (reply.answer) {
    await tell(JSON.parse(reply.answer));
  } else {
    stop();
    start(); // for the next question
    status.textContent = reply.failed ? put(SAY.stopped, { why: reply.failed }) : put(SAY.endless, { seconds: SECONDS });
  }
}

async function tell(told) {
  if (told.problem) {
    status.textContent = put(SAY.problem, { why: told.problem });
    shown.append(element("p", put(SAY.elsewhere, { command: COMMAND })));
    return;
  }
  const lines = [...told.lines.slice(1), told.place].filter(Boolean);
  const listed = element("ul");
  listed.append(...lines.filter(line => line.startsWith(" ")).map(line => element("li", line.trim().replace(/ +/g, " "))));
  shown.append(...lines.filter(line => !line.startsWith(" ")).map(paragraph));
  shown.append(heatmaps(told), listed, ...(await links(told)));
  status.textContent = told.lines[0];
}

function heatmaps(told) {
  const [top, left] = told.start, most = Math.max(1, ...[...told.given, ...told.right].flat().map(Math.abs));
  const facts = { top, left, bottom: top + told.right.length - 1, end: left + told.right[0].length - 1, most: +most.toPrecision(2) };
  const words = `${told.first ? put(SAY.framed, told) : SAY.same} ${put(SAY.size, facts)}`;
  const maps = element("div", "", { class: "maps" });
  for (const name of ["given", "right"]) {
    const figure = element("figure");
    const canvas = element("canvas", "", { role: "img", "aria-label": `${SAY[name]}. ${words}` });
    draw(canvas, told[name], most, told.first?.map((index, axis) => index - told.start[axis]));
    figure.append(element("figcaption", SAY[name]), canvas);
    maps.append(figure);
  }
  const whole = element("div");
  whole.append(maps, element("p", words));
  return whole;
}

function draw(canvas, rows, most, first) {
  const side = 12, context = canvas.getContext("2d");
  [canvas.width, canvas.height] = [rows[0].length * side, rows.length * side];
  rows.forEach((row, y) => row.forEach((value, x) => {
    context.fillStyle = value === null ? "#888" : colour(value / most);
    context.fillRect(x * side, y * side, side, side);
  }));
  for (const [style, width] of first ? [["white", 9], ["black", 4]] : []) {
    [context.strokeStyle, context.lineWidth] = [style, width];
    context.strokeRect(first[1] * side, first[0] * side, side, side);
  }
}

const STOPS = [[33, 102, 172], [146, 197, 222], [247, 247, 247], [244, 165, 130], [178, 24, 43]]; // from -1 to 1

function colour(value) {
  const at = (value + 1) * 2, below = Math.min(3, Math.floor(at));
  return `rgb(${STOPS[below].map((part, index) => part + (at - below) * (STOPS[below + 1][index] - part)).join(" ")})`;
}

async function links(told) {
  const entries = await entriesOf(told.mistakes);
  const exercise = entries[0]?.exercise ?? element("a", told.exercise, { href: `labs/${told.lab}.html` });
  return [[SAY.shipped, entries.map(entry => entry.link)], [SAY.exercise, told.mistakes.length ? [exercise] : []]]
    .filter(([, all]) => all.length)
    .map(([words, all]) => {
      const line = element("p", words);
      for (const link of all) line.append(all[0] === link ? " " : " · ", link);
      return line;
    });
}

// The entries of the page "Mistakes that shipped" with all of these mistakes, or with some of them.
async function entriesOf(mistakes) {
  if (!mistakes.length) return [];
  const address = new URL("mistakes_that_shipped.html", location);
  const page = await fetch(address).then(reply => reply.text(), () => ""); // without a connection, there are no links
  const entries = [...new DOMParser().parseFromString(page, "text/html").querySelectorAll("section section")].map(section => {
    const facts = [...section.querySelectorAll("p")].find(each => each.textContent.startsWith("labkit:"));
    const exercise = facts.querySelector('a[href*="labs/"]');
    return {
      names: [...facts.querySelectorAll("code")].map(code => code.textContent),
      link: element("a", section.querySelector("h2").firstChild.textContent.replace(/^\d+\. /, ""), { href: `${address}#${section.id}` }),
      exercise: element("a", exercise.textContent, { href: exercise.getAttribute("href") }),
    };
  }).filter(({ names }) => names.length && names.every(name => mistakes.includes(name)));
  const all = entries.filter(entry => entry.names.length === mistakes.length);
  return all.length ? all : entries;
}
