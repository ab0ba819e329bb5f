import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { join } from "node:path";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry } from "vscode-textmate";

const root = join(__dirname, "..", "..");

/** The words of a line with their innermost scopes. */
async function scopesOf(line: string): Promise<string[][]> {
  const wasm = readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  const onigLib = loadWASM(new Uint8Array(wasm).buffer).then(() => ({ createOnigScanner, createOnigString }));
  const path = join(root, "syntaxes", "mlir.tmLanguage.json");
  const registry = new Registry({ onigLib, loadGrammar: async () => parseRawGrammar(readFileSync(path, "utf8"), path) });
  const grammar = await registry.loadGrammar("source.mlir");
  const { tokens } = grammar!.tokenizeLine(line, INITIAL);
  return tokens
    .filter(({ scopes }) => scopes.length > 1)
    .map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex), scopes[1].split(".").slice(0, 2).join(".")]);
}

test("an operation, its values, symbols, types and the comment have scopes of their own", async () => {
  const line = '%0:2 = "a.b"(%x#1) : (tensor<4x8x?xbf16>) -> !my.type loc(#loc) // why';
  assert.deepEqual(await scopesOf(line), [
    ["%0", "variable.other"], ["2", "constant.numeric"], ['"', "string.quoted"], ["a.b", "string.quoted"], ['"', "string.quoted"],
    ["%x#1", "variable.other"], ["tensor", "storage.type"], ["4", "constant.numeric"], ["8", "constant.numeric"], ["bf16", "storage.type"],
    ["!my.type", "support.type"], ["loc", "keyword.control"], ["#loc", "entity.other"], ["// why", "comment.line"],
  ]);
  assert.deepEqual(await scopesOf("func.func @f(%i: index) { cf.br ^bb1 }"), [
    ["func.func", "entity.name"], ["@f", "entity.name"], ["%i", "variable.other"], ["index", "storage.type"],
    ["cf.br", "entity.name"], ["^bb1", "entity.name"],
  ]);
});
