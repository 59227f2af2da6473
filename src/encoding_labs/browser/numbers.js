// The formulas behind the pictures. A position need not be a whole number, because hands sweep between rows.

// omega_k = base^(-2k/d), radians per position, one for each pair.
function frequencies(d, base) {
  return Array.from({ length: d / 2 }, (_, k) => base ** ((-2 * k) / d));
}

// One full turn of each hand, in positions.
function wavelengths(d, base) {
  return frequencies(d, base).map((speed) => (2 * Math.PI) / speed);
}

// The row of position p: a sine and a cosine for each speed.
function rowOf(p, speeds) {
  return speeds.flatMap((speed) => [Math.sin(p * speed), Math.cos(p * speed)]);
}

function dot(one, other) {
  return one.reduce((sum, value, i) => sum + value * other[i], 0);
}

// The dot product of two encoded positions this far apart.
function similarity(offset, speeds) {
  return speeds.reduce((sum, speed) => sum + Math.cos(offset * speed), 0);
}

// The scores that position p gives positions 0 to T - 1, in a head that turns its query back by the offset.
function scoresOf(p, offset, T, speeds) {
  const query = rowOf(p - offset, speeds);
  return Array.from({ length: T }, (_, q) => dot(query, rowOf(q, speeds)));
}

function softmax(scores) {
  const most = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - most));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / whole);
}

// A value from -1 to 1 as a colour: blue, white at 0, red, as in every heatmap of the course.
const BLUE_TO_RED = ["053061", "2166ac", "4393c3", "92c5de", "d1e5f0", "f7f7f7", "fddbc7", "f4a582", "d6604d", "b2182b", "67001f"];
const COLOURS = Array.from({ length: 81 }, (_, step) => {
  const place = step / 8, left = Math.min(Math.floor(place), 9), part = place - left;
  const channel = (stop, i) => parseInt(BLUE_TO_RED[stop].slice(2 * i, 2 * i + 2), 16);
  const mixed = [0, 1, 2].map((i) => Math.round(channel(left, i) * (1 - part) + channel(left + 1, i) * part));
  return "#" + mixed.map((each) => each.toString(16).padStart(2, "0")).join("");
});

function colourOf(value) {
  return COLOURS[Math.round((Math.max(-1, Math.min(1, value)) + 1) * 40)];
}

// Black or white, whichever reads better on that colour.
function inkOn(value) {
  return Math.abs(value) > 0.66 ? "#fff" : "#111";
}
