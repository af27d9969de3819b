import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"

const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

it("the example of the README is the one that compiles here", async () => {
  const readme = await read("../README.md")
  const example = await read("./readme-example.ts")
  expect(/```ts\n([^]*?)```/.exec(readme)?.[1]).toBe(example.replaceAll("../src/index.ts", "@dotrpc/viem"))
})
