/** `cast` commands are read in a time that grows with their text, their number and their keys. */
import { parse } from "@dotrpc/lang"
import { expect, it } from "vitest"
import { readCast, writeRequests } from "../../src/index.ts"

const key = "0f3aa9c1d2b84e57"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"

it("takes time in proportion to a text", () => {
  const started = performance.now()
  for (const command of [
    `cast call ${token} '${"(".repeat(80_000)}'\n`,
    `cast call ${token} 'f(${"a,".repeat(900)})${" ".repeat(80_000)}'\n`,
    `cast ${"-".repeat(80_000)}\n`,
  ])
    parse(writeRequests(readCast(command), () => ({ plugin: "evm" })).text)
  expect(performance.now() - started).toBeLessThan(5_000)
})

it("takes time in proportion to the number of commands, and of keys", () => {
  const commands = (keyOf: (index: number) => string) =>
    Array.from(
      { length: 3_000 },
      (_, index) => `# see https://h/${keyOf(index)}\ncast block latest --rpc-url http://h/${keyOf(index)}\n`,
    ).join("")
  const started = performance.now()
  expect(readCast(commands(() => key)).sections).toHaveLength(3_000)
  readCast(commands((index) => `${key}${index}`))
  expect(performance.now() - started).toBeLessThan(20_000)
})
