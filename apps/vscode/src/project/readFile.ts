/** The files of the editor's file system: the text of one, or why it cannot be used; nothing is opened that could wait forever. */
import { aFolder, type FileText, largestText, notRegular, textOf, tooLarge } from "@dotrpc/analysis"
import { textOfBytes } from "@dotrpc/spec"
import * as vscode from "vscode"

/**
 * The text of a file of at most `most` bytes, or why it cannot be used; `undefined` when there is none. Below the folder `within`, no link
 * is followed.
 */
export const readFileText = async (
  uri: vscode.Uri,
  within?: vscode.Uri,
  most: number = largestText,
): Promise<FileText> => {
  if (within !== undefined && (await isLinked(uri, within))) return aLink
  const stat = await statOf(uri)
  if (stat === undefined) return undefined
  const { size, type } = stat
  if ((type & vscode.FileType.Directory) !== 0) return aFolder
  if ((type & vscode.FileType.File) === 0) return notRegular
  if (size > most) return tooLarge(most)
  try {
    return textOfBytes(await vscode.workspace.fs.readFile(uri))
  } catch (error) {
    const isForbidden = error instanceof vscode.FileSystemError && error.code === "NoPermissions"
    return { problem: `cannot be read${isForbidden ? ": its permissions forbid it" : ""}` }
  }
}

/** Whether a link is part of the way from a folder to a file. */
const isLinked = async (uri: vscode.Uri, within: vscode.Uri): Promise<boolean> => {
  const steps = uri.path.slice(within.path.length).split("/")
  for (const index of steps.keys()) {
    const stat = await statOf(vscode.Uri.joinPath(within, ...steps.slice(0, index + 1)))
    if (stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0) return true
  }
  return false
}

const aLink = { problem: "is a link, or in a linked folder: copy the file" }

const statOf = async (uri: vscode.Uri): Promise<vscode.FileStat | undefined> => {
  try {
    return await vscode.workspace.fs.stat(uri)
  } catch {
    // There is none, or nobody may know of it.
    return undefined
  }
}

/** The names of what is in a folder; that of a folder ends with a slash. None of a folder that cannot be read. */
export const listFolder = async (uri: vscode.Uri): Promise<ReadonlyArray<string>> => {
  try {
    const entries = await vscode.workspace.fs.readDirectory(uri)
    return entries.slice(0, 10_000).map(([name, type]) => (type === vscode.FileType.Directory ? `${name}/` : name))
  } catch {
    return []
  }
}

/** The text of a file that can be used. */
export const readText = async (uri: vscode.Uri): Promise<string | undefined> => textOf(await readFileText(uri))
