import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { chainLines } from "../src/ChainLines.ts"
import { removeFolders, temporaryFolder } from "./folders.ts"

afterAll(removeFolders)

describe("the lines of a chain file", () => {
  const text = '{"a":"ä"}\r\n{"b":2}'
  const inUtf16 = Buffer.from(`\uFEFF${text}`, "utf16le")
  const check = (written: string, bytes: Uint8Array) =>
    it(`are the same in ${written}`, () => {
      const file = join(temporaryFolder(), "chain.ndjson")
      writeFileSync(file, bytes)
      expect([...chainLines(file)].map((line) => JSON.parse(line) as unknown)).toEqual([{ a: "ä" }, { b: 2 }])
    })
  check("UTF-8", Buffer.from(text))
  check("UTF-8 with a byte order mark", Buffer.from(`\uFEFF${text}`))
  check("UTF-16 of Windows", inUtf16)
  check("UTF-16 with the other order of bytes", Buffer.from(inUtf16).swap16())
  check("UTF-16 longer than a piece", Buffer.from(`\uFEFF{"a":"ä"${" ".repeat(1_048_577)}}\n{"b":2}`, "utf16le"))
})
