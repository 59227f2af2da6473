"use strict";
// The page for written answers. Each change of points or comment is sent immediately, one request at a time.

let exercises = [], exercise = null, place = 0;
let busy = 0; // pending requests for an undo or for texts; until they end, no points can be given

const answers = () => exercise.answers;
const answer = () => answers()[place];
const keysOf = (items) => new Set(items.split(" ").filter(Boolean));

function give(given) {
  if (broken || busy) return;
  const whose = answer(), most = exercise.most;
  whose.given = given;
  const people = whose.students === 1 ? "1 student" : `${whose.students} students`;
  send("give", { exercise: exercise.exercise, answer: whose.id, ...given },
    () => `Saved for ${people}: ${given.points} of ${most}.`);
  show();
}

function undo() {
  busy += 1;
  send("undo", {}, (back) => {
    busy -= 1;
    if (!back.id) return "There is nothing to undo.";
    const whose = exercises.find((each) => each.exercise === back.exercise);
    const index = whose.answers.findIndex((each) => each.id === back.id);
    whose.answers[index].given = back.given;
    visit(whose, index);
    return back.given ? `Undone: ${back.given.points} of ${whose.most} again.` : "Undone: this answer is ungraded again.";
  });
}

const now = () => answer().given || { points: 0, comment: answer().draft || "", items: "" };

function toggle(number) {
  if (!exercise.items.length) {
    if (number <= exercise.steps.length) give({ ...now(), points: number, items: "" });
    return;
  }
  if (number > exercise.items.length) return;
  const met = keysOf(now().items);
  if (!met.delete(String(number))) met.add(String(number));
  const sum = [...met].reduce((total, each) => total + exercise.items[each - 1].points, 0);
  give({ ...now(), points: Math.min(sum, exercise.most), items: [...met].sort().join(" ") });
}

const add = (points) => give({ ...now(), points: Math.min(exercise.most, Math.max(0, now().points + points)) });
const none = () => give({ ...now(), points: 0, items: "" });

function comment() {
  const text = at("comment").value;
  if (answer().given) {
    if (text !== answer().given.comment) give({ ...now(), comment: text });
  } else if (text !== (answer().draft || "")) {
    answer().draft = text; // sending a comment alone would give 0 points
    at("saved").textContent = "The comment is saved as soon as you give points.";
  }
}

function comments(text) {
  at("comment").value = text;
  comment();
}

const failed = (problem) => { at("message").textContent = `The page could not be opened: ${problem.message}.`; };

// Show an answer, loading its text first if needed.
async function visit(chosen, index) {
  if (!(chosen.answers[index].id in chosen.texts)) {
    busy += 1;
    try {
      const start = index - (index % chosen.at_once);
      Object.assign(chosen.texts, await ask(`texts/${encodeURIComponent(chosen.exercise)}/${start}`));
    } catch (problem) {
      return failed(problem);
    } finally {
      busy -= 1;
    }
  }
  exercise = chosen;
  place = index;
  show();
  at("whose").focus();
}

const go = (to) => visit(exercise, Math.max(0, Math.min(answers().length - 1, to)));

function choose(number) {
  const chosen = exercises[number], waiting = chosen.answers.findIndex((each) => !each.given);
  return visit(chosen, Math.max(0, waiting));
}

function next() {
  const after = [...answers().keys()].map((step) => (place + 1 + step) % answers().length);
  const waiting = after.find((index) => !answers()[index].given);
  if (waiting !== undefined) return go(waiting);
  const all = "All answers to this exercise are graded; press e for the next exercise.";
  sending = sending.then(() => { if (!broken) at("saved").textContent = all; });
}

function button(number, points, nodes, pressed) {
  const made = document.createElement("button"), worth = document.createElement("b");
  made.type = "button";
  worth.textContent = `${points} ${points === 1 ? "point" : "points"}`;
  made.append(key(String(number)), " ", worth, nodes.length ? ": " : "", ...nodes.map((node) => built(node)));
  made.setAttribute("aria-pressed", String(pressed));
  made.addEventListener("click", () => { toggle(number); at("whose").focus(); });
  const row = document.createElement("li");
  row.append(made);
  return row;
}

function show() {
  const given = answer().given, met = keysOf(given ? given.items : "");
  at("work").hidden = false;
  at("exercise").value = String(exercises.indexOf(exercise));
  at("whose").textContent = `Answer ${place + 1} of ${answers().length}` +
    (answer().students > 1 ? `, the same from ${answer().students} students` : "");
  fill("question", exercise.question);
  const nodes = exercise.texts[answer().id];
  fill("answer", nodes.length ? nodes : ["(only white space)"]);
  at("points").textContent = given ? `· ${given.points} of ${exercise.most} given` : `· ungraded, up to ${exercise.most}`;
  const readers = answer().readers.map((each) => `${each.reader} gave ${each.points}`);
  at("readers").textContent = readers.length ? readers.join(", ") + (given ? "." : "; they differ, so your points decide.") : "";
  at("items").replaceChildren(...(exercise.items.length
    ? exercise.items.map((item, index) => button(index + 1, item.points, item.text, met.has(String(index + 1))))
    : exercise.steps.map((step, index) => button(index + 1, step.points, [], Boolean(given) && given.points === step.points))));
  const rubric = exercise.rubric.length ? exercise.rubric : ["The solution has no rubric for this exercise."];
  fill("note", exercise.items.length ? [] : rubric);
  at("comment").value = now().comment;
  earlier(answers().map((each) => each.given?.comment || ""), comments);
  const read = answers().filter((each) => each.given).length;
  at("bar").max = answers().length;
  at("bar").value = read;
  at("progress").textContent = `${read} of ${answers().length}`;
}

const keys = {
  Enter: next, n: next, ArrowRight: () => go(place + 1), ArrowLeft: () => go(place - 1), p: () => go(place - 1),
  0: none, "+": () => add(0.5), "-": () => add(-0.5), "−": () => add(-0.5), u: undo, c: () => at("comment").focus(),
  e: () => choose((exercises.indexOf(exercise) + 1) % exercises.length),
};

document.addEventListener("keydown", (event) => {
  if (!exercise || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target === at("comment")) {
    if (event.key === "Escape") { comment(); at("whose").focus(); event.preventDefault(); }
    return;
  }
  if (event.target.tagName === "SELECT" || (event.key === "Enter" && event.target.tagName === "BUTTON")) return;
  const said = again(event.key);
  const act = /^[1-9]$/.test(event.key) ? () => toggle(Number(event.key))
    : said ? () => said.click() : Object.hasOwn(keys, event.key) && keys[event.key];
  if (act) { event.preventDefault(); act(); }
});

at("form").addEventListener("submit", (event) => event.preventDefault());
at("comment").addEventListener("change", comment);
at("exercise").addEventListener("change", () => choose(Number(at("exercise").value)));
for (const [id, act] of Object.entries({
  next, undo, none, back: () => go(place - 1), less: () => add(-0.5), more: () => add(0.5),
})) at(id).addEventListener("click", act);

ask("exercises").then(async (found) => {
  exercises = found;
  for (const each of exercises) each.texts = {};
  at("exercise").replaceChildren(...exercises.map((each, index) => new Option(`${each.lab} · ${each.exercise}`, index)));
  if (exercises[0]?.reader) at("title").textContent += ` · graded by ${exercises[0].reader}`;
  if (exercises.length) await choose(Math.max(0, exercises.findIndex((each) => each.answers.some((one) => !one.given))));
  else at("message").textContent = "There are no written answers to grade.";
}).catch(failed);
