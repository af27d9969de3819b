import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

it("the README shows the script that is type-checked here", () => {
  const fence = /```ts\n([\s\S]*?)```/.exec(read("../README.md"))?.[1]
  expect(fence).toBe(read("samples/readme.ts"))
})
