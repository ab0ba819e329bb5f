/** What starts the server, from what is configured. */
export interface Command {
  command: string;
  args: string[];
}

/** The command of a setting: a list of words. Anything else is refused in words that an editor can show. */
export function commandOf(setting: unknown): Command {
  if (!Array.isArray(setting) || setting.length === 0 || !setting.every((word) => typeof word === "string")) {
    throw new Error("bufferize.command is a list of words, such as [\"bufferize\", \"lsp\"]");
  }
  const [command, ...args] = setting as string[];
  return { command, args };
}

/** The name of the document that shows what a program becomes. */
export function bufferizedName(path: string): string {
  return path.replace(/(\.mlir)?$/, ".bufferized.mlir");
}
