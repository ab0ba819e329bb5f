// What codemirror.js has in it. Made again by:
//   npm install esbuild @codemirror/{state,view,commands,language,lint,search,autocomplete,merge}
//   npx esbuild codemirror.mjs --bundle --minify --format=esm --legal-comments=none --banner:js="$(head -1 codemirror.js)" --outfile=codemirror.js
// Made of state 6.7.6, view 6.43.15, commands 6.11.1, language 6.13.1, lint 6.9.8, search 6.7.2, autocomplete 6.20.4, merge 6.12.3.
export { EditorState, Compartment, StateField, StateEffect } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection, hoverTooltip, Decoration, WidgetType } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
export { StreamLanguage, syntaxHighlighting, HighlightStyle, bracketMatching } from "@codemirror/language";
export { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
export { searchKeymap } from "@codemirror/search";
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { unifiedMergeView } from "@codemirror/merge";
export { tags } from "@lezer/highlight";
