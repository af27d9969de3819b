/** Files that the flows open. */
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"

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

/** Three requests for one, two and three blocks. */
export const three = ["one", "two", "three"]
  .map(
    (name, index) =>
      `### Block ${name}\n# @network evm\n# @name ${name}\neth_getBlockRange ["0x1", "0x${index + 1}", false]\n`,
  )
  .join("\n")

/** A variable, a call that needs it, and a call without params. */
export const book = `@from = "0x1"

### Blocks
# @network evm
# @name blocks
eth_getBlockRange [{{from}}, "0x3", false]

### Logs
# @network evm
eth_getLogs []
`

/** For a server that says when to come again, or that needs a key. */
export const early = `### Too early
# @network busy
# @name early
# @retry 0
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

/** More logs than one call answers. */
export const wide = `### Everything
# @network evm
# @name wide
eth_getLogs [{ "fromBlock": "0x0", "toBlock": "latest" }]
`

export const slow = `### Never answered
# @network slow
# @name waits
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

export const slowConfig = (origin: string, key: string): string =>
  JSON.stringify({ networks: { slow: { plugin: "evm", url: `${origin}/evm/v3/{{$secret.${key}}}` } } }, null, 2)

/**
 * Files below the folder of a server that hold a text, except for `.env`, where keys may stand, and for the profile of its browser:
 * there the editor has its secret store when it runs in a browser alone.
 */
export const filesWith = async (text: string, folder: string): Promise<ReadonlyArray<string>> => {
  const tops = (await readdir(folder)).filter((name) => name !== "browser")
  const paths = await Promise.all(tops.map((name) => filesIn(join(folder, name))))
  const found = await Promise.all(paths.flat().map(async (path) => ((await holds(path, text)) ? [path] : [])))
  return found.flat()
}

const filesIn = async (path: string): Promise<ReadonlyArray<string>> => {
  if (!(await stat(path)).isDirectory()) return basename(path) === ".env" ? [] : [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== ".env")
  return files.map((entry) => join(entry.parentPath, entry.name))
}

/** A server goes on working while it is looked at: a file that is gone by now holds nothing. */
const holds = (path: string, text: string): Promise<boolean> =>
  readFile(path).then(
    (bytes) => bytes.includes(text),
    () => false,
  )
