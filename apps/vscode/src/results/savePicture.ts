/** Writes a chart into a file of the user's choice. */
import * as vscode from "vscode"

import type { RendererMessage } from "./ResultPayload.ts"
import { showDone } from "../Shown.ts"
import { fileNameOf } from "./fileNameOf.ts"
import { askWhere } from "./saveBeside.ts"

type Picture = Extract<RendererMessage, { readonly kind: "picture" }>

/** The most characters of a picture; a page that sends more is not ours. */
const longest = 20_000_000

/** @param of the file of the request */
export const savePicture = async ({ content, format, name }: Picture, of: vscode.Uri): Promise<void> => {
  if (content.length > longest) throw new Error("The picture is too large to save.")
  const file = `${fileNameOf(name)}.${format}`
  const saved = { name: file, format: format.toUpperCase(), extension: format }
  const target = await askWhere("Save the chart", of, saved)
  if (target === undefined) return
  await vscode.workspace.fs.writeFile(target, format === "svg" ? new TextEncoder().encode(content) : bytesOf(content))
  showDone(`Saved ${file}`)
}

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
