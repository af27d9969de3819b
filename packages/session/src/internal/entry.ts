/** A document that is open, or a file that documents import, with what is known of it. */
import type { Sources } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import type { EditorText } from "../EditorText.ts"
import type { Analysed } from "./analyses.ts"
import { plainUri } from "./plainUri.ts"

/** How a file is open: as text, or as the cells of a notebook, which are one text. */
export type View = "text" | "notebook"

/** A cell of a notebook. Places are in UTF-16 units. */
export interface Cell {
  /** Of the document that the editor has for it. */
  readonly uri: string
  readonly isCode: boolean
  readonly start: number
  readonly end: number
}

export interface Entry extends Analysed {
  /** Its URI in the one form that all writings of it have in common. */
  readonly plain: string
  readonly view: View
  text: EditorText
  cells: ReadonlyArray<Cell>
  /** What it leads to, as it was read last: of which text, and at which count of changes. */
  imports: ReadAt & { readonly sources: Sources }
  /** The text whose imports were last looked for without waiting for them. */
  reading: ReadAt | undefined
  /** What it leads to, while that is read. */
  found: (ReadAt & { readonly sources: Promise<Sources> }) | undefined
}

interface ReadAt {
  readonly of: ParseResult | undefined
  readonly at: number
}

export const newEntry = (uri: string, view: View, text: EditorText): Entry => ({
  uri,
  plain: plainUri(uri),
  view,
  text,
  parsed: text.parsed,
  cells: [],
  imports: { sources: { uri, files: new Map(), texts: new Map() }, of: undefined, at: -1 },
  reading: undefined,
  found: undefined,
  done: undefined,
  running: undefined,
})

export const keyOf = (uri: string, view: View): string => `${view} ${uri}`

/** As text where it is open in both views. */
export const openIn = (documents: ReadonlyMap<string, Entry>, file: string): Entry | undefined => {
  const known = documents.get(keyOf(file, "text"))
  if (known !== undefined) return known
  const plain = plainUri(file)
  let found: Entry | undefined
  for (const entry of documents.values())
    if (entry.plain === plain && (found === undefined || entry.view === "text")) found = entry
  return found
}
