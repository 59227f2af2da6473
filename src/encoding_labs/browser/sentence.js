// Lab 01: attention's result for each word of a sentence, which goes with the word wherever a shuffle puts it.

const MOST = 8; // words; more would not fit

// A word's vector, made from its letters: the same word always has the same numbers, from -1 to 1.
function vectorOf(word, d) {
  let seed = [...word.toLowerCase()].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) >>> 0, 7);
  return Array.from({ length: d }, () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
}

function wordsIn(text) {
  return text.split(/\s+/).filter(Boolean).slice(0, MOST);
}

// The weights of all words in attention's result for the word at one place.
function weightsAt(x, place) {
  return softmax(x.map((row) => dot(row, x[place])));
}

// Attention without a mask: one result for each row of x.
function attended(x) {
  return x.map((_, place) => {
    const weights = weightsAt(x, place);
    return x[0].map((_, i) => weights.reduce((sum, weight, q) => sum + weight * x[q][i], 0));
  });
}

// The words in the order of a shuffle. Shuffle 0 leaves them as typed, and shuffle 1 reverses them.
function shuffledOrder(count, shuffle) {
  const order = Array.from({ length: count }, (_, i) => i);
  if (shuffle === 1) return order.reverse();
  let seed = shuffle * 7919;
  for (let i = count - 1; shuffle && i > 0; i--) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    const other = (seed >>> 16) % (i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

// The largest change of any number in any word's result, between the order as typed and a shuffle.
function largestChange(typed, shuffle, d) {
  const before = attended(typed.map((word) => vectorOf(word, d))), order = shuffledOrder(typed.length, shuffle);
  const after = attended(order.map((i) => vectorOf(typed[i], d)));
  return Math.max(0, ...order.flatMap((i, place) => after[place].map((value, j) => Math.abs(value - before[i][j]))));
}

function sentenceScene({ d, last }, say) {
  const high = 13, top = 44, between = 74, below = top + 2 * d * high + between;
  const place = (width, count) => {
    const left = width < NARROW ? 88 : 150, each = (width - left - 12) / Math.max(count, 3), wide = Math.min(88, each - 12);
    return { left, wide, letters: Math.floor(each / 10), middle: (slot) => left + (slot + 0.5) * each };
  };
  const column = (x, y, wide, row) => row.map((value, i) => box(x - wide / 2, y + i * high, wide, high, `fill="${colourOf(value)}"`)).join("") +
    box(x - wide / 2, y, wide, d * high, 'class="rim"');
  return {
    controls: [
      { name: "sentence", text: true, value: say.typed, label: say.sentence, of: (text) => text },
      slider("shuffle", 0, last, 0, { label: say.shuffle }),
    ],
    runs: "shuffle",
    seconds: 2.4,
    height: () => below + 34,
    ground({ sentence }, width) {
      const typed = wordsIn(sentence), { left, middle } = place(width, typed.length);
      const label = (y, text) => words(left - 12, y, text, 'class="end"');
      return typed.map((_, slot) => words(middle(slot), 14, slot, 'class="mid"')).join("") + label(14, say.position) +
        label(top + (d * high) / 2 + 5, say.vector) + label(top + d * high + between / 2 + 5, say.attention) + label(below - (d * high) / 2 + 5, say.result);
    },
    moving({ sentence, shuffle }, width) {
      const typed = wordsIn(sentence), { left, wide, letters, middle } = place(width, typed.length);
      const from = shuffledOrder(typed.length, Math.floor(shuffle)), to = shuffledOrder(typed.length, Math.ceil(shuffle)), part = shuffle % 1;
      const x = typed.map((_, i) => middle(from.indexOf(i) * (1 - part) + to.indexOf(i) * part));
      const vectors = typed.map((word) => vectorOf(word, d)), results = attended(vectors), first = typed.length ? weightsAt(vectors, 0) : [];
      const lines = first.map((weight, i) =>
        line(x[i], top + d * high + 2, x[0], below - d * high - 2, `class="sine" stroke-opacity="0.7" style="stroke-width: ${round(1 + 16 * weight)}"`));
      const columns = typed.map((word, i) => words(x[i], 36, word.length > letters ? `${word.slice(0, letters - 1)}…` : word, `class="mid title ${i ? "" : "sine-word"}"`) +
        column(x[i], top, wide, vectors[i]) + column(x[i], below - d * high, wide, results[i]));
      const change = fixed(largestChange(typed, Math.round(shuffle), d));
      return lines.join("") + columns.join("") + words(width < NARROW ? 0 : left, below + 26, filled(say.change, { change }), 'class="strong"');
    },
  };
}

// Lab 06: the weights of a head that looks back, on the words of a sentence, which do not matter to it.
function threeScene({ d, back, gain }, say) {
  const speeds = frequencies(d, 10000), top = 96, high = 190;
  const place = (width, count) => ({ middle: (slot) => 12 + (slot + 0.5) * ((width - 24) / Math.max(count, back + 1)), letters: Math.floor((width - 24) / Math.max(count, back + 1) / 10) });
  return {
    controls: [{ name: "sentence", text: true, value: say.eight, label: say.sentence, of: (text) => text }, slider("p", 0, MOST - 1, back, { label: say.query })],
    runs: "p",
    rests: 5,
    seconds: 1.2,
    height: () => top + high + 60,
    ground({ sentence }, width) {
      const typed = wordsIn(sentence), { middle, letters } = place(width, typed.length);
      return typed.map((word, slot) => words(middle(slot), top + high + 22, word.length > letters ? `${word.slice(0, letters - 1)}…` : word, 'class="mid title"') +
        words(middle(slot), top + high + 44, slot, 'class="mid"')).join("") + line(12, top + high, width - 12, top + high, 'class="zero"');
    },
    moving({ sentence, p }, width) {
      const typed = wordsIn(sentence), { middle } = place(width, typed.length), near = Math.max(0, Math.min(typed.length - 1, Math.round(p)));
      const weights = typed.length ? softmax(scoresOf(near, back, typed.length, speeds).map((score) => gain * score)) : [];
      const x = middle(near), wide = Math.min(54, (middle(1) - middle(0)) * 0.6);
      const bars = weights.map((weight, q) => box(middle(q) - wide / 2, top + high * (1 - weight), wide, high * weight, `class="${weight === Math.max(...weights) ? "bar telling-bar" : "bar"}"`) +
        words(middle(q), top + high * (1 - weight) - 8, fixed(weight), 'class="mid strong halo"'));
      const lines = weights.map((weight, q) => line(x, 34, middle(q), top + high * (1 - weight) - 24, `class="sine" stroke-opacity="0.6" style="stroke-width: ${round(1 + 12 * weight)}"`));
      return lines.join("") + bars.join("") + (typed.length ? words(x, 24, `${say.query_word}: ${typed[near]}`, `class="${near < 2 ? "" : near > typed.length - 2 ? "end" : "mid"} strong halo"`) : "");
    },
  };
}

Object.assign(SCENES, { sentence: sentenceScene, three: threeScene });
