/** Runs inside the extension host. A timer that comes late tells for how long nothing else could run. */
import * as vscode from "vscode"

const tick = 5

/** Does the work, waits until what it caused has settled, and tells the longest time between two turns. */
const longestBlock = async (work: () => Thenable<unknown>): Promise<number> => {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - tick)
    last = now
  }, tick)
  await work()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  clearInterval(timer)
  return Math.round(longest)
}

export const run = async (): Promise<void> => {
  const [uri] = await vscode.workspace.findFiles("many.rpc")
  if (uri === undefined) throw new Error("The workspace has no many.rpc.")
  const editor = await vscode.window.showTextDocument(uri)
  editor.selection = new vscode.Selection(3, 0, 3, 0)
  const command = (id: string) => vscode.commands.executeCommand(id)
  await command("dotrpc.run")
  const steps: ReadonlyArray<readonly [string, () => Thenable<unknown>]> = [
    ["nothing at all", () => Promise.resolve()],
    ["a run of 10,000 logs, its line and its thread", () => command("dotrpc.run")],
    ["the full result as JSON", () => command("dotrpc.openResult")],
    ["all rows in a tab", () => command("dotrpc.openRows")],
    [
      "typing in the file with the result in place",
      () => editor.edit((edit) => edit.insert(new vscode.Position(0, 3), "x")),
    ],
  ]
  for (const [what, work] of steps) {
    await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One })
    // oxlint-disable-next-line no-console -- It is how a run in the host reports.
    console.log(`ok ${what}: ${await longestBlock(work)} ms`)
  }
}
