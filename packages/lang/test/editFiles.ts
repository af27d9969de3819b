/** Edits that were parsed wrongly once, by name. */
import { readdirSync, readFileSync } from "node:fs"
import type { TextEdit } from "../src/index.ts"

export const editsFolder = new URL("edits/", import.meta.url)

interface EditCase {
  readonly text: string
  readonly edit: TextEdit
}

/** Every case: its name, a text, and an edit of it. */
export const editCases: ReadonlyArray<readonly [name: string, edited: EditCase]> = readdirSync(editsFolder)
  .filter((file) => file.endsWith(".json"))
  .toSorted()
  .map((file) => {
    const edited: EditCase = JSON.parse(readFileSync(new URL(file, editsFolder), "utf8"))
    return [file.slice(0, -".json".length), edited] as const
  })
