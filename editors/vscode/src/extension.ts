/** Starts `bufferize lsp` and shows what it says: everything else is the server's. */
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { bufferizedName, commandOf } from "./command";

const SCHEME = "bufferized";
let client: LanguageClient | undefined;

/** Documents that hold the bufferized program of another one. */
class Bufferized implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;

  async provideTextDocumentContent(shown: vscode.Uri): Promise<string> {
    const text = await client?.sendRequest<string | null>("bufferize/bufferized", { uri: shown.query });
    return text ?? "// this program cannot be bufferized; its findings say why\n";
  }

  refresh(source: vscode.Uri): void {
    this.changed.fire(addressOf(source));
  }
}

function addressOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: bufferizedName(source.path), query: source.toString() });
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const configured = vscode.workspace.getConfiguration("bufferize").get("command");
  try {
    const start = { ...commandOf(configured), transport: TransportKind.stdio };
    client = new LanguageClient("bufferize", "bufferize", start, { documentSelector: [{ language: "mlir" }] });
    await client.start();
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    void vscode.window.showErrorMessage(`bufferize lsp does not start: ${reason}. pip install 'bufferize[lsp]' has it.`);
    return;
  }
  const bufferized = new Bufferized();
  context.subscriptions.push(
    client,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, bufferized),
    vscode.workspace.onDidChangeTextDocument((event) => bufferized.refresh(event.document.uri)),
    vscode.commands.registerCommand("bufferize.showBufferized", async () => {
      const source = vscode.window.activeTextEditor?.document.uri;
      if (source === undefined) return;
      const document = await vscode.workspace.openTextDocument(addressOf(source));
      await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
    }),
  );
}

export function deactivate(): Thenable<void> | undefined {
  return client?.stop();
}
