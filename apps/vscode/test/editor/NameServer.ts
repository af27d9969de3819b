/** A server on this machine with three transfers, and a registry and a resolver of names as ENS has them. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

import { Evm } from "@dotrpc/plugin-evm"

export interface NameServer extends AsyncDisposable {
  readonly origin: string
  /** The method of each call. */
  readonly calls: ReadonlyArray<string>
}

const resolver = `0x${"5".repeat(40)}`
const word = (hex: string): string => hex.replace("0x", "").padStart(64, "0")
const asText = (name: string): string => {
  const hex = Buffer.from(name).toString("hex")
  return `0x${word("20")}${word((hex.length / 2).toString(16))}${hex.padEnd(Math.ceil(hex.length / 64) * 64, "0")}`
}

/** The answers by what is sent: each account has the name that it claims. */
const answersFor = (claims: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
  const answers = new Map<string, string>()
  for (const [account, name] of Object.entries(claims)) {
    let step = Evm.plugin.names?.lookUp([account])
    for (const answer of [`0x${word(resolver)}`, asText(name), `0x${word(resolver)}`, `0x${word(account)}`]) {
      if (step === undefined || !("calls" in step)) break
      for (const { params } of step.calls) answers.set(JSON.stringify(params), answer)
      step = step.next([answer])
    }
  }
  return answers
}

export async function startNameServer(
  accounts: ReadonlyArray<string>,
  claims: Readonly<Record<string, string>>,
): Promise<NameServer> {
  const calls: Array<string> = []
  const answers = answersFor(claims)
  const logs = accounts.map((address, index) => ({
    address,
    topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"],
    data: "0x",
    blockNumber: "0x10",
    transactionHash: `0x${word(index.toString(16))}`,
    transactionIndex: "0x0",
    blockHash: `0x${"b".repeat(64)}`,
    logIndex: `0x${index.toString(16)}`,
    removed: false,
  }))
  const resultOf = (method: string, params: unknown) =>
    method === "eth_getLogs" ? logs : (answers.get(JSON.stringify(params)) ?? "0x")
  const server = createServer((request, response) => {
    const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
    if (request.method === "OPTIONS") return void response.writeHead(204, headers).end()
    void text(request).then((body) => {
      const { id, method, params } = JSON.parse(body)
      calls.push(method)
      response.writeHead(200, { ...headers, "content-type": "application/json" })
      return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: resultOf(method, params) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
