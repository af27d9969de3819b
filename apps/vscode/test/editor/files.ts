/** Files that the flows open. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

export const quickstart = await readFile(new URL("../../../../examples/quickstart.rpc", import.meta.url), "utf8")

/** One request that the gateway refuses, one that cannot be sent, one that is right. */
export const mixed = `### A block nobody has
# @network evm
# @name unknown
eth_getLogs [{ "blockHash": "0x${"11".repeat(32)}" }]

### A misspelt member
# @network evm
# @name broken
eth_getLogs [{ "fromBlok": "0x1" }]

### Blocks
# @network evm
# @name blocks
eth_getBlockRange ["0x1", "0x3", false]
?? result.length == 4
`

export const slow = `### Never answered
# @network slow
# @name waits
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

export const slowConfig = (origin: string): string =>
  JSON.stringify({ networks: { slow: { plugin: "evm", url: `${origin}/evm/v3/{{$secret.SLOW_KEY}}` } } }, null, 2)

/** Files below a folder that hold a text, except for `.env`, where keys may stand. */
export const filesWith = async (text: string, folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".env")
  const found = await Promise.all(
    files.map(async (file) => {
      const path = join(file.parentPath, file.name)
      return (await readFile(path)).includes(text) ? [path] : []
    }),
  )
  return found.flat()
}
