/** The service over a longer chain, with a latency that a test changes, so that a backfill takes as long as it is looked at. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"

import { Gateway, generateChain } from "@dotrpc/gateway"
import { Effect } from "effect"

export interface SlowGateway extends AsyncDisposable {
  readonly url: string
  /** Milliseconds that replies wait from now on. */
  latency: number
}

export async function startSlowGateway(latency: number): Promise<SlowGateway> {
  const gateway = Gateway.make({ chain: generateChain({ blocks: 1_500, logs: 60_000, seed: 5 }) })
  const server = createServer(async (request, response) => {
    const body = await text(request)
    await pause(slow.latency)
    const reply = gateway.handle({ network: "evm", key: Gateway.LOCAL_KEY, body, now: Date.now() })
    const { body: answer, headers, status } = await Effect.runPromise(reply)
    response.writeHead(status, headers).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  const slow: SlowGateway = {
    url: `http://127.0.0.1:${address.port}/evm/v3/${Gateway.LOCAL_KEY}`,
    latency,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return slow
}
