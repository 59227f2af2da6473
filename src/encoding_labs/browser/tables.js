// The scene with tables alone.

const BUGS = [
  (sine, cosine) => [-sine, cosine], // the wrong sign
  (sine, cosine) => [sine / 2, cosine / 2], // half as large
  (sine, cosine) => [cosine, sine], // exchanged
];

// A value's place on the colour scale in each picture. Each hides one of the bugs.
const COLOURINGS = {
  A: (rows) => rows.map((row) => row.map(Math.abs)), // -1 and 1 have the same colour
  B: (rows) => { // the scale is stretched to this table's values
    const values = rows.flat(), least = Math.min(...values), most = Math.max(...values);
    return rows.map((row) => row.map((value) => (2 * (value - least)) / (most - least) - 1));
  },
  C: (rows) => rows.map((row) => row.map((_, i) => (row[i - (i % 2)] + row[i - (i % 2) + 1]) / 2)), // neighbours are mixed
};

function withBug(rows, bug) {
  return rows.map((row) => row.flatMap((_, i) => (i % 2 ? [] : BUGS[bug - 1](row[i], row[i + 1]))));
}

// Lab 02: one table in three colourings, without and with a bug.
function bugsScene({ d, last }, say) {
  const right = Array.from({ length: last + 1 }, (_, p) => rowOf(p, frequencies(d, 10000))), high = 6, top = 56, next = top + (last + 1) * high + 40;
  const panels = (rows, y, width) => Object.values(COLOURINGS).map((colouring, place) => {
    const wide = (width - 2 * GAP) / 3, x = place * (wide + GAP);
    return `<g transform="translate(${round(x)} ${y}) scale(${round(wide / d)} ${high})" shape-rendering="crispEdges">${cells(colouring(rows))}</g>` +
      box(x, y, wide, rows.length * high, 'class="rim"');
  }).join("");
  return {
    controls: [slider("bug", 1, BUGS.length, 1, { label: say.bug })],
    runs: "bug",
    seconds: 4,
    height: () => next + (last + 1) * high + 6,
    ground: ({}, width) => Object.keys(COLOURINGS).map((name, place) => words((place + 0.5) * (width / 3), 20, name, 'class="mid title"')).join("") +
      words(0, top - 10, say.right_table) + panels(right, top, width),
    moving({ bug }, width) {
      const near = Math.round(bug);
      return words(0, next - 10, [say.bug_1, say.bug_2, say.bug_3][near - 1], 'class="strong"') + panels(withBug(right, near), next, width);
    },
  };
}

Object.assign(SCENES, { bugs: bugsScene });
