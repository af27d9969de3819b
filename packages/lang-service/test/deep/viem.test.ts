/** A snippet for viem is read in a time that grows with it. */
import { parse } from "@dotrpc/lang"
import { expect, it } from "vitest"
import { readViem } from "../../src/convert/viem.ts"
import { writeRequests } from "../../src/index.ts"

const read = (text: string) => parse(writeRequests(readViem(text), () => ({ plugin: "evm" })).text)

it("takes time in proportion to a text", () => {
  const started = performance.now()
  for (const part of [
    "a.",
    "client.getBlock();",
    "!",
    "a?b:",
    "(a=",
    "<T>(",
    "`${",
    "// a\n",
    "/*",
    "f<",
    "1+",
    "{a:",
    "async<T>(a=",
  ])
    read(part.repeat(80_000 / part.length))
  read(`client.readContract({ abi: ["function f(${"(".repeat(80_000)}"], functionName: "f" })`)
  read(`client.getLogs({ event: "event f(${" ,".repeat(40_000)})" })`)
  expect(performance.now() - started).toBeLessThan(30_000)
})
