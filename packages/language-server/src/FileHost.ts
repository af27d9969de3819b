/** The files of a project, as the server asks for them beside the documents that are open. Addresses are URIs. */
import type { FileText } from "@dotrpc/analysis"

export interface FileHost {
  /** The text of a file, why it cannot be used, or `undefined` when there is none. */
  readonly readFile: (file: string) => Promise<FileText>
  /** The names of what is in a folder; the name of a folder that is not a link ends with a slash. Without it, `*` in the names of ABI files stands for none. */
  readonly listFolder?: (folder: string) => Promise<ReadonlyArray<string>>
  /** The `.rpc` files in a folder and below it. Without it, only open documents are known beside those they import. */
  readonly listFiles?: (folder: string) => Promise<ReadonlyArray<string>>
}
