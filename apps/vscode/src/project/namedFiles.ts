/**
 * Files that texts of a project name, and its `.env`. Where Node runs, they are judged by where they really lie, as in the terminal; a file
 * system of the editor does not tell, so no link is followed there.
 */
import { type FileText, hiddenWay } from "@dotrpc/analysis"
import type { FileHost } from "@dotrpc/session"
import * as vscode from "vscode"

import type { HostPort } from "../HostPort.ts"
import { foldersUp } from "./foldersUp.ts"
import { listFolder, readFileText } from "./readFile.ts"

export interface NamedFiles extends Required<Pick<FileHost, "listFolder" | "readFile" | "rootOf">> {
  /** The `.env` of a folder, whose owner was judged already. */
  readonly readDotEnv: (folder: vscode.Uri) => Promise<FileText>
}

export const namedFiles = (host: Pick<HostPort, "projectRoot" | "readWithin">): NamedFiles => {
  const read = (folder: vscode.Uri, file: vscode.Uri, hidden?: string): Promise<FileText> => {
    if (host.readWithin !== undefined && file.scheme === "file")
      return host.readWithin(folder, file, { hidden, isOwnerKnown: hidden !== undefined })
    const way = file.path.slice(folder.path.replace(/\/$/, "").length + 1).split("/")
    const refused = isBelow(folder, file) ? hiddenWay(way, hidden) : outside
    return refused === undefined ? readFileText(file, folder) : Promise.resolve(refused)
  }
  return {
    readFile: (file, within) =>
      within === undefined
        ? readFileText(vscode.Uri.parse(file))
        : read(vscode.Uri.parse(within), vscode.Uri.parse(file)),
    readDotEnv: (folder) => read(folder, vscode.Uri.joinPath(folder, ".env"), ".env"),
    listFolder: (folder) => listFolder(vscode.Uri.parse(folder)),
    rootOf: async (document) => {
      const uri = vscode.Uri.parse(document)
      if (!uri.path.startsWith("/") || uri.scheme === "untitled") return undefined
      const folder = vscode.Uri.joinPath(uri, "..")
      if (host.projectRoot !== undefined && uri.scheme === "file") return folderUri(await host.projectRoot(folder))
      let root = folder.toString()
      const opened = vscode.workspace.getWorkspaceFolder(folder)?.uri.toString()
      for await (const above of foldersUp(folder, opened)) root = above
      return folderUri(vscode.Uri.parse(root))
    },
  }
}

const isBelow = (folder: vscode.Uri, file: vscode.Uri): boolean =>
  folder.scheme === file.scheme &&
  folder.authority === file.authority &&
  file.path.startsWith(`${folder.path.replace(/\/$/, "")}/`)

const outside = { problem: "is outside the folder in which files may be named here: copy it there" }

const folderUri = (folder: vscode.Uri): string => `${folder.toString().replace(/\/$/, "")}/`
