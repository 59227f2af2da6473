// A stage shows one scene: its picture, its sliders, and a button to play it.

// Hands rest on each position and then move on to the next.
function ticking(time) {
  const whole = Math.floor(time), part = Math.max(0, (time - whole - 0.4) / 0.6);
  return whole + part * part * (3 - 2 * part);
}

function element(name, attributes, ...children) {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

// A page is dark if its text is light.
function isDark(host) {
  const [red, green, blue] = getComputedStyle(host).color.match(/[\d.]+/g).map(Number);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 140;
}

function start(host) {
  const { scene: name, facts, say, style } = JSON.parse(host.dataset.scene);
  const scene = SCENES[name](facts, say), state = {}, inputs = {}, outputs = {};
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", say.alt);
  svg.innerHTML = "<g></g><g></g>";
  const [ground, moving] = svg.children;
  let width = 0, drawnGround = "", playing = false, seen = true, time = 0, before = 0, timer = 0, frames = 0;

  function draw() {
    const shown = { ...state };
    for (const control of scene.controls) shown[control.name] = control.of(state[control.name]);
    const slow = JSON.stringify([width, Object.entries(shown).filter(([each]) => each !== scene.runs)]);
    if (slow !== drawnGround) {
      const height = scene.height(width);
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      svg.setAttribute("height", height);
      ground.innerHTML = scene.ground(shown, width);
      drawnGround = slow;
    }
    moving.innerHTML = scene.moving(shown, width);
    scene.after?.(svg, shown);
    frames += 1;
    if (frames % 30 === 0) themed();
    host.dataset.frames = frames;
  }

  function readouts() {
    for (const control of scene.controls.filter((each) => !each.text)) {
      const value = control.of(Math.round(state[control.name]));
      const text = control.signed && value > 0 ? `+${value}` : value >= 1000 ? plain(value, say) : String(value).replace("-", "\u2212");
      if (outputs[control.name].value === text) continue;
      outputs[control.name].value = text;
      inputs[control.name].value = Math.round(state[control.name]);
      inputs[control.name].setAttribute("aria-valuetext", text);
    }
  }

  function set(values) {
    for (const control of scene.controls) {
      if (!(control.name in values)) continue;
      const value = values[control.name];
      state[control.name] = control.text ? value : Math.max(control.min, Math.min(control.max, value));
    }
    if (scene.runs in values) time = state[scene.runs];
    readouts();
    draw();
  }

  function frame(now) {
    timer = 0;
    if (!playing || !seen || !host.isConnected) return;
    const control = scene.controls.find((each) => each.name === scene.runs);
    // The first frame may have a time before the clock was started.
    time += Math.max(0, Math.min(0.25, (now - before) / 1000)) / scene.seconds;
    before = now;
    if (time >= control.max + (scene.pause || 2)) time = control.min; // pause at the last position
    state[scene.runs] = Math.min(control.max, ticking(time));
    readouts();
    draw();
    timer = requestAnimationFrame(frame);
  }

  function run(now) {
    playing = now;
    button.setAttribute("aria-label", playing ? say.pause : say.play);
    button.title = button.getAttribute("aria-label");
    button.textContent = playing ? "\u275a\u275a" : "\u25b6";
    awake();
  }

  function awake() {
    if (playing && seen && !timer) {
      before = performance.now();
      timer = requestAnimationFrame(frame);
    }
  }

  const button = element("button", { type: "button" });
  button.addEventListener("click", () => run(!playing));
  const controls = scene.controls.map((control) => {
    state[control.name] = control.value;
    if (control.text) {
      const input = element("input", { type: "text", maxlength: 80, value: control.value });
      input.addEventListener("input", () => set({ [control.name]: input.value }));
      return element("label", {}, element("span", {}, control.label), input);
    }
    const input = element("input", { type: "range", min: control.min, max: control.max, step: control.step, value: control.value });
    const output = element("output", {});
    const taken = () => {
      if (control.name === scene.runs) run(false);
      set({ [control.name]: Number(input.value) });
    };
    input.addEventListener("input", taken);
    input.addEventListener("pointerdown", taken); // a press that does not change the value stops the animation too
    input.addEventListener("keydown", (event) => /^(Arrow|Page|Home|End)/.test(event.key) && taken());
    [inputs[control.name], outputs[control.name]] = [input, output];
    return element("label", {}, element("span", {}, control.label), input, output);
  });
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const root = host.attachShadow({ mode: "open" });
  const stage = element("div", { class: "stage" }, element("style", {}, style), svg,
    element("div", { class: "controls" }, ...(scene.runs ? [button] : []), ...controls),
    element("details", {}, element("summary", {}, say.in_words), element("p", {}, say.alt)));
  root.append(stage);
  for (const kind of ["keydown", "keyup", "keypress"]) stage.addEventListener(kind, (event) => event.stopPropagation());

  if (scene.pick) {
    const pick = (event) => {
      const area = svg.getBoundingClientRect(), y = event.clientY - area.top;
      if (event.type === "pointerdown" && y < scene.from(width)) return;
      if (event.type === "pointerdown") svg.setPointerCapture(event.pointerId);
      if (!svg.hasPointerCapture(event.pointerId)) return;
      run(false);
      set(scene.pick(event.clientX - area.left, y, width));
    };
    svg.addEventListener("pointerdown", pick);
    svg.addEventListener("pointermove", pick);
  }

  const themed = () => host.isConnected && stage.classList.toggle("dark", isDark(host));
  const resized = (room) => {
    const wide = Math.max(280, Math.min(980, Math.floor(room)));
    if (room && wide !== width) {
      width = wide;
      stage.classList.toggle("narrow", width < NARROW);
      set({});
    }
    themed();
  };
  new ResizeObserver(() => resized(host.clientWidth)).observe(host);
  new MutationObserver(themed).observe(document.body, { attributes: true });
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    themed();
    awake();
  }).observe(host);
  resized(host.clientWidth || 700);
  if (still && scene.rests) set({ [scene.runs]: scene.rests }); // if nothing moves, what shows most
  run(Boolean(scene.runs) && !still);
  host.querySelectorAll(":scope > *").forEach((each) => each.remove()); // the still picture, which the stage replaces
}

for (const host of document.querySelectorAll("[data-scene]")) {
  if (!host.shadowRoot && JSON.parse(host.dataset.scene).scene in SCENES) start(host); // other scenes bring another script
}
