import type { Workbench } from "@dotrpc/vscode-host"

/** Opens a file, and then as a notebook, until its cells are drawn. */
export const openAsNotebook = async (workbench: Workbench, path: string): Promise<void> => {
  await workbench.openFile(path)
  await workbench.runCommand("dotrpc: Open as Notebook")
  await workbench.codeCells()
}
