// The moving pictures as SVG files: a still of each scene, and the clocks animated by CSS alone. Run by moving_pictures.py.

// The values of the sliders in each still.
const MOMENTS = { sentence: { shuffle: 1 }, three: { p: 5 }, clock: { p: 13 }, shift: { p: 7 }, base: { p: 50 }, back: { p: 20, q: 12 }, float32: { p: 16777217 } };

function svgOf(width, height, style, alt, inside) {
  return `<svg xmlns="http://www.w3.org/2000/svg" class="stage" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">` +
    `<title>${escaped(alt)}</title><style>${style}</style><rect width="100%" height="100%" rx="8" fill="#fff"/>${inside}</svg>\n`;
}

function still(name, facts, say, style, width = 820) {
  const scene = SCENES[name](facts, say), shown = {};
  for (const control of scene.controls) shown[control.name] = control.of(MOMENTS[name]?.[control.name] ?? control.value);
  return svgOf(width, scene.height(width), style, say.alt, scene.ground(shown, width) + scene.moving(shown, width));
}

// The times of an animation's keyframes, in positions. Between keyframes a value changes at a constant rate.
function stopsOf(last, speed) {
  const each = Math.min(6, Math.max(1, Math.ceil(speed * 6))), times = [];
  for (let p = 0; p < last; p++) {
    times.push(p, p + 0.4);
    for (let step = 1; step < each; step++) times.push(p + 0.4 + (0.6 * step) / each);
  }
  times.push(last, last + 2);
  return times;
}

function keyframes(name, times, whole, styleAt) {
  const stops = [];
  let before = "";
  times.forEach((time, i) => {
    const now = styleAt(ticking(Math.min(time, times[times.length - 2])));
    const next = i + 1 < times.length ? styleAt(ticking(Math.min(times[i + 1], times[times.length - 2]))) : "";
    if (now !== before || now !== next) stops.push(`${round((100 * time) / whole)}%{${now}}`);
    before = now;
  });
  return `@keyframes ${name}{${stops.join("")}}`;
}

// The animated clocks of lab 01. Without animation, or with reduced motion, they show the last position.
function running({ d, last }, say, style, width = 820) {
  const scene = SCENES.clock({ d, last }, say), speeds = frequencies(d, 10000), whole = last + 2, seconds = whole * scene.seconds;
  const columns = columnsOf(width, d / 2), reach = columns.radius, top = legendHeight(columns), y = top + 22 + reach;
  const frames = [], pieces = [];
  const moves = (name, speed, styleAt, more = "linear") => {
    frames.push(keyframes(name, stopsOf(last, speed), whole, styleAt));
    return `style="${styleAt(last).replace(/;$/, "")};animation:${name} ${seconds}s ${more} infinite"`;
  };
  const px = (value) => `${Math.round(value * 10) / 10}px`, part = (value) => Math.round(value * 1000) / 1000;
  speeds.forEach((speed, k) => {
    const x = columns.middle(k), at = (p) => [Math.sin(p * speed), Math.cos(p * speed)];
    const hand = moves(`h${k}`, speed, (p) => `transform:rotate(${part(p * speed)}rad)`);
    const end = moves(`t${k}`, speed, (p) => `transform:translate(${px(reach * at(p)[0])},${px(-reach * at(p)[1])})`);
    const across = moves(`s${k}`, speed, (p) => `transform:translate(0,${px(-reach * at(p)[1])}) scaleX(${part(at(p)[0])})`);
    const up = moves(`c${k}`, speed, (p) => `transform:translate(${px(reach * at(p)[0])},0) scaleY(${part(at(p)[1])})`);
    const sine = moves(`a${k}`, speed, (p) => `fill:${colourOf(at(p)[0])}`), cosine = moves(`b${k}`, speed, (p) => `fill:${colourOf(at(p)[1])}`);
    const below = top + 22 + 2 * reach + 30, half = columns.wide / 2;
    pieces.push(`<g transform="translate(${round(x)} ${round(y)})"><path d="M0 0V${-reach}" class="hand" ${hand}/>` +
      `<path d="M0 0H${reach}" class="sine dotted" ${across}/><path d="M0 0V${-reach}" class="cosine dotted" ${up}/>` +
      `<g ${end}><path d="M0 -9A9 9 0 0 0 0 9z" ${sine}/><path d="M0 -9A9 9 0 0 1 0 9z" ${cosine}/><circle r="9" class="rim"/></g></g>` +
      `<rect x="${round(columns.at(k))}" y="${below}" width="${half}" height="40" ${sine}/><rect x="${round(columns.at(k) + half)}" y="${below}" width="${half}" height="40" ${cosine}/>` +
      box(columns.at(k), below, columns.wide, 40, 'class="rim"'));
  });
  const high = 5, table = scene.from(width), steps = (p) => `transform:translateY(${Math.round(p) * high}px)`;
  const framed = `<g ${moves("row", 0, steps, "step-end")}>${frame(columns, d / 2, table, high)}</g>`;
  const ground = scene.ground({}, width).replace(/<g opacity="0.22">/, "<g>").replace(/<clipPath.*?<\/clipPath>/, "").replace(/<g clip-path.*?<\/g><\/g>/, "");
  const still = "@media(prefers-reduced-motion:reduce){*{animation:none!important}}";
  return svgOf(width, scene.height(width), style + frames.join("") + still, say.alt, ground + pieces.join("") + framed);
}
