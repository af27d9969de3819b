/** The example with a rate on Redis, run by several processes at once: together they keep to it. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { startChild } from "../../src/Child.ts"
import { startRedis } from "@dotrpc/redis"

const script = join(import.meta.dirname, "../../../../examples/scripts/shared-rate.ts")

const run = async (url: string) => {
  const child = startChild(process.execPath, [script], { env: { REDIS_URL: url, NO_COLOR: "1" } })
  expect({ code: await child.ended, stderr: child.stderr() }).toEqual({ code: 0, stderr: "" })
  const [, calls, from, to] = /(\d+) calls, from (\d+) to (\d+)/.exec(child.stdout()) ?? []
  return { calls: Number(calls), from: Number(from), to: Number(to) }
}

it("sends no more than the team's rate together, however many run, and uses it", async () => {
  const redis = await startRedis()
  const runs = await Promise.all([run(redis.url), run(redis.url), run(redis.url), run(redis.url)])
  const together = runs.reduce((sum, { calls }) => sum + calls, 0)
  const seconds = (Math.max(...runs.map(({ to }) => to)) - Math.min(...runs.map(({ from }) => from))) / 1_000
  // What was saved up, and in each process what had left when the first answer came.
  expect(together).toBeLessThanOrEqual(100 * seconds + 10 + 4 * 8)
  expect(together).toBeGreaterThanOrEqual(0.9 * 100 * seconds)
  for (const { calls } of runs) expect(calls).toBeGreaterThan(0)
  await redis.stop()
})
