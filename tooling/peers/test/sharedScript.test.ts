/** The example with a balance on Redis, run by several at once, as its header says. */
import { join } from "node:path"
import { expect, it } from "vitest"
import { startChild } from "../src/Child.ts"
import { deadPort } from "../src/ports.ts"
import { startRedis } from "@dotrpc/redis"

const script = join(import.meta.dirname, "../../../examples/scripts/shared-balance.ts")

const run = async (url: string) => {
  const child = startChild(process.execPath, [script], { env: { REDIS_URL: url, NO_COLOR: "1" } })
  const code = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

it("spends no more than the team's credits together, however many run", async () => {
  const redis = await startRedis()
  const runs = await Promise.all([run(redis.url), run(redis.url), run(redis.url)])
  const spent = runs.map(({ stdout }) => Number(/this process: (\d+) credits/.exec(stdout)?.[1]))
  const together = spent.reduce((sum, credits) => sum + credits, 0)
  expect(together).toBeLessThanOrEqual(4_000)
  expect(together).toBeGreaterThan(4_000 - 3 * 80)
  const last = await run(redis.url)
  expect(last.stdout).toMatch(/the daily limit of 4000 has [^]*the team: \d+ of 4000 credits today\n$/)
  expect(last.stdout).toContain(
    `the team: ${together + Number(/this process: (\d+) credits/.exec(last.stdout)?.[1])} of 4000`,
  )
  for (const { code, stderr } of [...runs, last]) expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  await redis.stop()
})

it("says that the server is away, and spends nothing", async () => {
  const { code, stderr, stdout } = await run(`redis://:s3cret@127.0.0.1:${await deadPort()}`)
  expect(stderr).toMatch(
    /the credit ledger cannot be used: the Redis server at 127\.0\.0\.1:\d+ cannot be reached .*Nothing was sent\.\nCheck that the server is running/,
  )
  expect(stdout + stderr).not.toContain("s3cret")
  expect(code).toBe(1)
})
