/** The sample chain of the embedded gateway as the build has recorded it: no start generates it, and none writes it anywhere. */
import { readRegularFileSync } from "@dotrpc/project/node"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { brotliDecompressSync } from "node:zlib"

/** The text of the chain, from beside the command; `undefined` where there is none, as in the sources: it is generated then. */
export const recordedSample = (
  command = join(dirname(fileURLToPath(import.meta.url)), "../dotrpc.mjs"),
): string | undefined => {
  const bytes = readRegularFileSync(join(dirname(command), "sample-chain.br"))
  return bytes instanceof Uint8Array ? brotliDecompressSync(bytes).toString("utf8") : undefined
}
