// The scenes with curves.

// An area to plot in: x and y turn values into pixels.
function plotOf(width, height, across, up, logarithmic = false, top = 34) {
  const left = 58, right = width - 30, bottom = height - 46;
  const part = logarithmic ? (value) => Math.log(value / across[0]) / Math.log(across[1] / across[0]) : (value) => (value - across[0]) / (across[1] - across[0]);
  return { left, right, top, bottom, x: (value) => left + part(value) * (right - left), y: (value) => bottom - ((value - up[0]) / (up[1] - up[0])) * (bottom - top) };
}

function axes(say, plot, ticks, levels, nameX, nameY, show = (value) => fixed(value, 0)) {
  return ticks.map((value) => line(plot.x(value), plot.top, plot.x(value), plot.bottom, 'class="grid"') + words(plot.x(value), plot.bottom + 18, value >= 1000 ? plain(value, say) : value, 'class="mid"')).join("") +
    levels.map((value) => line(plot.left, plot.y(value), plot.right, plot.y(value), value ? 'class="grid"' : 'class="zero"') + words(plot.left - 8, plot.y(value) + 5, show(value), 'class="end"')).join("") +
    words(plot.right, plot.bottom + 38, nameX, 'class="end"') + words(plot.left - 46, plot.top - 14, nameY);
}

function disc(x, y, kind) {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="7" class="${kind}"/>`;
}

// Lab 04: the curve has the same shape around every anchor, because its height depends only on the offset.
function anchorScene({ d, T, anchor, offset }, say) {
  const speeds = frequencies(d, 10000), height = () => 360, plotFor = (width) => plotOf(width, 360, [0, T - 1], [0, d / 2 + 1]);
  return {
    controls: [slider("anchor", 0, T - 1, anchor, { label: say.anchor }), slider("offset", 0, T - 1, offset, { label: say.offset })],
    height,
    ground: ({}, width) => axes(say, plotFor(width), [0, 10, 20, 30, 40, 50, 60], [0, 4, 8, 12, 16], say.position, say.dot_product),
    moving({ anchor, offset }, width) {
      const plot = plotFor(width), points = Array.from({ length: T }, (_, p) => [plot.x(p), plot.y(similarity(p - anchor, speeds))]);
      const height = similarity(offset, speeds), y = plot.y(height);
      const ends = [...new Set([anchor - offset, anchor + offset])].filter((p) => p >= 0 && p < T);
      const label = filled(say.at_offset, { offset, value: fixed(height) });
      return curve(points, 'class="curve"') + line(plot.x(anchor), plot.top, plot.x(anchor), plot.bottom, 'class="telling"') +
        line(plot.left, y, plot.right, y, 'class="sine dotted"') + ends.map((p) => disc(plot.x(p), y, "marked")).join("") +
        words(plot.right - 4, y - 9, label, 'class="end strong halo"') + words(plot.x(anchor) + (anchor > 50 ? -6 : 6), plot.bottom - 8, `${say.anchor} ${anchor}`, `class="halo ${anchor > 50 ? "end" : ""}"`);
    },
  };
}

// Offsets from 1 to 10,000, dense enough to show the swings: with 900, every offset up to 248, then fewer and fewer.
function offsetsFor(count) {
  const found = new Set(Array.from({ length: 200 }, (_, i) => i + 1));
  for (let i = 0; i <= count; i++) found.add(Math.round(200 * 50 ** (i / count)));
  return [...found].sort((a, b) => a - b);
}

// Lab 05: similarity against the offset for one base and one number of dimensions.
function sizeScene({ base, d }, say) {
  const offsets = offsetsFor(900), plotFor = (width) => plotOf(width, 390, [1, 10000], [-1.05, 1.05], true, 58);
  return {
    controls: [
      slider("base", 0, 60, Math.round(10 * Math.log10(base)), { label: say.base, of: (step) => Math.round(10 ** (step / 10)) }),
      slider("d", 1, 9, Math.log2(d), { label: say.dimensions, of: (power) => 2 ** power }),
    ],
    height: () => 390,
    ground: ({}, width) => axes(say, plotFor(width), [1, 10, 100, 1000, 10000], [-1, -0.5, 0, 0.5, 1], say.offset, say.similarity, (value) => fixed(value, 1)),
    moving({ base, d }, width) {
      const plot = plotFor(width), speeds = frequencies(d, base), turns = wavelengths(d, base);
      const points = offsets.map((offset) => [plot.x(offset), plot.y(similarity(offset, speeds) / speeds.length)]);
      return curve(points, 'class="thin curve"') + words(plot.left - 46, 18, filled(width < NARROW ? say.slowest_short : say.slowest, { turn: plain(turns[turns.length - 1], say) }), 'class="strong"');
    },
  };
}

// Lab 08: the weights of a head that looks back, from one position, at one gain.
function gainScene({ d, T, back, gain, p }, say) {
  const speeds = frequencies(d, 10000), plotFor = (width) => plotOf(width, 340, [-0.5, T - 0.5], [0, 1]);
  return {
    controls: [slider("gain", 0, 80, 10 * gain, { label: say.gain, of: (step) => step / 10 }), slider("p", 0, T - 1, p, { label: say.query })],
    height: () => 340,
    ground: ({}, width) => axes(say, plotFor(width), [0, 10, 20, 30, 40, 50, 60], [0, 0.25, 0.5, 0.75, 1], say.key_axis, say.weight, (value) => fixed(value, 2)),
    moving({ gain, p }, width) {
      const plot = plotFor(width), weights = softmax(scoresOf(p, back, T, speeds).map((score) => gain * score)), target = p - back;
      const wide = Math.max(3, ((plot.right - plot.left) / T) * 0.7), most = weights.indexOf(Math.max(...weights));
      const bars = weights.map((weight, q) => box(plot.x(q) - wide / 2, plot.y(weight), wide, plot.bottom - plot.y(weight), `class="${q === target ? "bar telling-bar" : "bar"}"`));
      const text = target >= 0 ? filled(say.weight_at, { back, value: fixed(weights[target]) }) : filled(say.weight_most, { q: most, value: fixed(weights[most]) });
      const at = target >= 0 ? target : most, right = at > T * 0.6;
      return bars.join("") + line(plot.x(p), plot.top, plot.x(p), plot.bottom, 'class="axis dashed"') + words(plot.x(p) + (p > 50 ? -6 : 6), plot.top + 14, `p = ${p}`, `class="halo ${p > 50 ? "end" : ""}"`) +
        words(plot.x(at) + (right ? -10 : 10), Math.max(plot.top + 36, plot.y(weights[at]) + 4) , text, `class="strong halo ${right ? "end" : ""}"`);
    },
  };
}

Object.assign(SCENES, { anchor: anchorScene, size: sizeScene, gain: gainScene });
