/** All rows of a result in a tab of their own, drawn as in a notebook. One tab shows what was asked for last. */
import type { RequestReport } from "@dotrpc/runner"
import * as vscode from "vscode"

import { resultPayload, rowsMessage } from "../notebook/payload.ts"
import type { PageMessage, RendererMessage } from "../notebook/ResultPayload.ts"
import { Visible } from "@dotrpc/spec"

export class RowsPanel implements vscode.Disposable {
  readonly #root: vscode.Uri
  #panel: vscode.WebviewPanel | undefined
  #shown: { readonly id: number; readonly report: RequestReport } | undefined

  /** @param extension where the extension is installed */
  constructor(extension: vscode.Uri) {
    this.#root = vscode.Uri.joinPath(extension, "dist")
  }

  show(report: RequestReport, id: number): void {
    this.#shown = { id, report }
    const panel = (this.#panel ??= this.#open())
    panel.title = Visible.oneLine(report.request.label)
    panel.reveal(undefined, true)
    this.#draw()
  }

  dispose(): void {
    this.#panel?.dispose()
  }

  #open(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      "dotrpc.rows",
      "",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [this.#root] },
    )
    panel.webview.onDidReceiveMessage((message: RendererMessage) => this.#receive(message))
    panel.onDidDispose(() => {
      this.#panel = undefined
    })
    panel.webview.html = page(panel.webview, vscode.Uri.joinPath(this.#root, "renderer.js"))
    return panel
  }

  #draw(): void {
    if (this.#shown === undefined) return
    this.#send({ kind: "result", payload: resultPayload(this.#shown.report, this.#shown.id) })
  }

  #send(message: PageMessage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- It is a page of the editor, not a window.
    void this.#panel?.webview.postMessage(message)
  }

  #receive(message: RendererMessage): void {
    switch (message.kind) {
      case "ready":
        return this.#draw()
      case "rows":
        return this.#send(
          rowsMessage(message.id === this.#shown?.id ? this.#shown.report : undefined, message.id, message.from),
        )
      case "copy":
        return void vscode.env.clipboard.writeText(message.text)
      case "open":
        return void vscode.commands.executeCommand("dotrpc.openResult", { result: message.id })
      case "save":
        return void vscode.commands.executeCommand("dotrpc.saveResult", { result: message.id })
      case "resume":
        return void vscode.commands.executeCommand("dotrpc.resume", { result: message.id })
      case "allowOnce":
        return void vscode.commands.executeCommand("dotrpc.allowOnce", { result: message.id })
    }
  }
}

/** The page loads the renderer and nothing else. */
const page = (webview: vscode.Webview, script: vscode.Uri): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy"
    content="default-src 'none'; script-src ${webview.cspSource}; style-src ${webview.cspSource} 'unsafe-inline'">
</head>
<body>
  <script type="module" src="${webview.asWebviewUri(script).toString()}"></script>
</body>
</html>
`
