/** The text of a file of the editor's file system, or why it cannot be used; nothing is opened that could wait forever. */
import { aFolder, type FileText, largestText, notRegular, textOf, tooLarge } from "@dotrpc/analysis"
import * as vscode from "vscode"

/** The text of a file, or why it cannot be used; `undefined` when there is none. */
export const readFileText = async (uri: vscode.Uri): Promise<FileText> => {
  const stat = await statOf(uri)
  if (stat === undefined) return undefined
  const { size, type } = stat
  if ((type & vscode.FileType.Directory) !== 0) return aFolder
  if ((type & vscode.FileType.File) === 0) return notRegular
  if (size > largestText) return tooLarge()
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  } catch (error) {
    const isForbidden = error instanceof vscode.FileSystemError && error.code === "NoPermissions"
    return { problem: `cannot be read${isForbidden ? ": its permissions forbid it" : ""}` }
  }
}

const statOf = async (uri: vscode.Uri): Promise<vscode.FileStat | undefined> => {
  try {
    return await vscode.workspace.fs.stat(uri)
  } catch {
    // There is none, or nobody may know of it.
    return undefined
  }
}

/** The text of a file that can be used. */
export const readText = async (uri: vscode.Uri): Promise<string | undefined> => textOf(await readFileText(uri))
