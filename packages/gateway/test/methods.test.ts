import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Gateway } from "../src/index.ts"
import { answered } from "./goldenFile.ts"

const folder = new URL("io/", import.meta.url)

describe("every request gets exactly the reply that stands below it", () => {
  const gateway = Gateway.make()
  for (const name of readdirSync(folder)) {
    it(name, async () => {
      const file = new URL(name, folder)
      await expect(await answered(gateway, readFileSync(file, "utf8"))).toMatchFileSnapshot(file.pathname)
    })
  }
})
