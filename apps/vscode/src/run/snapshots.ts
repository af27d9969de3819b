/** `FILE.rpc.snap` beside a file, which `?? snapshot` compares with. */
import { type BoundRequest, snapshotCheck } from "@dotrpc/analysis"
import { type KeptSnapshots, readingSnapshots, type RequestReport, type Snapshots } from "@dotrpc/runner"
import { inSlices, textOfBytes } from "@dotrpc/spec"
import * as vscode from "vscode"

import { joinInTurns } from "./chunks.ts"

/** What it has. It may be anyone's file, so it is read in slices, and nothing but a regular file is opened. */
export const readSnapshots = async (uri: vscode.Uri): Promise<KeptSnapshots> =>
  inSlices(readingSnapshots(await textOf(uri)))

/** `undefined` where there is none, and for a text that is not in a file. */
const textOf = async (uri: vscode.Uri): Promise<string | undefined> => {
  if (uri.scheme === "untitled") return undefined
  const own = fileOf(uri)
  try {
    const { size, type } = await vscode.workspace.fs.stat(own)
    // What is not read is not a file of snapshots, which the check says.
    if (type !== vscode.FileType.File || size > longest) return ""
    const text = textOfBytes(await vscode.workspace.fs.readFile(own))
    return typeof text === "string" ? text : ""
  } catch (error) {
    return error instanceof vscode.FileSystemError && error.code === "FileNotFound" ? undefined : ""
  }
}

/** Writes what a run changed into what the file has by now. */
export const writeSnapshots = async (uri: vscode.Uri, snapshots: Snapshots): Promise<void> => {
  if (!snapshots.isChanged()) return
  const latest = await readSnapshots(uri)
  const obstacle = snapshots.obstacle(latest)
  if (obstacle !== undefined) throw new Error(`Nothing was written: ${obstacle}.`)
  const pieces = snapshots.written(latest)
  if (pieces === undefined) return
  const text = await joinInTurns(pieces)
  const own = fileOf(uri)
  const found = await vscode.workspace.fs.stat(own).then(
    ({ type }) => type,
    () => vscode.FileType.File,
  )
  if (found !== vscode.FileType.File)
    throw new Error(`${nameOf(uri)} is a link or a folder: remove it, and run the request again.`)
  await vscode.workspace.fs.writeFile(own, new TextEncoder().encode(text))
}

/** Whether a request of these compares with a snapshot. */
export const usesSnapshots = (requests: ReadonlyArray<BoundRequest>): boolean =>
  requests.some(({ section }) => section.checks.some((check) => snapshotCheck(check) !== undefined))

/** The name of the file, without its folder. */
export const nameOf = (uri: vscode.Uri): string => fileOf(uri).path.split("/").at(-1) ?? ""

/** The check of a request that compares with its snapshot. */
export const snapshotOf = ({ request }: RequestReport) =>
  request.section.checks.flatMap((check) => snapshotCheck(check) ?? []).at(0)

const fileOf = (uri: vscode.Uri): vscode.Uri => uri.with({ path: `${uri.path}.snap` })

/** Bytes that are read at most. */
const longest = 16_000_000
