// Pieces of a picture as SVG text. Lengths are pixels; an angle starts at 12 and turns clockwise.

const round = (value) => Math.round(value * 100) / 100;

function fixed(value, digits = 2) {
  const text = value.toFixed(digits).replace("-", "\u2212");
  return /[1-9]/.test(text) ? text : text.replace("\u2212", "");
}

// 6283.2 -> "6,283", in Spanish "6283" and "35\u00a0333"; three significant digits below 1,000.
function plain(value, say) {
  const digits = value >= 1000 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.max(value, 1))));
  const text = value.toFixed(digits), short = say.thousands !== "," && value < 10000;
  return short ? text : text.replace(/\B(?=(\d{3})+$)/g, say.thousands);
}

// "turns {angle}" with { angle: 3 } -> "turns 3"
function filled(text, facts) {
  return text.replace(/\{(\w+)\}/g, (_, name) => facts[name]);
}

function escaped(text) {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

function words(x, y, text, more = "") {
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${escaped(String(text))}</text>`;
}

function line(x1, y1, x2, y2, more = "") {
  return `<path d="M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}" ${more}/>`;
}

function box(x, y, width, height, more = "") {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" ${more}/>`;
}

function curve(points, more = "") {
  return `<path d="M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}" ${more}/>`;
}

// The tip of a hand. Its left half has the colour of the sine's cell, and its right half that of the cosine's cell.
function tip(x, y, sine, cosine, radius) {
  const half = (value, side) => `<path d="M0 ${-radius}A${radius} ${radius} 0 0 ${side} 0 ${radius}z" fill="${colourOf(value)}"/>`;
  return `<g transform="translate(${round(x)} ${round(y)})">${half(sine, 0)}${half(cosine, 1)}<circle r="${radius}" class="rim"/></g>`;
}

// The arc that a hand has turned through, with an arrowhead; after a full turn it continues as a spiral.
function arc(x, y, radius, from, turn, more = "") {
  if (Math.abs(turn) < 0.004) return "";
  const steps = Math.max(2, Math.ceil(Math.abs(turn) / 0.1)), widest = radius * 0.9;
  const at = (part) => {
    const reach = radius + (widest * 0.35 * Math.abs(turn * part)) / (2 * Math.PI) / Math.max(1, Math.abs(turn) / (2 * Math.PI));
    return [x + reach * Math.sin(from + turn * part), y - reach * Math.cos(from + turn * part)];
  };
  const points = Array.from({ length: steps + 1 }, (_, step) => at(step / steps));
  const [endX, endY] = at(1), way = from + turn + (Math.sign(turn) * Math.PI) / 2;
  const size = Math.min(8, Math.abs(turn) * radius);
  const wing = (lean) => [endX - size * Math.sin(way + lean), endY + size * Math.cos(way + lean)];
  return curve(points, `class="arc" ${more}`) + curve([wing(0.5), [endX, endY], wing(-0.5)], `class="arc" ${more}`);
}

// Cells of a table, each a unit high and wide; one path for each colour. values: rows of numbers.
function cells(values) {
  const paths = new Map();
  values.forEach((row, y) => row.forEach((value, x) => {
    const colour = colourOf(value);
    paths.set(colour, (paths.get(colour) || "") + `M${x} ${y}h1v1h-1z`);
  }));
  return [...paths].map(([colour, path]) => `<path fill="${colour}" d="${path}"/>`).join("");
}

const NARROW = 640; // below it, smaller type and legends in two lines

// The places of the clocks, and of the columns below them, in a picture of this width.
function columnsOf(width, pairs) {
  const narrow = width < NARROW, left = narrow ? 88 : 104, right = 12, gap = narrow ? 10 : 16;
  const wide = (width - left - right + gap) / pairs - gap;
  const radius = Math.max(16, Math.min(74, wide / 2 - (narrow ? 5 : 12)));
  return { narrow, tip: Math.min(9, radius * 0.28), left, wide, gap, radius, at: (k) => left + k * (wide + gap), middle: (k) => left + k * (wide + gap) + wide / 2 };
}

// The dial of a clock, without hands.
function dial(x, y, radius) {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" class="dial"/>` +
    line(x - radius, y, x + radius, y, 'class="axis"') + line(x, y - radius, x, y + radius, 'class="axis"') +
    line(x, y - radius - 5, x, y - radius + 5, 'class="twelve"');
}

function hand(x, y, radius, sine, cosine, more = "") {
  return line(x, y, x + radius * sine, y - radius * cosine, `class="hand" ${more}`);
}

// Dotted lines that show how far right the tip is, and how far up.
function reaches(x, y, radius, sine, cosine) {
  const right = x + radius * sine, up = y - radius * cosine;
  return line(x, up, right, up, 'class="sine dotted"') + line(right, y, right, up, 'class="cosine dotted"');
}

// The cells of one row, large, with their numbers; a pair below each clock.
function largeRow(y, height, row, columns, label) {
  const each = columns.wide / 2;
  const drawn = row.map((value, i) => {
    const x = columns.at(i >> 1) + (i % 2) * each;
    const text = each > 26 ? words(x + each / 2, y + height / 2 + 6, fixed(value, each > 48 ? 2 : 1), `class="number" fill="${inkOn(value)}"`) : "";
    return box(x, y, each, height, `fill="${colourOf(value)}"`) + text;
  });
  const rims = row.filter((_, i) => i % 2).map((_, k) => box(columns.at(k), y, columns.wide, height, 'class="rim"'));
  return words(columns.left - 10, y + height / 2 + 5, label, 'class="end strong"') + drawn.join("") + rims.join("");
}

const SCENES = {}; // by name, filled by the files that draw them
const GAP = 14; // between the parts of a picture

function slider(name, min, max, value, more = {}) {
  return { name, min, max, value, step: 1, of: (place) => place, ...more };
}
