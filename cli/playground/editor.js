// The editor: CodeMirror in a shadow root, where its styles are adopted sheets, which the page's policy allows.
import {
  EditorState, EditorView, Compartment, StateField, StateEffect, Decoration, WidgetType, keymap, lineNumbers, highlightActiveLine,
  drawSelection, hoverTooltip, defaultKeymap, history, historyKeymap, StreamLanguage, syntaxHighlighting, HighlightStyle,
  bracketMatching, setDiagnostics, lintGutter, lintKeymap, searchKeymap, autocompletion, completionKeymap, unifiedMergeView, tags,
} from "./codemirror.js";

const KEYWORDS = /^(?:func|module|attributes|private|to|step|iter_args|ins|outs|shared_outs|into|in|if|else|do|while|loc|retain|dense)\b/;
const mlir = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^%[\w$.-]+(?:#\d+)?/)) return "variableName";
    if (stream.match(/^@(?:[\w$.-]+|"[^"]*")/)) return "definition";
    if (stream.match(/^\^[\w$.-]+/)) return "labelName";
    if (stream.match(/^[#!][\w$.-]+/)) return "attributeName";
    if (stream.match(/^(?:tensor|memref|vector)(?=<)|^(?:[su]?i\d+|bf16|[ft]f?\d+(?:E\d+M\d+\w*)?|index|none)\b/)) return "typeName";
    if (stream.match(/^-?(?:0x[\da-fA-F]+|\d+(?:\.\d*(?:[eE][-+]?\d+)?)?)/)) return "number";
    if (stream.match(KEYWORDS)) return "keyword";
    if (stream.match(/^[a-zA-Z_][\w$]*(?:\.[\w$]+)+/)) return "keyword";
    if (stream.match(/^[a-zA-Z_][\w$]*/)) return null;
    stream.next();
    return null;
  },
  tokenTable: { definition: tags.definition(tags.variableName) },
  languageData: { commentTokens: { line: "//" } },
});
const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.keyword, color: "var(--keyword)" },
  { tag: tags.typeName, color: "var(--type)" },
  { tag: tags.attributeName, color: "var(--string)" },
  { tag: tags.labelName, color: "var(--number)", fontWeight: "600" },
  { tag: tags.definition(tags.variableName), color: "var(--type)", fontWeight: "600" },
]);
const look = EditorView.theme({
  "&": { height: "100%", fontSize: "13px", color: "var(--ink)", backgroundColor: "var(--paper)" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--shade)", color: "var(--faint)", border: "0" },
  ".cm-activeLine": { backgroundColor: "var(--line-here)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)", maxWidth: "min(44rem, 92vw)" },
  ".cm-tooltip.cm-tooltip-hover, .cm-diagnostic": { whiteSpace: "pre-wrap", fontSize: "12px", lineHeight: "1.45" },
  ".hover": { padding: ".4rem .6rem", maxHeight: "18rem", overflow: "auto" },
  ".cm-diagnosticAction": { backgroundColor: "var(--accent)", color: "var(--paper)", cursor: "pointer" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--paper)" },
  ".hint": { color: "var(--faint)", fontSize: "11px", fontStyle: "italic", marginLeft: ".4em", padding: "0 .3em", borderRadius: "3px", backgroundColor: "var(--shade)" },
  ".cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--added)" },
  ".cm-deletedChunk": { backgroundColor: "var(--removed)" },
  ".cm-changedText": { background: "var(--added-text)" },
  ".cm-deletedChunk .cm-deletedText": { background: "var(--removed-text)" },
});

class Hint extends WidgetType {
  constructor(text) { super(); this.text = text; }
  eq(other) { return other.text === this.text; }
  toDOM() {
    const span = document.createElement("span");
    span.className = "hint";
    span.textContent = this.text;
    return span;
  }
}
const showHints = StateEffect.define();
const hints = StateField.define({
  create: () => Decoration.none,
  update(found, change) {
    found = found.map(change.changes);
    for (const effect of change.effects) if (effect.is(showHints)) found = effect.value;
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const root = (parent) => parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
const offset = (state, { line, character }) => {
  if (line >= state.doc.lines) return state.doc.length;
  const at = state.doc.line(line + 1);
  return Math.min(at.from + character, at.to);
};
const place = (state, at) => {
  const line = state.doc.lineAt(at);
  return { line: line.number - 1, character: at - line.from };
};
const changesOf = (state, edits) => edits.map(({ range, newText }) => ({
  from: offset(state, range.start), to: offset(state, range.end), insert: newText,
}));
const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "hint" };
const KINDS = { 3: "function", 6: "variable", 9: "namespace", 10: "property", 14: "keyword", 22: "class", 24: "keyword" };

// `asks` answers questions about the text: hover(place), complete(place), format().
export const makeEditor = (parent, { onChange, onRun, asks }) => {
  const hover = hoverTooltip(async (view, at) => {
    const text = await asks.hover(place(view.state, at));
    if (!text) return null;
    return { pos: at, above: true, create: () => {
      const dom = document.createElement("div");
      dom.className = "hover";
      dom.textContent = text.replace(/^```\w*\n?|```$/gm, "").replaceAll("**", "").replaceAll("`", "").trim();
      return { dom };
    } };
  });
  const complete = async (context) => {
    const word = context.matchBefore(/[%@^]?[\w$.]*/);
    if (!context.explicit && (word === null || word.from === word.to)) return null;
    const items = await asks.complete(place(context.state, context.pos));
    return { from: word?.from ?? context.pos, validFor: /^[%@^]?[\w$.]*$/,
      options: items.map((item) => ({ label: item.label, detail: item.detail, type: KINDS[item.kind], apply: item.insertText ?? item.label })) };
  };
  const format = (view) => {
    asks.format().then((edits) => { if (edits.length) view.dispatch({ changes: changesOf(view.state, edits) }); });
    return true;
  };
  const view = new EditorView({
    parent: root(parent),
    root: root(parent),
    state: EditorState.create({ extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), lintGutter(), hints, hover, mlir, look,
      syntaxHighlighting(colours), autocompletion({ override: [complete] }),
      EditorView.contentAttributes.of({ "aria-label": "Program", spellcheck: "false", autocapitalize: "off" }),
      keymap.of([
        { key: "Mod-Enter", run: () => { onRun(); return true; } },
        { key: "Shift-Alt-f", run: format },
        ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update) => { if (update.docChanged) onChange(); }),
    ] }),
  });
  return {
    get text() { return view.state.doc.toString(); },
    set text(text) {
      if (text !== this.text) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus() { view.focus(); },
    jump(line, character) {
      const at = offset(view.state, { line: line - 1, character: character - 1 });
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    assist({ diagnostics = [], hints: found = [] }) {
      const state = view.state;
      const shown = diagnostics.map((one) => ({
        from: offset(state, one.range.start), to: offset(state, one.range.end), severity: SEVERITIES[one.severity] ?? "info",
        message: `${one.message}${one.code ? ` [${one.code}]` : ""}`,
        actions: one.actions.map(({ title, edits }) => ({
          name: title, apply: (on) => on.dispatch({ changes: changesOf(on.state, edits) }),
        })),
      }));
      const widgets = found.map((hint) => {
        const label = typeof hint.label === "string" ? hint.label : hint.label.map((part) => part.value).join("");
        return Decoration.widget({ widget: new Hint(label), side: 1 }).range(offset(state, hint.position));
      });
      view.dispatch(setDiagnostics(state, shown), { effects: showHints.of(Decoration.set(widgets, true)) });
    },
  };
};

// A text that is only read; with `before`, what changed since is marked and what was taken out is shown.
export const makeViewer = (parent, label) => {
  const difference = new Compartment();
  const view = new EditorView({
    parent: root(parent),
    root: root(parent),
    state: EditorState.create({ extensions: [
      lineNumbers(), mlir, look, syntaxHighlighting(colours), EditorState.readOnly.of(true), drawSelection(), keymap.of(defaultKeymap),
      EditorView.contentAttributes.of({ "aria-label": label }), difference.of([]),
    ] }),
  });
  return {
    show(text, before) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        effects: difference.reconfigure(before === undefined || before === text ? [] : unifiedMergeView({
          original: before, mergeControls: false, gutter: true, highlightChanges: true, collapseUnchanged: { margin: 3, minSize: 8 },
        })),
      });
    },
  };
};
