/** A request that listens to anvil for a while, and a reorganization that it does not see. */
import { expect, it } from "vitest"
import { listenToAnvil } from "../listening.ts"

const { cut, listening, reorganize, writeLog } = listenToAnvil()

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

// While it is connected, anvil itself never sends the logs that a reorganization took back.
it("leaves out what a reorganization took back while its connection was broken", async () => {
  const { heard, now, request } = await listening("@for 60s", async () => {
    await writeLog()
    await writeLog()
    await pause(2_000)
    const mend = cut()
    await reorganize(2)
    await writeLog()
    await mend()
    await pause(2_000)
    await writeLog()
  })
  expect(request.note).toContain("2 events were left out: a reorganization replaced their blocks")
  expect(heard).toEqual(now.toSorted())
})
