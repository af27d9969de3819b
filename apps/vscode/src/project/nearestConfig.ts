/**
 * Which `rpc.config.json` applies to a folder: the nearest one that is there.
 *
 * Invariant: one that cannot be used applies as well, and is reported. Otherwise it would be one further up, or none,
 * that decides where requests are sent.
 */
import type { FileText } from "@dotrpc/analysis"

export interface FoundConfig {
  /** Its URI. */
  readonly uri: string
  /** Its text, or why it cannot be used. */
  readonly text: FileText
}

/** Looks in each of these folders, whose URIs end with a slash, the nearest first. */
export const nearestConfig = async (
  folders: AsyncIterable<string>,
  readFile: (uri: string) => Promise<FileText>,
): Promise<FoundConfig | undefined> => {
  for await (const folder of folders) {
    const uri = `${folder}rpc.config.json`
    const text = await readFile(uri)
    if (text !== undefined) return { uri, text }
  }
  return undefined
}
