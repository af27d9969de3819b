/** Requests that listen to anvil: events, and a connection that is cut. They end with the events that were written. */
import { describe, expect, it } from "vitest"
import { listenToAnvil } from "./listening.ts"

const { cut, listening, writeLog } = listenToAnvil()

describe("a request that listens to anvil", () => {
  it("has each log once", async () => {
    const { heard, now, request } = await listening("@limit 5", async () => {
      for (let at = 0; at < 5; at++) await writeLog()
    })
    expect(request.status).toBe("ok")
    expect(heard).toEqual(now.toSorted())
    expect(new Set(heard).size).toBe(heard.length)
  })

  it("reads what it missed while its connection was broken", async () => {
    const { heard, now, request } = await listening("@limit 20", async (untilEnded) => {
      await writeLog()
      const mend = cut()
      for (let at = 0; at < 5; at++) await writeLog()
      await mend()
      await untilEnded()
    })
    expect(request.note).toContain("filled by reading the blocks again")
    expect(heard).toEqual(now.slice(0, 20).toSorted())
  })
})
