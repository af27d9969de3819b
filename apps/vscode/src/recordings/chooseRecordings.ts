/** Chooses the folder that runs are recorded in, or answered from: the one beside the file, or another. */
import * as vscode from "vscode"
import { frontFile } from "../project/Front.ts"
import { nameOf, type RecordingChoice, type Recordings } from "../project/Recordings.ts"
import { pick, showDone, statusEntry } from "../Shown.ts"

export const chooseRecordings = async (recordings: Recordings, kind: RecordingChoice["kind"]): Promise<void> => {
  if (recordings.missing !== undefined) throw new Error(recordings.missing)
  const { title, verb } = words[kind]
  const proposed = proposedFolder()
  const folders = [...new Set([recordings.current?.folder, proposed?.fsPath])].flatMap((folder) => folder ?? [])
  const known = folders.map((folder) => ({
    label: nameOf(folder),
    description: folder,
    value: (): Promise<string | undefined> => Promise.resolve(folder),
  }))
  const another = { label: "Another Folder…", value: () => askFolder(title, verb, proposed) }
  const picked = await pick([...known, another], { title })
  const folder = await picked?.()
  if (folder === undefined) return
  if (kind === "replay" && !(await isFolder(folder)))
    throw new Error(`There is no folder ${folder}: record runs there first.`)
  await recordings.choose({ kind, folder })
}

export const stopRecordings = async (recordings: Recordings): Promise<void> => {
  if (recordings.current === undefined) throw new Error("Runs are neither recorded nor replayed.")
  const { kind } = recordings.current
  await recordings.choose(undefined)
  showDone(kind === "record" ? "Runs are no longer recorded" : "Runs send requests again")
}

const words = {
  record: { title: "Record runs in which folder?", verb: "Record Here" },
  replay: { title: "Replay runs from which folder?", verb: "Replay These" },
}

/** Beside the file in front, or in the first folder that is open. */
const proposedFolder = (): vscode.Uri | undefined => {
  const file = frontFile()
  const folder = isOnDisk(file) ? vscode.Uri.joinPath(file, "..") : vscode.workspace.workspaceFolders?.[0]?.uri
  return isOnDisk(folder) ? vscode.Uri.joinPath(folder, "recordings") : undefined
}

const askFolder = async (
  title: string,
  openLabel: string,
  proposed: vscode.Uri | undefined,
): Promise<string | undefined> => {
  const beside = proposed === undefined ? {} : { defaultUri: vscode.Uri.joinPath(proposed, "..") }
  const [found] =
    (await vscode.window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      title,
      openLabel,
      ...beside,
    })) ?? []
  if (found !== undefined && !isOnDisk(found)) throw new Error("Recordings are kept on disk: choose a folder there.")
  return found?.fsPath
}

const isOnDisk = (uri: vscode.Uri | undefined): uri is vscode.Uri => uri?.scheme === "file"

const isFolder = (folder: string): Promise<boolean> =>
  Promise.resolve(
    vscode.workspace.fs.stat(vscode.Uri.file(folder)).then(
      ({ type }) => (type & vscode.FileType.Directory) !== 0,
      () => false,
    ),
  )

export const provideRecordingsItem = (recordings: Recordings): vscode.Disposable => {
  const item = statusEntry("dotrpc.recordings", "dotrpc recordings", 92, "dotrpc.stopRecordings")
  const show = (): void => {
    const { current } = recordings
    void vscode.commands.executeCommand("setContext", "dotrpc.hasRecordings", current !== undefined)
    if (current === undefined) return item.hide()
    const { folder, kind } = current
    if (kind === "record")
      return item.show(
        "record",
        `recording in ${nameOf(folder)}`,
        `Calls and their answers are written into ${folder}, without secrets. Click to stop recording.`,
      )
    item.show(
      "debug-rerun",
      `replaying ${nameOf(folder)}`,
      `Calls are answered from ${folder}: nothing is sent, and 0 credits are spent. Click to send requests again.`,
    )
  }
  show()
  return vscode.Disposable.from(item, recordings.onDidChange(show))
}
