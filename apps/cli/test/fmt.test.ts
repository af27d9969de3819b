import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const fileWith = (text: string): string => {
  const file = join(temporaryFolder(), "a.rpc")
  writeFileSync(file, text)
  return file
}

describe("dotrpc fmt", () => {
  const untidy = '###   Logs\r\neth_getLogs   [ {"fromBlock":"0x00ff" , } ] // all\r\n'
  const tidy = '### Logs\r\neth_getLogs [{ "fromBlock": "0x00ff", }] // all\r\n'

  it("changes white space only, keeps line ends, and has nothing to do the second time", async () => {
    const file = fileWith(untidy)
    expect((await dotrpc("fmt", file)).code).toBe(0)
    const once = readFileSync(file, "utf8")
    expect(once.replace(/\s/g, "")).toBe(untidy.replace(/\s/g, ""))
    expect(once).toBe(tidy)
    expect((await dotrpc("fmt", file)).stdout).toMatch(/1 file, 0 formatted/)
  })
  it("writes nothing with --check, and exits with 1", async () => {
    const file = fileWith(untidy)
    const { code, stdout } = await dotrpc("fmt", "--check", file)
    expect(stdout).toMatch(/not formatted: [^]*1 file, 1 to format/)
    expect(code).toBe(1)
    expect(readFileSync(file, "utf8")).toBe(untidy)
  })
  it("keeps a golden file as it is, and says so", async () => {
    const file = join(temporaryFolder(), "a.io")
    const exchange = '>> {"jsonrpc":"2.0", "id":1,"method":"eth_chainId"}\n<< {"jsonrpc":"2.0","id":1,"result":"0x1"}\n'
    writeFileSync(file, exchange)
    const { code, stderr } = await dotrpc("fmt", file)
    expect(stderr).toMatch(/golden \.io files are not formatted: 1 kept as received/)
    expect(code).toBe(0)
    expect(readFileSync(file, "utf8")).toBe(exchange)
  })
  it("takes the files of a folder, but none of its dependencies, nor what a link leads to", async () => {
    const file = fileWith(untidy)
    const folder = join(file, "..")
    const other = fileWith(untidy)
    mkdirSync(join(folder, "node_modules"))
    writeFileSync(join(folder, "node_modules/b.rpc"), untidy)
    symlinkSync(join(other, ".."), join(folder, "linked"))
    expect((await dotrpc("fmt", folder)).stdout).toMatch(/1 file, 1 formatted/)
    expect(readFileSync(other, "utf8")).toBe(untidy)
  })
  it("leaves a broken section as it is, says why, and formats the others", async () => {
    const file = fileWith(`### broken\neth_getLogs   [{\n\n${untidy}`)
    const { code, stderr } = await dotrpc("fmt", file)
    expect(code).toBe(2)
    expect(stderr).toMatch(/L304/)
    expect(readFileSync(file, "utf8")).toMatch(/^### broken\neth_getLogs {3}\[\{\n/)
  })
})
