/** Where a {@link KeptMap} is kept in a file that only its user may read. It holds no keys and no URLs: the caller sees to that. */
import type { KeptText } from "@dotrpc/spec"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import * as AtomicFile from "./AtomicFile.ts"
import { makeFolders } from "./makeFolders.ts"
import { readTextFileSync } from "./RegularFile.ts"

/** The file need not be there yet. It is read when it has changed. `largest` is in bytes, by default as large as any file that is read. */
export const keptFile = (path: string, largest?: number): KeptText => {
  let last: { readonly stamp: string; readonly text: unknown } | undefined
  return {
    read: () => {
      // Read before the text: one that is written meanwhile is read the next time.
      const stamp = stampOf(path)
      if (last?.stamp !== stamp) last = { stamp, text: readTextFileSync(path, largest) }
      return last.text
    },
    write: (text) => {
      makeFolders(dirname(path), 0o700)
      AtomicFile.replace(path, text, { private: true })
    },
  }
}

/** A file that is replaced is another one, whatever the clock says. */
const stampOf = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? "" : `${found.ino} ${found.mtimeMs} ${found.size}`
}
