/** The text of a file of the editor's file system, or why it cannot be used; nothing is opened that could wait forever. */
import { aFolder, type FileText, largestText, notRegular, textOf, tooLarge } from "@dotrpc/analysis"
import * as vscode from "vscode"

/** The text of a file, or why it cannot be used; `undefined` when there is none. */
export const readFileText = async (uri: vscode.Uri): Promise<FileText> => {
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri)
    if ((type & vscode.FileType.Directory) !== 0) return aFolder
    if ((type & vscode.FileType.File) === 0) return notRegular
    if (size > largestText) return tooLarge()
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri))
  } catch {
    // What is not there, or may not be read, does not apply.
    return undefined
  }
}

/** The text of a file that can be used. */
export const readText = async (uri: vscode.Uri): Promise<string | undefined> => textOf(await readFileText(uri))
