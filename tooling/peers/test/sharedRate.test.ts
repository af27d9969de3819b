/** The example with a rate on Redis, run by two processes at once. Whether they keep to the rate is measured in deep runs. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { startChild } from "../src/Child.ts"
import { startRedis } from "@dotrpc/redis"

const script = join(import.meta.dirname, "../../../examples/scripts/shared-rate.ts")

it("runs several times at once over a Redis server", async () => {
  await using redis = await startRedis()
  const run = async () => {
    const child = startChild(process.execPath, [script], { env: { REDIS_URL: redis.url, NO_COLOR: "1" } })
    expect({ code: await child.ended, stderr: child.stderr() }).toEqual({ code: 0, stderr: "" })
    // How many it makes in its eight seconds depends on the machine.
    expect(child.stdout()).toMatch(/^this process: \d+ calls, from /)
  }
  await Promise.all([run(), run()])
})
