/** Writes failing cases where the tests find them. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import type { TextEdit } from "../../src/index.ts"
import { corpusFolder } from "../corpusFiles.ts"
import { editsFolder } from "../editFiles.ts"

/** A text, and an edit of it for the laws about edits. */
export interface Case {
  readonly text: string
  readonly edit: TextEdit
}

/**
 * Keeps a case and tells its path. A text goes to the corpus, where `UPDATE=1` gives it its answers. A case with an edit, or a
 * text that UTF-8 cannot hold, goes to the edits.
 */
export function keepCase(found: Case, takesEdit: boolean): string {
  const name = `found-${createHash("sha256").update(JSON.stringify(found)).digest("hex").slice(0, 8)}`
  const isPlain = !takesEdit && !/\p{Surrogate}/u.test(found.text)
  const file = isPlain ? new URL(`${name}.rpc`, corpusFolder) : new URL(`${name}.json`, editsFolder)
  writeFileSync(file, isPlain ? found.text : `${inAscii(JSON.stringify(found, null, 2))}\n`)
  return file.pathname
}

/** Escapes what an editor would not show or might change. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
