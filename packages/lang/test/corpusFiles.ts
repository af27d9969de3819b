/** The files of the corpus, by name. */
import { readdirSync, readFileSync } from "node:fs"

export const corpusFolder = new URL("corpus/", import.meta.url)

/** Every case: its name and the text of its `.rpc` file. */
export const corpus: ReadonlyArray<readonly [name: string, text: string]> = readdirSync(corpusFolder)
  .filter((file) => file.endsWith(".rpc"))
  .toSorted()
  .map((file) => [file.slice(0, -".rpc".length), readFileSync(new URL(file, corpusFolder), "utf8")] as const)
