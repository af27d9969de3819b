import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8")

it("the README shows the example that the compiler checks", () =>
  expect(read("../README.md")).toContain(`\`\`\`ts\n${read("example.ts")}\`\`\``))
