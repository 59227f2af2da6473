"use strict";
// Shared by both pages. Text from students and courses becomes text nodes, or elements made by `built`; it is never parsed as HTML.

const at = (id) => document.getElementById(id);
let broken = false, unsaved = 0;
let sending = Promise.resolve(); // the queue: one request at a time

async function ask(path, body) {
  const request = body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(path, request || {});
  const said = await reply.json();
  if (!reply.ok) throw new Error(said.problem);
  return said;
}

function send(path, body, then, mended) {
  if (broken) return;
  at("saved").textContent = "Saving …";
  unsaved += 1;
  sending = sending.then(async () => {
    if (broken) return;
    try {
      const said = then(await ask(path, body));
      unsaved -= 1;
      if (!unsaved) at("saved").textContent = said;
    } catch (problem) {
      at("saved").textContent = "";
      if (mended) {
        unsaved -= 1;
        at("message").textContent = `Not saved: ${problem.message}.`;
        return;
      }
      broken = true;
      at("message").textContent = `NOT SAVED: ${problem.message}. All earlier changes are saved. Fix the problem, then reload this page.`;
    }
  });
}

// A node is a string, or an array of a tag, its attributes and its child nodes. The server sends only the tags in markup.py.
const MATHML = "http://www.w3.org/1998/Math/MathML";

function built(node, inMath = false) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, attributes, ...nodes] = node;
  const math = inMath || tag === "math";
  const made = math ? document.createElementNS(MATHML, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...nodes.map((each) => built(each, math)));
  return made;
}

const fill = (id, nodes) => at(id).replaceChildren(...nodes.map((node) => built(node)));

// List the comments or reasons used so far, the most frequent first. A key or a click reuses one.
const LETTERS = "asdfghj";

function earlier(texts, use) {
  const count = new Map();
  for (const text of texts) if (text.trim()) count.set(text, (count.get(text) || 0) + 1);
  const found = [...count.keys()].sort((one, other) => count.get(other) - count.get(one)).slice(0, LETTERS.length);
  at("earlier").replaceChildren(...found.map((text, index) => {
    const made = document.createElement("button");
    made.type = "button";
    made.append(key(LETTERS[index]), ` ${text.length > 200 ? text.slice(0, 200) + "…" : text}`);
    made.addEventListener("click", () => { use(text); at("whose").focus(); });
    const row = document.createElement("li");
    row.append(made);
    return row;
  }));
}

function key(name) {
  const made = document.createElement("kbd");
  made.textContent = name;
  return made;
}

// The button for the earlier comment or reason with this letter, if there is one.
const again = (letter) => at("earlier").children[LETTERS.indexOf(letter)]?.firstChild;

addEventListener("beforeunload", (event) => { if (unsaved && !broken) event.preventDefault(); });
