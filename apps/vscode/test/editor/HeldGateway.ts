/** The service over a longer chain, which keeps calls for logs waiting, so that a backfill runs for as long as it is looked at. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

import { Gateway, generateChain } from "@dotrpc/gateway"
import { Effect } from "effect"

export interface HeldGateway extends AsyncDisposable {
  readonly url: string
  /** Answers all that waits, and everything from now on. */
  readonly goOn: () => void
}

/** Answers the first calls for logs at once; those after them wait. */
export async function startHeldGateway(first: number): Promise<HeldGateway> {
  const gateway = Gateway.make({ chain: generateChain({ blocks: 1_500, logs: 60_000, seed: 5 }) })
  const mayAnswer = Promise.withResolvers<void>()
  let calls = 0
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (body.includes("eth_getLogs") && ++calls > first) await mayAnswer.promise
    const reply = gateway.handle({ network: "evm", key: Gateway.LOCAL_KEY, body, now: Date.now() })
    const { body: answer, headers, status } = await Effect.runPromise(reply)
    response.writeHead(status, headers).end(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    url: `http://127.0.0.1:${address.port}/evm/v3/${Gateway.LOCAL_KEY}`,
    goOn: () => mayAnswer.resolve(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
