/** The files that documents lead to and that are not open, each read once. What could not be read is tried again for the next caller. */
import type { FileText, Unreadable } from "@dotrpc/analysis"
import type { ParseResult } from "@dotrpc/lang"
import { type EditorText, importable } from "../EditorText.ts"
import type { FileHost } from "../SessionHost.ts"

type Imported = ParseResult | Unreadable | undefined

export interface Files {
  /** A file that is imported: as it is open, or as it was read. */
  readonly read: (file: string, within?: string) => Promise<Imported>
  /** What `# @abi` and `# @each` lead to, in the same way. */
  readonly readText: (file: string, within?: string) => Promise<FileText>
  readonly size: () => number
  /** Forgets all others. */
  readonly keepOnly: (isNeeded: (file: string) => boolean) => void
}

interface FilesParts extends Pick<FileHost, "readFile"> {
  readonly makeText: (text: string) => EditorText
  /** Lets others have their turn between the texts that are read one after the other. */
  readonly pause: () => Promise<void>
  /** The text of a file that is open. */
  readonly textOf: (file: string) => EditorText | undefined
  readonly onRead: (file: string) => void
}

export const makeFiles = ({ makeText, onRead, pause, readFile, textOf }: FilesParts): Files => {
  /** By URI and, after a blank, the folder that they have to be in. */
  const files = new Map<string, Promise<Imported>>()
  const texts = new Map<string, Promise<FileText>>()
  const caches = [files, texts]
  return {
    read: async (file, within) => {
      onRead(file)
      const open = textOf(file)
      if (open !== undefined) return importable(open)
      return remember(files, keyIn(file, within), async () => {
        const text = await readFile(file, within)
        await pause()
        return typeof text === "string" ? importable(makeText(text)) : text
      })
    },
    readText: async (file, within) => {
      onRead(file)
      return remember(texts, keyIn(file, within), () => readFile(file, within))
    },
    size: () => files.size + texts.size,
    keepOnly: (isNeeded) => {
      for (const cache of caches) for (const key of cache.keys()) if (!isNeeded(fileOf(key))) cache.delete(key)
    },
  }
}

const keyIn = (file: string, within = ""): string => (within === "" ? file : `${file} ${within}`)

/** What a cache has something of; a URI has no blanks. */
const fileOf = (key: string): string => key.split(" ", 1)[0] ?? key

/** What could not be read is tried again for the next caller: nothing may report when it can be read. */
const remember = <Value extends ParseResult | FileText>(
  cache: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> => {
  const known = cache.get(key)
  if (known !== undefined) return known
  const reading = read()
  cache.set(key, reading)
  const forget = () => {
    if (cache.get(key) === reading) cache.delete(key)
  }
  const isRead = (found: Value) => typeof found === "string" || (found !== undefined && "tree" in found)
  reading.then((found) => isRead(found) || forget(), forget)
  return reading
}
