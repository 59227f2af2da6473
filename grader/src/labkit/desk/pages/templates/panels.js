// The details of a row: code is added when the row is first opened, and each action produces text to copy.
// Everything that a student wrote becomes an element's text or a field's value, never HTML.
const part = (id) => document.getElementById(id);
let codes, people;
const codeOf = (number) => JSON.parse((codes ??= part("codes").textContent.split("\n"))[number]);
const peopleOf = (panel) => {
  people ??= JSON.parse(part("people").textContent);
  return panel.dataset.students.split(" ").map((number) => people[number]); // each is id, name, email and section
};

function drawn(number) {
  const [pre, code] = [document.createElement("pre"), document.createElement("code")];
  for (const piece of codeOf(number)) {
    const element = document.createElement("i");
    if (typeof piece === "string") code.append(piece);
    else {
      [element.className, element.textContent] = piece;
      code.append(element);
    }
  }
  pre.append(code);
  return pre;
}

// Text that starts like a formula gets an apostrophe, so that a spreadsheet shows it as text. `labkit grade` removes it.
// A cell may also start after ; or on a new line, in spreadsheets with a decimal comma.
const cell = (value) => {
  if (typeof value === "number") return String(value);
  const safe = value.replace(/(?:^|(?<=[;\n\r\t]))(?=[=+\-@\t\r'])/g, "'");
  return /[",;\n\r]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const sheet = (rows) => rows.map((row) => row.map(cell).join(",") + "\n").join("");
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const key = (name) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

const MAKE = {
  comment: ({ exercise, mistake }, _, field) =>
    `[${key(exercise)}]\n${key(mistake)} = ${JSON.stringify(field("words"))}\n`,
  points: ({ lab, exercise }, students, field) => {
    const add = field("add") && Number(field("add"));
    const rows = students.map(([id]) => [id, lab, exercise, add, "", field("reason")]);
    return sheet([["student", "lab", "exercise", "add", "set", "reason"], ...rows]);
  },
  list: ({ lab, exercise, mistake }, students) =>
    sheet([["id", "name", "email", "section", "lab", "exercise", "mistake"],
      ...students.map((each) => [...each, lab, exercise, mistake])]),
  again: (_, students) => {
    const ids = students.map(([id]) => id).filter((id) => !/\p{C}/u.test(id)); // control characters could change a terminal's state
    return `labkit grade CLASS --out FOLDER ${ids.map((id) => `--only ${quoted(id)}`).join(" ")}\n`;
  },
};

function prepare(action, panel, students) {
  const [text, button, told] = [".made", ".copy", "output"].map((each) => action.querySelector(each));
  const field = (name) => action.querySelector(`[name=${name}]`)?.value ?? "";
  const make = () => {
    text.value = MAKE[action.dataset.make](panel.dataset, students, field);
    told.textContent = "";
  };
  action.addEventListener("input", make);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text.value);
    } catch {
      text.select();
      document.execCommand("copy");
    }
    told.textContent = "Copied";
  });
  make();
}

function choose(actions, chosen) {
  const open = chosen.getAttribute("aria-expanded") !== "true";
  for (const button of actions.querySelectorAll(".choices button")) {
    const shown = open && button === chosen;
    button.setAttribute("aria-expanded", shown);
    actions.querySelector(`[data-make=${button.dataset.for}]`).hidden = !shown;
  }
}

function fill(panel) {
  // HTML from our template, with students' text escaped; the page's content security policy applies to it too.
  const own = panel.querySelector("noscript");
  own.replaceWith(...new DOMParser().parseFromString(own.textContent, "text/html").body.childNodes);
  for (const answer of panel.querySelectorAll("[data-code]")) answer.append(drawn(answer.dataset.code));
  const actions = part("actions").content.cloneNode(true).firstElementChild;
  const students = peopleOf(panel);
  const { lab, mistake } = panel.dataset;
  const left = { comment: mistake, points: lab, list: students.length > 1 };
  for (const kind of Object.keys(left).filter((each) => !left[each])) {
    for (const each of actions.querySelectorAll(`[data-for=${kind}], [data-make=${kind}]`)) each.remove();
  }
  for (const action of actions.querySelectorAll("[data-make]")) prepare(action, panel, students);
  actions.addEventListener("click", ({ target }) => target.dataset.for && choose(actions, target));
  panel.querySelector("summary").after(actions);
}

document.addEventListener("toggle", ({ target }) => {
  if (!target.matches?.(".panel[open]:not([data-filled])")) return;
  target.dataset.filled = "";
  fill(target);
}, true);
