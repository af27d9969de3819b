import { type UnitsMemory } from "@dotrpc/runner"
import { Effect } from "effect"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { mostTokens, userUnits } from "../src/UnitsFile.ts"
import { userFile } from "../src/UserData.ts"
import { temporaryFolder } from "./folders.ts"

const usdc = { token: "0x1", decimals: 6, symbol: "USDC" }

const inFolder = () => {
  const home = temporaryFolder()
  const user = { cwd: home, home, env: { XDG_DATA_HOME: join(home, "data") } }
  const path = userFile(user, "units.json")
  const open = (): UnitsMemory => userUnits(user)
  return { path, open }
}
const read = (memory: UnitsMemory, key: string) => Effect.runSync(memory.read(key))
const write = (memory: UnitsMemory, key: string) => Effect.runSync(memory.write(key, usdc))

it("keeps units for the next process, for the owner's eyes only", () => {
  const { open, path } = inFolder()
  expect(read(open(), "a")).toBeUndefined()
  write(open(), "a")
  expect(read(open(), "a")).toEqual(usdc)
  if (process.platform !== "win32") expect(statSync(path).mode & 0o077).toBe(0)
})

it("keeps what another process has added", () => {
  const { open } = inFolder()
  const [one, other] = [open(), open()]
  read(one, "a")
  write(other, "a")
  write(one, "b")
  expect([read(open(), "a"), read(open(), "b")]).toEqual([usdc, usdc])
})

it("keeps a limited number", () => {
  const { open, path } = inFolder()
  mkdirSync(dirname(path), { recursive: true })
  const many = Object.fromEntries(Array.from({ length: mostTokens }, (_, index) => [`t${index}`, usdc]))
  writeFileSync(path, JSON.stringify(many))
  const memory = open()
  write(memory, "new")
  write(memory, "x".repeat(2_000))
  const kept = Object.keys(JSON.parse(readFileSync(path, "utf8")) as object)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([mostTokens, "t1", "new"])
})

it("ignores entries that it could not have written", () => {
  const { open, path } = inFolder()
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ a: { ...usdc, decimals: 78 }, b: { ...usdc, symbol: "\u001b[2J" }, c: usdc }))
  expect(["a", "b", "c"].map((key) => read(open(), key))).toEqual([undefined, undefined, usdc])
  writeFileSync(path, "{")
  expect(read(open(), "c")).toBeUndefined()
})
