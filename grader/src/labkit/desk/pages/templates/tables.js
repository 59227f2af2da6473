"use strict";
// Sort tables when a heading is clicked, and filter them by words. Without this script they are plain tables.
// In a long table, rows with the class "more" stay hidden until requested, because laying out 2,000 rows takes half a second.
for (const table of document.querySelectorAll("table")) {
  // A row is a <tr> or, in a grouped table, a <tbody> with a second line that can be opened.
  const grouped = table.classList.contains("grouped");
  const parent = grouped ? table : table.tBodies[0];
  let rows = grouped ? [...table.tBodies] : [...parent.rows];
  const cell = (row, column) => (grouped ? row.rows[0] : row).cells[column];
  const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare;
  const key = (row, column) => cell(row, column).dataset.key ?? cell(row, column).textContent.trim();
  const order = (one, other) => {
    const [a, b] = [Number(one), Number(other)];
    return one !== "" && other !== "" && !Number.isNaN(a - b) ? a - b : compare(one, other);
  };
  const text = (row) => row.textContent.replaceAll(/<[^>]*>/g, " ").toLowerCase(); // the content of <noscript> is text with tags
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (rows.length < 2) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const keyed = rows.map((row) => [key(row, column), row]);
      keyed.sort(([one], [other]) => (down ? order(other, one) : order(one, other)));
      rows = keyed.map(([, row]) => row);
      parent.append(...rows);
      limit();
    });
  });
  const first = rows.findIndex((row) => row.classList.contains("more"));
  let all = first < 0;
  const limit = () => {
    let shown = 0;
    for (const row of rows) row.classList.toggle("more", !row.hidden && ++shown > first && !all);
    return shown;
  };
  if (!all) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "show-all";
    button.textContent = `Show all ${rows.length} rows`;
    button.addEventListener("click", () => {
      all = true;
      limit();
      button.remove();
    });
    table.parentElement.after(button);
  }
  const tools = table.closest("section").querySelector(".tools");
  if (!tools || rows.length < 6) continue;
  const [field, told] = [tools.querySelector("input"), tools.querySelector("output")];
  let texts; // read when first needed
  field.addEventListener("input", () => {
    texts ??= new Map(rows.map((row) => [row, text(row)]));
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => texts.get(row).includes(word));
    const shown = limit();
    told.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  });
  tools.hidden = false;
}
