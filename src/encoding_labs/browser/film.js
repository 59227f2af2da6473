// Lab 08: a head that learns to look back, in recorded frames. The turns in its matrix are hands, and its attention is a picture.

// The numbers of cells in "3 1a 2": each number, in base 36, counts on from the one before.
function counted(text) {
  let cell = 0;
  return text ? text.split(" ").map((step) => (cell += parseInt(step, 36))) : [];
}

function filmScene({ back, T, seen, pairs, steps, turns, asked, weights, right }, say) {
  const across = 3, reachOf = (strength) => Math.cbrt(strength / Math.max(...turns.flat().map(([, each]) => each)));
  const place = (width) => {
    const narrow = width < NARROW, side = narrow ? Math.min(300, width - 70) : Math.min(330, width * 0.38);
    const room = narrow ? width : width - side - 90, each = room / across, radius = Math.min(56, each / 2 - 8);
    const top = narrow ? 64 : 40, row = 2 * radius + 88, below = top + row * Math.ceil(pairs / across);
    const picture = { x: width - side - (narrow ? Math.max(0, (width - side - 60) / 2) : 12), y: narrow ? below + 20 : top, side };
    const clock = (k) => ({ x: (k % across + 0.5) * each, y: top + Math.floor(k / across) * row + 22 + radius, radius });
    return { narrow, picture, clock, each, words: (narrow ? picture.y + side : Math.max(below - 40, picture.y + side)) + 62 };
  };
  return {
    controls: [slider("step", 0, steps.length - 1, 0, { label: say.step, of: (frame) => steps[Math.round(frame)] })],
    runs: "step",
    rests: steps.length - 1,
    seconds: 0.22,
    pause: 16,
    height: (width) => place(width).words + 12,
    ground({}, width) {
      const { narrow, picture: { x, y, side }, clock } = place(width);
      const clocks = Array.from({ length: pairs }, (_, k) => {
        const { x, y, radius } = clock(k), [sine, cosine] = [Math.sin(asked[k]), Math.cos(asked[k])];
        return dial(x, y, radius) + words(x, y - radius - 12, `${say.pair} ${k}`, 'class="mid title"') + hand(x, y, radius, sine, cosine, 'stroke-opacity="0.55" stroke-dasharray="5 4"');
      });
      const unit = side / T;
      return twoHands({ left: 8, narrow }, say.one_look, say.learned) + clocks.join("") + box(x, y, side, side, 'class="rim"') +
        box(x, y, unit * seen, unit * seen, 'class="telling"') + words(x + unit * seen + 8, y + 18, say.seen, 'class="sine-word"') +
        words(x + side, y + side + 20, say.key_axis, 'class="end"') + words(0, 0, say.query_axis, `class="mid" transform="translate(${round(x - 12)} ${round(y + side / 2)}) rotate(-90)"`);
    },
    moving({ step }, width) {
      const { picture: { x, y, side }, clock, each, words: under } = place(width), frame = steps.indexOf(step), unit = side / T;
      const hands = turns[frame].map(([angle, strength], k) => {
        const { x, y, radius } = clock(k), reach = radius * reachOf(strength);
        return (strength ? hand(x, y, reach, Math.sin(angle), Math.cos(angle)) : "") +
          words(x, y + radius + 22, strength ? `${fixed((angle * 180) / Math.PI, 1)}°` : "", 'class="mid strong"') + words(x, y + radius + 42, each > 128 ? filled(say.strength, { strength: fixed(strength) }) : fixed(strength), 'class="mid"');
      });
      const shades = weights[frame].map((cells, level) => {
        const drawn = counted(cells).map((cell) => `M${cell % T} ${Math.floor(cell / T)}h1v1h-1z`);
        return `<path d="${drawn.join("")}" fill="currentColor" fill-opacity="${round((level + 2) / 9)}"/>`;
      });
      return hands.join("") + `<g transform="translate(${round(x)} ${round(y)}) scale(${unit})">${shades.join("")}</g>` +
        words(8, under, filled(say.right, { back, right: right[frame] }), 'class="strong"');
    },
  };
}

Object.assign(SCENES, { film: filmScene });
