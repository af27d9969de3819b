import { readFile } from "node:fs/promises"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { Transport } from "@dotrpc/spec"
import { program } from "./readme-example.ts"

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

it("the example of the README is the one that compiles here", async () => {
  const readme = await read("../README.md")
  const example = await read("./readme-example.ts")
  expect(/```ts\n([^]*?)```/.exec(readme)?.[1]).toBe(example.replaceAll("../src/index.ts", "@dotrpc/core"))
})

it("and does what it says", async () => {
  const answering = Layer.succeed(Transport, { send: () => Effect.succeed({ result: `0x${"2a".padStart(64, "0")}` }) })
  expect(await Effect.runPromise(Effect.provide(program, answering))).toMatch(/^0x0+2a for 80 credits$/)
})
