"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const root = document.documentElement;
  const cards = $$(".card[id]");
  const input = $("#search"), count = $("#count"), results = $("#results"), help = $("#help");
  const LISTED = 60;
  let current = -1, hits = [], hit = -1, lines = null;

  // The theme: as the system says until somebody chooses; remembered where the browser allows it.
  const THEMES = ["", "light", "dark"];
  function setTheme(theme) {
    if (theme) root.dataset.theme = theme; else delete root.dataset.theme;
    $("#theme").title = `${theme || "as the system says"} (t)`;
    try { if (theme) localStorage.setItem("bufferize-theme", theme); else localStorage.removeItem("bufferize-theme"); } catch { /* not allowed here */ }
  }
  function nextTheme() {
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const order = dark ? ["", "light", "dark"] : ["", "dark", "light"];
    setTheme(order[(order.indexOf(root.dataset.theme || "") + 1) % 3]);
  }
  try { const saved = localStorage.getItem("bufferize-theme"); if (THEMES.includes(saved)) setTheme(saved); } catch { /* not allowed here */ }

  // Findings
  function light(card) {
    for (const mark of $$("mark.on")) mark.classList.remove("on");
    if (card) for (const mark of $$(`mark[data-f~="${card.id}"]`)) mark.classList.add("on");
  }
  function select(index, { scroll = true, unfold = true } = {}) {
    if (!cards.length) return;
    const next = Math.max(0, Math.min(cards.length - 1, index));
    if (cards[current] && current !== next) { cards[current].classList.remove("at"); if (unfold && cards.length > 3) cards[current].open = false; }
    current = next;
    const card = cards[current];
    card.classList.add("at");
    if (unfold) card.open = true;
    light(card);
    if (scroll) { const seg = card.closest(".seg"); ((seg && $(".first", seg)) || card).scrollIntoView({ block: "center" }); }
    const summary = $("summary", card);
    summary.focus({ preventScroll: true });
  }
  const indexOf = (card) => cards.indexOf(card);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-find]");
    if (button) { input.value = button.dataset.find; search(); input.focus(); return; }
    const summary = event.target.closest(".card > summary");
    if (summary) { select(indexOf(summary.parentElement), { scroll: false, unfold: false }); return; }
    const link = event.target.closest("a[href^='#']");
    if (!link) { if (!event.target.closest(".search")) results.hidden = true; return; }
    if (follow(link.getAttribute("href").slice(1))) { event.preventDefault(); history.replaceState(null, "", link.getAttribute("href")); }
  });

  function follow(id) {
    const target = document.getElementById(id);
    if (!target) return false;
    results.hidden = true;
    if (target.classList.contains("card")) { select(indexOf(target)); return true; }
    if (target.classList.contains("l")) { goTo(target); return true; }
    target.scrollIntoView({ block: "start" });
    return true;
  }
  function goTo(line) {
    for (const other of $$(".l.at")) other.classList.remove("at");
    line.classList.add("at");
    line.scrollIntoView({ block: "center" });
  }

  // Search: findings by what they say, and lines by their text; all in memory, no case.
  function collect() {
    if (!lines) lines = $$(".listing .l").map((line) => [line, $("code", line).textContent.toLowerCase()]);
    return lines;
  }
  const words = (card) => card.textContent.toLowerCase();
  let texts = null;
  function search() {
    for (const line of $$(".l.hit")) line.classList.remove("hit");
    const wanted = input.value.trim().toLowerCase();
    hits = []; hit = -1;
    results.textContent = "";
    if (!wanted) { results.hidden = true; count.textContent = ""; return; }
    texts = texts || cards.map(words);
    const findings = cards.filter((_, index) => texts[index].includes(wanted));
    for (const [line, text] of collect()) if (text.includes(wanted)) { line.classList.add("hit"); hits.push(line); }
    for (const card of findings.slice(0, LISTED)) offer(card.id, `${$(".glyph", card).textContent} ${place(card)}`, $(".title", card).textContent);
    for (const line of hits.slice(0, LISTED - Math.min(LISTED / 2, findings.length))) offer(line.id, line.id.slice(1), $("code", line).textContent.trim());
    const found = findings.length + hits.length;
    if (!found || found > LISTED) {
      const note = document.createElement("p");
      note.textContent = found ? `${findings.length} findings and ${hits.length} lines in all` : "nothing found";
      results.append(note);
    }
    count.textContent = String(found);
    results.hidden = false;
  }
  function place(card) {
    const line = card.closest(".seg") && $(".first .n", card.closest(".seg"));
    return line ? line.textContent : "";
  }
  function offer(id, label, text) {
    const link = document.createElement("a");
    link.href = `#${id}`;
    const where = document.createElement("b"), code = document.createElement("code");
    where.textContent = label;
    code.textContent = text.length > 160 ? `${text.slice(0, 160)}…` : text;
    link.append(where, code);
    results.append(link);
  }
  function nextHit(step) {
    if (!hits.length) return;
    hit = (hit + step + hits.length) % hits.length;
    count.textContent = `${hit + 1} / ${hits.length}`;
    results.hidden = true;
    goTo(hits[hit]);
  }
  let waiting = 0;
  input.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 60); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      clearTimeout(waiting);
      if (count.textContent === "" || !hits.length) search();
      if (hits.length) nextHit(event.shiftKey ? -1 : 1); else { const first = $("a", results); if (first) follow(first.getAttribute("href").slice(1)); }
    } else if (event.key === "ArrowDown") { const first = $("a", results); if (first) { event.preventDefault(); first.focus(); } }
  });
  results.addEventListener("keydown", (event) => {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const next = step && document.activeElement[step];
    if (next && next.focus) { event.preventDefault(); next.focus(); }
  });

  // Keys
  function nextPart() {
    const parts = $$("main > section");
    const edge = 100;
    const below = parts.find((part) => part.getBoundingClientRect().top > edge);
    (below || parts[0]).scrollIntoView({ block: "start" });
  }
  function foldAll() {
    const open = cards.some((card) => !card.open);
    for (const card of cards) card.open = open;
  }
  const KEYS = {
    j: () => select(current + 1), k: () => select(current - 1),
    o: () => { if (cards[current]) cards[current].open = !cards[current].open; },
    "/": () => { input.focus(); input.select(); },
    n: () => nextHit(1), N: () => nextHit(-1), g: nextPart, e: foldAll, t: nextTheme,
    "?": () => { if (help.open) help.close(); else help.showModal(); },
    Escape: () => { results.hidden = true; if (document.activeElement === input) input.blur(); },
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key !== "Escape" && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    const act = KEYS[event.key];
    if (!act || (help.open && event.key !== "?")) return;
    event.preventDefault();
    act();
  });
  $("#theme").addEventListener("click", nextTheme);
  $("#keys").addEventListener("click", KEYS["?"]);

  // On paper everything is unfolded.
  let folded = [];
  addEventListener("beforeprint", () => { folded = $$("details:not([open])"); for (const one of folded) one.open = true; });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });

  if (location.hash.length > 1) follow(location.hash.slice(1)); else light(cards[0]);
  addEventListener("hashchange", () => follow(location.hash.slice(1)));
})();
