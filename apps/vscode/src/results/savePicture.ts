/** Writes a chart into a file of the user's choice. */
import * as vscode from "vscode"

import type { RendererMessage } from "../notebook/ResultPayload.ts"
import { showDone } from "../Shown.ts"
import { fileNameOf } from "./fileNameOf.ts"

type Picture = Extract<RendererMessage, { readonly kind: "picture" }>

/** The most characters of a picture; a page that sends more is not ours. */
const longest = 20_000_000

export const savePicture = async ({ content, format, name }: Picture): Promise<void> => {
  if (content.length > longest) throw new Error("The picture is too large to save.")
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  const file = `${fileNameOf(name)}.${format}`
  const target = await vscode.window.showSaveDialog({
    title: "Save the chart",
    filters: { [format.toUpperCase()]: [format] },
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
  })
  if (target === undefined) return
  await vscode.workspace.fs.writeFile(target, format === "svg" ? new TextEncoder().encode(content) : bytesOf(content))
  showDone(`Saved ${file}`)
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
