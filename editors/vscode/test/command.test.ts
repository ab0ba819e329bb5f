import assert from "node:assert/strict";
import test from "node:test";
import { bufferizedName, commandOf } from "../src/command";

test("a list of words is a command", () => {
  assert.deepEqual(commandOf(["bufferize", "lsp", "--ods", "a b"]), { command: "bufferize", args: ["lsp", "--ods", "a b"] });
});

test("anything else is refused", () => {
  for (const setting of ["bufferize lsp", [], [1], undefined]) assert.throws(() => commandOf(setting), /list of words/);
});

test("what a program becomes has a name of its own", () => {
  assert.equal(bufferizedName("/a/b.mlir"), "/a/b.bufferized.mlir");
  assert.equal(bufferizedName("/a/b"), "/a/b.bufferized.mlir");
});
