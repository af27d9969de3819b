/** Params that are made to take long: each is answered soon. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { Gateway } from "../../src/index.ts"
import { noon } from "../gatewayRequests.ts"
import { hostileValues, places } from "../hostileValues.ts"

const gateway = Gateway.make({ sample: { blocks: 20, logs: 50 } })

const post = (network: string, body: string) =>
  Effect.runPromise(gateway.handle({ network, key: "local", now: noon, body }))

const spentMillis = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000
}

const values = Object.entries(hostileValues(500_000))

it.each(places)("hostile params on %s of %s as %s are answered soon", async (network, method, params) => {
  await post(network, "[]")
  for (const [what, value] of values) {
    const began = spentMillis()
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params.replace("@", () => value)}}`
    const reply = await post(network, body)
    expect([what, reply.body.length]).toEqual([what, expect.toSatisfy((length: number) => length < 4_000)])
    // What is linear takes a hundredth of it.
    expect([what, spentMillis() - began]).toEqual([what, expect.toSatisfy((millis: number) => millis < 2_000)])
  }
})
