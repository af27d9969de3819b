/** Runs a line of the command line in a terminal of the editor. */
import * as vscode from "vscode"

/** Ends when it has ended; rejects with words for the user where it failed. The terminal shows what it says. */
export const runLine = async (line: string, folder: string, isShown: boolean): Promise<void> => {
  const task = new vscode.Task(
    { type: "shell" },
    vscode.TaskScope.Workspace,
    "dotrpc backfill",
    "dotrpc",
    new vscode.ShellExecution(line, { cwd: folder, env: { ...asElsewhere } }),
    [],
  )
  task.presentationOptions = {
    reveal: isShown ? vscode.TaskRevealKind.Always : vscode.TaskRevealKind.Silent,
    panel: vscode.TaskPanelKind.Shared,
    showReuseMessage: false,
    clear: false,
  }
  const execution = await vscode.tasks.executeTask(task)
  const code = await new Promise<number | undefined>((resolve) => {
    const ends = vscode.Disposable.from(
      vscode.tasks.onDidEndTaskProcess((event) => end(event.execution, event.exitCode)),
      // Where no process could be started.
      vscode.tasks.onDidEndTask((event) => setTimeout(() => end(event.execution, undefined), 500)),
    )
    const end = (ended: vscode.TaskExecution, exitCode: number | undefined): void => {
      if (ended !== execution) return
      ends.dispose()
      resolve(exitCode)
    }
  })
  if (code === 0) return
  if (notFound.has(code ?? 0))
    throw new Error(
      "The shell did not find the command of the setting dotrpc.command, by default dotrpc: install dotrpc, or change the setting.",
    )
  throw new Error("The command failed: see its terminal for the reason.")
}

/** The shell of Windows would otherwise run a program of that name in the folder. */
export const asElsewhere = { NoDefaultCurrentDirectoryInExePath: "1" } as const

/** As POSIX shells and that of Windows say it. */
const notFound: ReadonlySet<number> = new Set([127, 9_009])
