"use strict";
// The page for regrade requests. An answer consists of points and a reason, which are saved together.

let requests = [], place = 0;

const request = () => requests[place];
const worded = (points) => `${points} ${points === 1 ? "point" : "points"}`;

function show() {
  const one = request(), given = one.answered;
  at("work").hidden = false;
  at("whose").textContent = `Request ${place + 1} of ${requests.length}: ${one.student} · ${one.lab} · ${one.exercise || "the whole lab"}` +
    (given ? " · answered" : "");
  at("said").textContent = one.message || "(no message)";
  const where = document.createElement("p");
  where.className = "quiet small";
  where.textContent = `${one.where}. ${one.check}`;
  at("said").append(where);
  fill("question", one.question.length ? one.question : ["This request is about the whole lab."]);
  at("answers").replaceChildren(...one.answers.map((each) => {
    const made = document.createElement("div");
    made.className = each.nodes[0][0] === "pre" ? "" : "card"; // code already has a frame
    if (!one.exercise) made.append(line(each.exercise, "p"));
    made.append(...each.nodes.map((node) => built(node)));
    return made;
  }));
  if (!one.answers.length) at("answers").textContent = "There is no answer to show: the student wrote nothing, or facts.jsonl was deleted.";
  at("checks").replaceChildren(...one.checks.map((text) => line(text)));
  at("points").value = String(given ? given.points : one.draft?.points ?? one.points);
  at("points").max = String(one.most);
  at("most").textContent = `of ${worded(one.most)}, ${one.points} now`;
  at("reason").value = given ? given.reason : one.draft?.reason ?? "";
  earlier(requests.map((each) => each.answered?.reason || ""), (text) => { at("reason").value = text; keep(); });
  const answered = requests.filter((each) => each.answered).length;
  at("bar").max = requests.length;
  at("bar").value = answered;
  at("progress").textContent = `${answered} of ${requests.length}`;
}

function line(text, tag = "li") {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function keep() {
  if (!request().answered) request().draft = { points: at("points").value, reason: at("reason").value };
}

function save() {
  const one = request(), reason = at("reason").value.trim(), points = at("points").valueAsNumber;
  at("message").textContent = "";
  if (!reason || !(points >= 0)) {
    at("message").textContent = reason ? "Enter the points, 0 or more." : "Enter a reason; the student will read it.";
    at(reason ? "points" : "reason").focus();
    return;
  }
  send("answer", { request: one.id, points, reason }, (saved) => {
    one.answered = saved;
    const moved = saved.points !== one.points;
    one.points = saved.points;
    show();
    return `Saved for ${one.student}: ${moved ? worded(saved.points) : "same points"}.`;
  }, true);
}

function set(points) {
  at("points").value = String(points);
  keep();
  at("reason").focus();
}

function go(to) {
  keep();
  place = Math.max(0, Math.min(requests.length - 1, to));
  show();
  at("whose").focus();
}

function next() {
  const after = [...requests.keys()].map((step) => (place + 1 + step) % requests.length);
  const open = after.find((index) => !requests[index].answered);
  if (open !== undefined) return go(open);
  at("saved").textContent = "All requests are answered. Run labkit grade again to apply the answers.";
}

const keys = {
  Enter: next, n: next, ArrowRight: () => go(place + 1), ArrowLeft: () => go(place - 1), p: () => go(place - 1),
  m: () => set(request().most), k: () => set(request().points), c: () => at("reason").focus(),
};

document.addEventListener("keydown", (event) => {
  if (!requests.length || event.isComposing) return;
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); save(); return; }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target === at("reason") || event.target === at("points")) {
    if (event.key === "Escape") { keep(); at("whose").focus(); event.preventDefault(); }
    return;
  }
  if (event.key === "Enter" && event.target.tagName === "BUTTON") return;
  const said = again(event.key);
  const act = said ? () => said.click() : Object.hasOwn(keys, event.key) && keys[event.key];
  if (act) { event.preventDefault(); act(); }
});

at("form").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["points", "reason"]) at(id).addEventListener("change", keep);
for (const [id, act] of Object.entries({
  save, next, back: () => go(place - 1), full: () => set(request().most), stay: () => set(request().points),
})) at(id).addEventListener("click", act);

ask("requests").then((found) => {
  requests = found.requests;
  at("rest").hidden = !found.unmatched.length;
  at("lines").replaceChildren(...found.unmatched.map((text) => line(text)));
  if (requests.length) show();
  else at("message").textContent = "There are no regrade requests. Add them to requests.csv.";
}).catch((problem) => { at("message").textContent = `The page could not be opened: ${problem.message}.`; });
