// The scenes with clocks. A scene has controls, the name of the control that `play` moves, and two layers: ground() and moving().

function dialRow(columns, pairs, top, labelOf) {
  const y = top + 22 + columns.radius;
  const parts = Array.from({ length: pairs }, (_, k) =>
    dial(columns.middle(k), y, columns.radius) + words(columns.middle(k), top + 6, labelOf(k), 'class="mid title"'));
  return { y, below: y + columns.radius + 10, drawn: parts.join("") };
}

// What the dotted lines mean.
function legend(say, columns, y) {
  const x = columns.left, other = columns.narrow ? x : x + 260, below = columns.narrow ? y + 21 : y;
  return line(x, y - 5, x + 30, y - 5, 'class="sine dotted"') + words(x + 38, y, say.sine, 'class="sine-word"') +
    line(other, below - 5, other + 30, below - 5, 'class="cosine dotted"') + words(other + 38, below, say.cosine, 'class="cosine-word"');
}

function legendHeight(columns) {
  return columns.narrow ? 60 : 42;
}

// The axes of a table below the clocks, position down and dimension to the right.
function tableAxes(say, columns, top, rows, high, d) {
  const every = rows > 80 ? 20 : 10;
  const ticks = [];
  for (let p = 0; p < rows; p += every) ticks.push(words(columns.left - 15, top + (p + 0.5) * high + 5, p, 'class="end"'));
  const numbers = Array.from({ length: d }, (_, i) =>
    words(columns.at(i >> 1) + ((i % 2) + 0.5) * columns.wide / 2, top + rows * high + 19, i, 'class="mid"'));
  const middle = top + (rows * high) / 2;
  return ticks.join("") + numbers.join("") +
    words(columns.left + (columns.at(d / 2) - columns.gap - columns.left) / 2, top + rows * high + 40, say.dimension, 'class="mid"') +
    words(0, 0, say.position, `class="mid" transform="translate(16 ${round(middle)}) rotate(-90)"`);
}

function tableOf(columns, top, high, rows, pair) {
  return `<g transform="translate(${round(columns.at(pair))} ${round(top)}) scale(${round(columns.wide / 2)} ${high})" shape-rendering="crispEdges">${cells(rows)}</g>`;
}

// A frame around the current row of the table.
function frame(columns, pairs, y, high) {
  const middle = y + high / 2, x = columns.left - 4;
  return Array.from({ length: pairs }, (_, k) => box(columns.at(k) - 2, y - 1.5, columns.wide + 4, high + 3, 'class="frame"')).join("") +
    `<path d="M${x} ${round(middle)}l-8 -5v10z" class="pointer"/>`;
}

function pairRows(p, count, speeds, k) {
  return Array.from({ length: count }, (_, step) => rowOf(p + step, [speeds[k]]));
}

// Lab 01: a row of clocks above the row of the table that they show.
function clockScene({ d, last }, say) {
  const speeds = frequencies(d, 10000), pairs = d / 2, high = 5, rows = last + 1;
  const place = (width) => {
    const columns = columnsOf(width, pairs), top = legendHeight(columns);
    const below = top + 22 + 2 * columns.radius + 10;
    const table = below + 20 + 44 + GAP;
    return { columns, top, below, table, height: table + rows * high + 48 };
  };
  return {
    controls: [slider("p", 0, last, 0, { label: say.position })],
    runs: "p",
    seconds: 0.9,
    height: (width) => place(width).height,
    ground({}, width) {
      const { columns, top, below, table } = place(width);
      const names = columns.wide < 100 ? [] : speeds.map((_, k) => words(columns.at(k) + columns.wide / 4, below + 13, say.sin, 'class="mid sine-word"') +
        words(columns.at(k) + columns.wide * 0.75, below + 13, say.cos, 'class="mid cosine-word"'));
      const pale = speeds.map((_, k) => tableOf(columns, table, high, pairRows(0, rows, speeds, k), k)).join("");
      return legend(say, columns, 16) + dialRow(columns, pairs, top, (k) => `${say.pair} ${k}`).drawn + names.join("") +
        `<g opacity="0.22">${pale}</g><clipPath id="written"><rect x="0" y="${table}" width="${width}" height="0"/></clipPath>` +
        `<g clip-path="url(#written)">${pale}</g>` + tableAxes(say, columns, table, rows, high, d);
    },
    moving({ p }, width) {
      const { columns, top, below, table } = place(width);
      const y = top + 22 + columns.radius, row = rowOf(p, speeds), near = Math.round(p); // hands move between rows, numbers do not
      const clocks = speeds.map((_, k) => {
        const [sine, cosine] = row.slice(2 * k, 2 * k + 2), x = columns.middle(k), reach = columns.radius;
        return hand(x, y, reach, sine, cosine) + reaches(x, y, reach, sine, cosine) + tip(x + reach * sine, y - reach * cosine, sine, cosine, columns.tip);
      });
      return clocks.join("") + largeRow(below + 20, 40, rowOf(near, speeds), columns, `p = ${near}`) + frame(columns, pairs, table + near * high, high);
    },
    after(svg, { p }) {
      svg.querySelector("#written rect").setAttribute("height", (Math.round(p) + 1) * high);
    },
    pick: (x, y, width) => ({ p: Math.floor((y - place(width).table) / high) }),
    from: (width) => place(width).table,
  };
}

// Lab 03: a shift turns each hand by an angle that is the same for every p.
function shiftScene({ d, shift }, say) {
  const speeds = frequencies(d, 10000), pairs = d / 2, last = 40;
  const place = (width) => {
    const columns = columnsOf(width, pairs), top = legendHeight(columns), below = top + 22 + 2 * columns.radius + 10;
    return { columns, top, below, height: below + 32 + 2 * 48 };
  };
  return {
    controls: [slider("p", 0, last, 0, { label: say.position }), slider("offset", -20, 20, shift, { label: say.offset, signed: true })],
    runs: "p",
    seconds: 1.2,
    height: (width) => place(width).height,
    ground({ offset }, width) {
      const { columns, top, below } = place(width);
      const turns = speeds.map((speed, k) => words(columns.middle(k), below + 16, angle(offset * speed), 'class="mid strong arc-word"'));
      return twoHands(columns, say.before, say.after) + dialRow(columns, pairs, top, (k) => `${say.pair} ${k}`).drawn + turns.join("") +
        words(columns.left - 10, below + 16, say.turn, 'class="end"');
    },
    moving({ p, offset }, width) {
      const { columns, top, below } = place(width);
      const y = top + 22 + columns.radius, reach = columns.radius, row = rowOf(p, speeds), moved = rowOf(p + offset, speeds);
      const clocks = speeds.map((speed, k) => {
        const x = columns.middle(k), [sine, cosine] = row.slice(2 * k), [sineAfter, cosineAfter] = moved.slice(2 * k);
        return arc(x, y, reach * 0.45, p * speed, offset * speed) + hand(x, y, reach, sine, cosine, 'stroke-opacity="0.55" stroke-dasharray="5 4"') +
          hand(x, y, reach, sineAfter, cosineAfter) + tip(x + reach * sine, y - reach * cosine, sine, cosine, columns.tip * 0.7) +
          tip(x + reach * sineAfter, y - reach * cosineAfter, sineAfter, cosineAfter, columns.tip);
      });
      const near = Math.round(p);
      return clocks.join("") + largeRow(below + 32, 36, rowOf(near, speeds), columns, `p = ${near}`) +
        largeRow(below + 80, 36, rowOf(near + offset, speeds), columns, columns.narrow ? fixed(near + offset, 0) : `p ${sign(offset)} = ${fixed(near + offset, 0)}`);
    },
  };
}

function sign(offset) {
  return offset < 0 ? `\u2212 ${-offset}` : `+ ${offset}`;
}

// Radians as degrees.
function angle(radians) {
  const degrees = (radians * 180) / Math.PI;
  return `${fixed(degrees, Math.abs(degrees) >= 10 || !degrees ? 0 : Math.abs(degrees) >= 1 ? 1 : 2)}°`;
}

function twoHands(columns, one, other) {
  const x = columns.left, next = columns.narrow ? x : x + 260, y = columns.narrow ? 37 : 16;
  return line(x, 11, x + 30, 11, 'class="hand" stroke-opacity="0.55" stroke-dasharray="5 4"') + words(x + 38, 16, one) +
    line(next, y - 5, next + 30, y - 5, 'class="hand"') + words(next + 38, y, other);
}

// Lab 05: hands repeat. A mark shows each position at which a hand is back at 12.
function baseScene({ d, base, last }, say) {
  const pairs = d / 2, rows = last + 1, high = 2.5;
  const place = (width) => {
    const columns = columnsOf(width, pairs), top = 10, below = top + 22 + 2 * columns.radius + 10, table = below + 38 + 14;
    return { columns, top, below, table, height: table + rows * high + 48 };
  };
  return {
    controls: [
      slider("p", 0, last, 0, { label: say.position }),
      slider("base", 10, 60, Math.round(10 * Math.log10(base)), { label: say.base, of: (step) => Math.round(10 ** (step / 10)) }),
    ],
    runs: "p",
    seconds: 0.35,
    height: (width) => place(width).height,
    ground({ base }, width) {
      const { columns, top, below, table } = place(width), speeds = frequencies(d, base), turns = wavelengths(d, base);
      const lengths = turns.map((turn, k) => words(columns.middle(k), below + 16, plain(turn, say), 'class="mid strong"') +
        words(columns.middle(k), below + 38, last < turn ? say.never : `${Math.floor(last / turn)} ×`, 'class="mid strong arc-word"'));
      const columnsDrawn = speeds.map((_, k) => tableOf(columns, table, high, pairRows(0, rows, speeds, k), k) + marks(columns, k, turns[k], last, table, high));
      return dialRow(columns, pairs, top, (k) => `${say.pair} ${k}`).drawn + lengths.join("") + columnsDrawn.join("") +
        words(columns.left - 10, below + 16, say.wavelength, 'class="end"') + words(columns.left - 10, below + 38, say.back, 'class="end arc-word"') +
        tableAxes(say, columns, table, rows, high, d);
    },
    moving({ p, base }, width) {
      const { columns, top, table } = place(width), speeds = frequencies(d, base), turns = wavelengths(d, base), row = rowOf(p, speeds);
      const y = top + 22 + columns.radius, reach = columns.radius;
      const clocks = speeds.map((speed, k) => {
        const [sine, cosine] = row.slice(2 * k), x = columns.middle(k);
        const turned = (p * speed) / (2 * Math.PI), isBack = turned > 0.5 && Math.abs(turned - Math.round(turned)) * turns[k] <= 0.5;
        return (isBack ? `<circle cx="${round(x)}" cy="${round(y)}" r="${round(reach)}" class="arc"/>` : "") +
          hand(x, y, reach, sine, cosine) + tip(x + reach * sine, y - reach * cosine, sine, cosine, columns.tip);
      });
      return clocks.join("") + frame(columns, pairs, table + Math.round(p) * high, high);
    },
    pick: (x, y, width) => ({ p: Math.floor((y - place(width).table) / high) }),
    from: (width) => place(width).table,
  };
}

function marks(columns, k, turn, last, top, high) {
  const drawn = [];
  for (let p = turn; p <= last; p += turn) {
    const y = round(top + (p + 0.5) * high), x = round(columns.at(k)), size = columns.gap / 2 - 1;
    drawn.push(`<path d="M${x} ${y}l${-size} -4v8zM${round(x + columns.wide)} ${y}l${size} -4v8z" class="mark"/>`);
  }
  return drawn.join("");
}

// Lab 08: the query of position p, turned back by the offset, meets the key of position p - offset.
function backScene({ d, back, last }, say) {
  const speeds = frequencies(d, 10000), pairs = d / 2;
  const place = (width) => {
    const columns = columnsOf(width, pairs), top = legendHeight(columns), below = top + 22 + 2 * columns.radius + 10;
    return { columns, top, below, plot: below + 74, deep: 130, height: below + 74 + 130 + 46 };
  };
  const scaleOf = (width) => {
    const { columns, plot, deep } = place(width), right = width - 12;
    return { x: (q) => columns.left + (q / last) * (right - columns.left), y: (score) => plot + deep * (1 - (score + pairs) / (2 * pairs)) };
  };
  return {
    controls: [slider("p", back, last, 20, { label: say.query }), slider("q", 0, last, 0, { label: say.key })],
    runs: "q",
    seconds: 0.9,
    height: (width) => place(width).height,
    ground({ p }, width) {
      const { columns, top, below, plot, deep } = place(width), { x, y } = scaleOf(width);
      const scores = scoresOf(p, back, last + 1, speeds);
      const ticks = [0, 8, 16, 24, 32, 40].filter((q) => q <= last).map((q) => words(x(q), plot + deep + 18, q, 'class="mid"'));
      const levels = [-pairs, 0, pairs].map((level) => line(columns.left, y(level), width - 12, y(level), 'class="axis"') + words(columns.left - 10, y(level) + 5, fixed(level, 0), 'class="end"'));
      return twoHands(columns, say.query_hand, say.key_hand) + dialRow(columns, pairs, top, (k) => `${say.pair} ${k}`).drawn +
        ticks.join("") + levels.join("") + words(width - 12, plot + deep + 38, say.key_axis, 'class="end"') +
        words(columns.left - 10, below + 16, say.cosine_between, 'class="end"') +
        line(x(p - back), plot - 8, x(p - back), plot + deep, 'class="telling"') + words(x(p - back) + 6, plot + deep - 8, `p \u2212 ${back}`, 'class="strong halo"') +
        curve(scores.map((score, q) => [x(q), y(score)]), 'class="curve"') + scores.map((score, q) => `<circle cx="${round(x(q))}" cy="${round(y(score))}" r="3" class="dot"/>`).join("");
    },
    moving({ p, q }, width) {
      const { columns, top, below, plot } = place(width), { x, y } = scaleOf(width), middle = top + 22 + columns.radius, reach = columns.radius;
      const query = rowOf(p, speeds), turned = rowOf(p - back, speeds), key = rowOf(q, speeds), near = Math.round(q), nearest = rowOf(near, speeds);
      const clocks = speeds.map((speed, k) => {
        const across = columns.middle(k), [sine, cosine] = turned.slice(2 * k), [sineKey, cosineKey] = key.slice(2 * k);
        const between = dot(turned.slice(2 * k, 2 * k + 2), nearest.slice(2 * k));
        return hand(across, middle, reach, query[2 * k], query[2 * k + 1], 'stroke-opacity="0.25"') +
          arc(across, middle, reach * 0.45, p * speed, -back * speed) +
          hand(across, middle, reach, sine, cosine, 'stroke-dasharray="5 4" stroke-opacity="0.7"') + hand(across, middle, reach, sineKey, cosineKey) +
          tip(across + reach * sine, middle - reach * cosine, sine, cosine, columns.tip * 1.2) + tip(across + reach * sineKey, middle - reach * cosineKey, sineKey, cosineKey, columns.tip * 0.7) +
          words(across, below + 16, fixed(between), 'class="mid strong"');
      });
      return clocks.join("") + `<circle cx="${round(x(q))}" cy="${round(y(dot(turned, key)))}" r="7" class="pointer"/>` +
        words(columns.narrow ? 0 : columns.left, below + 46, filled(near === p - back ? say.meets : say.sum, { score: fixed(dot(turned, nearest)), most: pairs }), 'class="strong"');
    },
  };
}

// The row of position p with every step in float32, as in the locked module.
function float32Row(p, speeds) {
  return rowOf(1, speeds.map((speed) => Math.fround(Math.fround(p) * Math.fround(speed))));
}

// Lab 07: the rows around one position in float32, and where the hands should be.
function float32Scene({ d, row: middle }, say) {
  const speeds = frequencies(d, 10000), first = middle - 3, last = middle + 5, high = 22;
  const place = (width) => {
    const columns = columnsOf(width, d / 2), top = legendHeight(columns), table = top + 22 + 2 * columns.radius + 20;
    return { columns, top, table, height: table + (last - first + 1) * high + 34 };
  };
  return {
    controls: [slider("p", first, last, first, { label: say.position })],
    runs: "p",
    seconds: 1.2,
    height: (width) => place(width).height,
    ground({}, width) {
      const { columns, top, table } = place(width);
      const rows = Array.from({ length: last - first + 1 }, (_, i) => largeRow(table + i * high, high, float32Row(first + i, speeds), columns, `…${String(first + i).slice(-3)}\u00a0\u00a0`));
      return twoHands(columns, say.exact, say.float32) + dialRow(columns, d / 2, top, (k) => `${say.pair} ${k}`).drawn + rows.join("");
    },
    moving({ p }, width) {
      const { columns, top, table, height } = place(width), y = top + 22 + columns.radius, reach = columns.radius;
      const near = Math.round(p), exact = rowOf(p, speeds), row = float32Row(near, speeds), same = String(row) === String(float32Row(near - 1, speeds));
      const clocks = speeds.map((_, k) => {
        const x = columns.middle(k), [sine, cosine] = row.slice(2 * k);
        return hand(x, y, reach, exact[2 * k], exact[2 * k + 1], 'stroke-opacity="0.55" stroke-dasharray="5 4"') + hand(x, y, reach, sine, cosine) +
          tip(x + reach * sine, y - reach * cosine, sine, cosine, columns.tip);
      });
      const text = filled(same ? say.same_row : say.other_row, { p: plain(near, say), before: plain(near - 1, say) });
      return clocks.join("") + frame(columns, d / 2, table + (near - first) * high, high) + words(columns.narrow ? 0 : columns.left, height - 8, text, 'class="strong"');
    },
    pick: (x, y, width) => ({ p: first + Math.floor((y - place(width).table) / high) }),
    from: (width) => place(width).table,
  };
}

Object.assign(SCENES, { clock: clockScene, shift: shiftScene, base: baseScene, back: backScene, float32: float32Scene });
