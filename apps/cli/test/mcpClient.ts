/** An agent's client of `dotrpc mcp`, over the command in this process or over the built one. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ElicitRequestSchema, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { Effect, Exit } from "effect"
import { PassThrough } from "node:stream"
import { dotrpc } from "../src/dotrpc.ts"
import { hostAt } from "./dotrpc.ts"
import { binary, processEnvironment } from "./process.ts"
import { type Place, Printed } from "./running.ts"

/** What a tool has answered. */
export interface Answered {
  readonly isError: boolean
  /** The words that it begins with. */
  readonly words: string
  readonly content: Readonly<Record<string, unknown>>
  readonly spent: number
  readonly left: number | null
  /** Characters of all of it. */
  readonly size: number
  readonly text: string
}

export interface Agent {
  readonly client: Client
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answered>
  /** What the user was asked. */
  readonly asked: ReadonlyArray<string>
  readonly printed: Printed
  /** Ends the input of the server, and gives its exit code. */
  readonly end: () => Promise<number | null>
}

/** How the user answers; `undefined` is a client that cannot ask. */
export type User = "accept" | "decline" | "cancel" | undefined

/** A client of a server in this process. */
export const connect = async (place: Place, args: ReadonlyArray<string>, user?: User): Promise<Agent> => {
  const stdin = new PassThrough()
  const printed = new Lines()
  const fiber = Effect.runFork(dotrpc(["mcp", ...args], hostAt({ ...place, stdin }, printed)))
  const ended = new Promise<number | null>((resolve) =>
    fiber.addObserver((exit) => resolve(Exit.isSuccess(exit) ? exit.value : null)),
  )
  const transport: Transport = {
    start: async () => {
      printed.hear = (message) => transport.onmessage?.(message)
    },
    send: async (message) => void stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => void stdin.end(),
  }
  const end = async () => {
    stdin.end()
    return ended
  }
  return agentOver(transport, printed, end, user)
}

/** A client of the built command. */
export const connectToBinary = (place: Place, args: ReadonlyArray<string>, user?: User): Promise<Agent> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [binary, "mcp", ...args],
    ...(place.cwd === undefined ? {} : { cwd: place.cwd }),
    env: Object.fromEntries(Object.entries(processEnvironment(place)).map(([name, value]) => [name, value ?? ""])),
    stderr: "pipe",
  })
  const end = async () => {
    await transport.close()
    return null
  }
  return agentOver(transport, new Printed(), end, user)
}

const agentOver = async (transport: Transport, printed: Printed, end: Agent["end"], user: User): Promise<Agent> => {
  const asked: Array<string> = []
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: user === undefined ? {} : { elicitation: {} } },
  )
  if (user !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message)
      return user === "accept" ? { action: user, content: {} } : { action: user }
    })
  await client.connect(transport)
  const call: Agent["call"] = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: args })
    const [words] = result.content as ReadonlyArray<{ readonly text: string }>
    const content = result.structuredContent as Answered["content"]
    const { left, spent } = content["credits"] as { readonly spent: number; readonly left: number | null }
    const text = JSON.stringify(result)
    return { isError: result.isError === true, words: words?.text ?? "", content, spent, left, size: text.length, text }
  }
  return { client, call, asked, printed, end }
}

/** Gives each line of stdout to a listener. */
class Lines extends Printed {
  hear = (_message: JSONRPCMessage): void => {}
  #rest = ""

  override add(name: "stdout" | "stderr", text: string): void {
    super.add(name, text)
    if (name === "stderr") return
    const lines = (this.#rest + text).split("\n")
    this.#rest = lines.pop() ?? ""
    for (const line of lines) this.hear(JSON.parse(line) as JSONRPCMessage)
  }
}
