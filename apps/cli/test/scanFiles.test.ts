/** What a scan counts as written, whenever the reader of stdout goes away. */
import { Json } from "@dotrpc/spec"
import { Effect, Exit } from "effect"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { RawOutput } from "../src/Host.ts"
import { Output, outputOf } from "../src/Output.ts"
import { processHost } from "../src/processHost.ts"
import { openOutput } from "../src/ScanFiles.ts"

const item = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ minLength: 3_000, maxLength: 9_000 }),
  fc.record({ address: fc.string(), data: fc.string({ maxLength: 600 }) }),
)

it("every item that left is counted, and no other", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 60 }), fc.nat({ max: 20 }), async (items, taken) => {
      const sent: Array<string> = []
      const stdout: RawOutput = {
        isTTY: false,
        columns: undefined,
        followsLinks: false,
        write: (text, heard) => {
          if (sent.length === taken) return heard?.failed()
          sent.push(text)
          heard?.left()
        },
        writeWhole: async () => {},
      }
      const output = outputOf({ ...processHost(), stderr: stdout, stdout })
      let written = 0
      const { write } = openOutput({ file: undefined, checkpoint: undefined, saved: undefined })
      const exit = await Effect.runPromiseExit(
        Effect.provideService(
          write({ items, checkpoint: undefined }, (count) => (written += count)),
          Output,
          output,
        ),
      )
      const lines = sent.join("").split("\n").slice(0, -1)
      expect(written).toBe(lines.length)
      expect(lines.map((line) => Json.parse(line))).toEqual(items.slice(0, written))
      expect(Exit.isSuccess(exit)).toBe(written === items.length)
      for (const text of sent) expect(text.length <= 4_096 || text.split("\n").length === 2).toBe(true)
    }),
  )
})
