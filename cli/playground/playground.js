// The page: programs in, explanations out. Python runs in a worker, so that the page answers while it works.
const element = (id) => document.getElementById(id);
const program = element("program"), text = element("text"), report = element("report"), state = element("state");
const worker = new Worker("worker.js", { type: "module" });
let waiting = false; // for an answer
let again = false; // the program changed meanwhile
let ready = false;

const toAddress = async (source) => {
  const packed = new Blob([source]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const fromAddress = async (address) => {
  const letters = atob(address.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const source = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return await new Response(source).text();
};

const explain = async () => {
  if (!ready) return;
  if (waiting) { again = true; return; }
  waiting = true;
  state.textContent = "working";
  worker.postMessage({ program: program.value });
  history.replaceState(null, "", "#" + await toAddress(program.value));
};

worker.onmessage = ({ data }) => {
  if (data.state) state.textContent = data.state;
  if (data.ready) { ready = true; element("run").disabled = false; explain(); }
  if (data.text !== undefined) text.textContent = data.text;
  if (data.report !== undefined) report.srcdoc = data.report;
  if (data.done) {
    waiting = false;
    state.textContent = `${(data.milliseconds / 1000).toFixed(1)} s`;
    if (again) { again = false; explain(); }
  }
};
worker.onerror = (failure) => { state.textContent = `Python does not start: ${failure.message ?? "the worker failed"}`; };

let timer;
program.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(explain, 600); });
element("run").addEventListener("click", explain);
element("link").addEventListener("click", async () => {
  history.replaceState(null, "", "#" + await toAddress(program.value));
  try { await navigator.clipboard.writeText(location.href); state.textContent = "copied"; }
  catch { state.textContent = "the link is the address of this page"; }
});

const examples = await (await fetch("examples.json")).json();
for (const [i, { name }] of examples.entries()) element("example").add(new Option(name, String(i)));
element("example").addEventListener("change", () => {
  program.value = examples[Number(element("example").value)].text;
  explain();
});
const load = async () => {
  if (location.hash.length > 1) {
    try { program.value = await fromAddress(location.hash.slice(1)); element("example").selectedIndex = -1; return; }
    catch { state.textContent = "the address holds no program"; }
  }
  program.value = examples[0]?.text ?? "";
};
await load();
window.addEventListener("hashchange", async () => { await load(); explain(); });
explain();
