// The page: a program and options in, answers out. Python runs in a worker, so that the page answers while it works.
import { makeEditor, makeViewer } from "./editor.js";

const element = (id) => document.getElementById(id);
const state = element("state");
const say = (text) => { state.textContent = text; };

// -- asking Python

const worker = new Worker("worker.js", { type: "module" });
const open = new Map(); // requests that are not answered
let ready = false, number = 0;
const ask = (request) => new Promise((resolve, reject) => {
  open.set(++number, { resolve, reject });
  worker.postMessage({ id: number, request });
});
worker.onmessage = ({ data }) => {
  if (data.state) say(data.state);
  if (data.ready) { ready = true; element("run").disabled = false; refresh(); }
  const waiting = open.get(data.id);
  if (waiting === undefined) return;
  open.delete(data.id);
  if (data.failure !== undefined) waiting.reject(new Error(data.failure)); else waiting.resolve(data.answer);
};
worker.onerror = (failure) => say(`Python does not start: ${failure.message ?? "the worker failed"}`);

// -- the whole state of the page, and the address that holds it

const PIPELINE = "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline";
const TABS = ["explain", "report", "passes", "fix", "memory", "picture"];
const KINDS = {
  cfg: "how does control get from block to block?", regions: "how do operations nest?", alias: "who shares memory with whom?",
  conflicts: "why is a copy needed?", liveness: "when is each buffer alive?", ownership: "who has to free each buffer?",
};
for (const [kind, question] of Object.entries(KINDS)) element("kind").add(new Option(`${kind}: ${question}`, kind));
const boxes = [...document.querySelectorAll("#options [data-flag]")];
let tab = "explain";
const flags = () => {
  const order = element("heuristic").value;
  return [...(order ? [`--analysis-heuristic=${order}`] : []), ...boxes.filter((box) => box.checked).map((box) => box.dataset.flag)];
};
const whole = () => ({
  program: editor.text, tab, flags: flags(), pipeline: element("pipeline").value, kind: element("kind").value,
  bufferized: element("bufferized").checked, try: element("try").checked, stage: element("stage").selectedIndex, changes: element("changes").checked,
});
const take = (given) => {
  editor.text = given.program ?? "";
  element("heuristic").value = (given.flags ?? []).find((flag) => flag.startsWith("--analysis-heuristic="))?.split("=")[1] ?? "";
  for (const box of boxes) box.checked = (given.flags ?? []).includes(box.dataset.flag);
  element("pipeline").value = given.pipeline ?? PIPELINE;
  element("kind").value = given.kind in KINDS ? given.kind : "cfg";
  element("bufferized").checked = given.bufferized ?? false;
  element("try").checked = given.try ?? false;
  element("changes").checked = given.changes ?? true;
  wantedStage = given.stage ?? -1;
  choose(TABS.includes(given.tab) ? given.tab : "explain");
};
let examples = [];
const squeeze = async (text) => {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};
const expand = async (address) => {
  const letters = atob(address.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const source = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return await new Response(source).text();
};
const keep = async () => history.replaceState(null, "", "#" + await squeeze(JSON.stringify(whole())));
const load = async () => {
  if (location.hash.length > 1) {
    try {
      const text = await expand(location.hash.slice(1));
      try { take(JSON.parse(text)); } catch { take({ program: text }); } // the handbook's links hold a program alone
      return;
    } catch { say("the address holds no program"); }
  }
  take({ program: examples[0]?.text ?? "" });
};

// -- answers

const shownFor = {}; // by tab: the request that is answered there
const PLACE = /program\.mlir:(\d+):(\d+)/g;
const WIDEST = 100; // columns of what is drawn; longer lines are totals and commands
const withPlaces = (pre, text) => {
  pre.replaceChildren();
  for (const line of text.split(/(?<=\n)/)) {
    const whole = line.length > WIDEST && /^[\w@]/.test(line);
    const into = whole ? document.createElement("div") : pre;
    if (whole) pre.append(into);
    let at = 0;
    for (const found of line.matchAll(PLACE)) {
      const link = document.createElement("a");
      link.href = "#";
      link.textContent = found[0];
      link.addEventListener("click", (event) => { event.preventDefault(); editor.jump(Number(found[1]), Number(found[2])); });
      into.append(line.slice(at, found.index), link);
      at = found.index + found[0].length;
    }
    into.append(line.slice(at));
  }
};
const withPicture = (place, svg, name) => {
  place.replaceChildren();
  if (!svg) return;
  const image = new Image();
  image.alt = name;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  place.append(image);
};
let stages = [], wantedStage = -1, stageText, fixed;
const showStage = () => {
  const at = element("stage").selectedIndex;
  if (at < 0) return;
  stageText ??= makeViewer(element("stage-text"), "The program after this pass");
  stageText.show(stages[at].text, element("changes").checked && at > 0 ? stages[at - 1].text : undefined);
};
const PANES = {
  explain: {
    asks: ({ program, flags }) => ({ do: "explain", program, flags }),
    shows: ({ text }) => withPlaces(element("text"), text),
  },
  report: {
    asks: ({ program, flags }) => ({ do: "report", program, flags }),
    shows: ({ html, text }) => {
      const said = document.createElement("pre");
      said.textContent = text;
      element("page").srcdoc = html || said.outerHTML;
    },
  },
  passes: {
    asks: ({ program, pipeline }) => ({ do: "passes", program, pipeline }),
    shows: ({ stages: found, text }) => {
      stages = found;
      const chosen = wantedStage >= 0 ? wantedStage : element("stage").selectedIndex >= 0 ? element("stage").selectedIndex : stages.length - 1;
      element("stage").replaceChildren(...stages.map(({ name }, i) => {
        const same = i > 0 && stages[i].text === stages[i - 1].text;
        return new Option(`${i ? `${i}. ` : ""}${name}${same ? " (no change)" : ""}`);
      }));
      element("stage").selectedIndex = Math.min(chosen, stages.length - 1);
      wantedStage = -1;
      withPlaces(element("passes-text"), text);
      showStage();
    },
  },
  fix: {
    asks: ({ program, flags }) => ({ do: "fix", program, flags }),
    shows: ({ text, program }) => {
      withPlaces(element("fix-text"), text);
      element("apply").disabled = !program;
      element("apply").onclick = () => { editor.text = program; editor.focus(); };
      element("fix-state").textContent = program ? "replaces the program; Ctrl+Z in the editor takes it back" : "nothing to change";
      fixed ??= makeViewer(element("fixed"), "The program with the changes");
      fixed.show(program, program ? editor.text : undefined);
      element("fixed").hidden = !program;
    },
  },
  memory: {
    asks: ({ program, try: tries }) => ({ do: "memory", program, try: tries }),
    shows: ({ text, svg }) => {
      withPlaces(element("memory-text"), text);
      withPicture(element("memory-picture"), svg, "Memory over time");
    },
  },
  picture: {
    asks: ({ program, flags, kind, bufferized }) => ({ do: "picture", program, flags, kind, bufferized }),
    shows: ({ text, svg }, { kind }) => {
      withPlaces(element("picture-text"), text);
      withPicture(element("drawing"), svg, KINDS[kind]);
    },
  },
};
let working = false, again = false;
const refresh = async () => {
  if (!ready) return;
  if (working) { again = true; return; }
  working = true;
  do {
    again = false;
    const start = performance.now(), here = tab, request = PANES[here].asks(whole()), key = JSON.stringify(request);
    try {
      if (shownFor[here] !== key) {
        say("working");
        element(here).classList.add("waiting");
        const answer = await ask(request);
        if (!again || tab !== here) shownFor[here] = key;
        PANES[here].shows(answer, request);
      }
      say(`${((performance.now() - start) / 1000).toFixed(1)} s`);
      element("failure").hidden = true;
      await keep();
      element(here).classList.remove("waiting");
      if (!again && assisted !== editor.text) {
        const text = editor.text, found = await ask({ do: "assist", program: text });
        if (text === editor.text) { assisted = text; editor.assist(found); }
      }
    } catch (failure) {
      say("failed");
      element("failure").textContent = failure.message;
      element("failure").hidden = false;
    } finally {
      element(here).classList.remove("waiting");
    }
  } while (again);
  working = false;
};
let assisted;

// -- the editor and the controls

let timer;
const later = () => {
  element("example").selectedIndex = examples.findIndex(({ text }) => text === editor.text); // none: a program of one's own
  clearTimeout(timer);
  timer = setTimeout(refresh, 600);
};
const about = (request) => ready && !working ? ask({ program: editor.text, ...request }) : Promise.resolve({});
const editor = makeEditor(element("program"), {
  onChange: later,
  onRun: () => refresh(),
  asks: {
    hover: (place) => about({ do: "hover", ...place }).then(({ text }) => text ?? "", () => ""),
    complete: (place) => about({ do: "complete", ...place }).then(({ items }) => items ?? [], () => []),
    format: () => about({ do: "format" }).then(({ edits }) => edits ?? [], () => []),
  },
});
element("program").editor = editor; // for scripts
const choose = (name) => {
  tab = name;
  for (const one of TABS) {
    element(`tab-${one}`).setAttribute("aria-selected", String(one === name));
    element(`tab-${one}`).tabIndex = one === name ? 0 : -1;
    element(one).classList.toggle("shown", one === name);
  }
};
for (const [i, name] of TABS.entries()) {
  element(`tab-${name}`).addEventListener("click", () => { choose(name); refresh(); });
  element(`tab-${name}`).addEventListener("keydown", ({ key }) => {
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: TABS.length - 1 }[key];
    if (to === undefined) return;
    const next = TABS[(to + TABS.length) % TABS.length];
    choose(next);
    element(`tab-${next}`).focus();
    refresh();
  });
}
element("run").addEventListener("click", () => { choose("explain"); refresh(); });
element("link").addEventListener("click", async () => {
  await keep();
  try { await navigator.clipboard.writeText(location.href); say("copied"); } catch { say("the link is the address of this page"); }
});
element("options").addEventListener("change", refresh);
element("options").addEventListener("keydown", ({ key }) => { if (key === "Escape") { element("options").open = false; element("options").firstElementChild.focus(); } });
element("pipeline-form").addEventListener("submit", (event) => { event.preventDefault(); refresh(); });
for (const id of ["stage", "changes"]) element(id).addEventListener("change", () => { showStage(); keep(); });
for (const id of ["try", "kind", "bufferized"]) element(id).addEventListener("change", refresh);

examples = await (await fetch("examples.json")).json();
for (const [i, { name }] of examples.entries()) element("example").add(new Option(name, String(i)));
element("example").addEventListener("change", () => { editor.text = examples[Number(element("example").value)].text; refresh(); });
await load();
window.addEventListener("hashchange", async () => { await load(); refresh(); });
refresh();
