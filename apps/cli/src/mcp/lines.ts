/**
 * The protocol as lines of standard input and output.
 *
 * Invariant: a line that is not a message of JSON-RPC is answered here and goes no further, so that a client which breaks the
 * protocol cannot end the server. Stdout has nothing but messages, in which nothing steers a reader.
 */
import { Effect, Sink, Stdio, Stream } from "effect"
import type { Host } from "../Host.ts"
import type { Output } from "../Output.ts"
import { toolNames } from "./tools.ts"

/** In characters: no tool takes as much. */
const longestLine = 4_000_000

/** Standard input and output of a host. `onEnd` hears that no more comes. */
export const stdioOf = (host: Host["Service"], out: Output["Service"], onEnd: () => void): Stdio.Stdio => {
  const send = (text: string) =>
    Effect.callback<void>((resume) => {
      const left = () => resume(Effect.void)
      out.sendJson(text, left, left)
    })
  const refuse = ({ code, id = null, message }: Refusal) =>
    send(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`)
  const inUse = new Set<string>()
  const problemOf = checking(inUse)
  const decoder = new TextDecoder()
  let begun = ""
  const input = Stream.fromAsyncIterable(linesOf(host.stdin.stream()), (error) => error).pipe(
    Stream.catchCause(() => Stream.empty),
    Stream.filterEffect((line) => {
      const problem = problemOf(line)
      return problem === undefined ? Effect.succeed(true) : Effect.as(refuse(problem), false)
    }),
    Stream.map((line) => new TextEncoder().encode(`${typeof line === "string" ? line : ""}\n`)),
    Stream.ensuring(Effect.sync(onEnd)),
  )
  return Stdio.make({
    args: Effect.succeed([]),
    stdin: input,
    stdout: () =>
      Sink.forEach((piece: string | Uint8Array) => {
        const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true })
        // A piece may end anywhere in a message.
        const lines = (begun + text).split("\n")
        begun = lines.pop() ?? ""
        for (const line of lines) {
          const { id, method } = membersOf(parsed(line))
          if (method === undefined) inUse.delete(String(id))
        }
        return send(text)
      }),
    stderr: () => Sink.drain,
  })
}

/** The two ends of a line that is too long. One of them has the id, without which its client would wait for an answer. */
interface LongLine {
  readonly begins: string
  readonly ends: string
}

/** Lines that say something. */
async function* linesOf(stream: AsyncIterable<Uint8Array | string>): AsyncGenerator<string | LongLine, void> {
  const decoder = new TextDecoder()
  let rest = ""
  let begins: string | undefined
  for await (const chunk of stream) {
    const [first = "", ...more] = (typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true })).split(
      "\n",
    )
    rest += first
    for (const next of more) {
      if (begins !== undefined || rest.length > longestLine)
        yield { begins: (begins ?? rest).slice(0, edge), ends: rest.slice(-edge) }
      else if (rest.trim() !== "") yield rest
      rest = next
      begins = undefined
    }
    if (rest.length <= longestLine) continue
    begins ??= rest.slice(0, edge)
    rest = rest.slice(-edge)
  }
  if (begins !== undefined) yield { begins, ends: rest }
  else if (rest.trim() !== "") yield rest
}

/** Characters of each end. */
const edge = 300

const idIn = ({ begins, ends }: LongLine): unknown => {
  const [, written] =
    /^\s*\{(?:\s*"jsonrpc"\s*:\s*"2\.0"\s*,)?\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,99}")/.exec(begins) ??
    /,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{0,99}")\s*\}\s*$/.exec(ends) ??
    []
  return written === undefined ? null : JSON.parse(written)
}

/** An error that is sent instead of an answer. */
interface Refusal {
  readonly code: number
  readonly id?: unknown
  readonly message: string
}

/**
 * Checks one line after the other: before `initialize` a client may ask for nothing else, and the library ends where two requests
 * without an answer have one id. A request that was given up keeps its id, as it may still be at work.
 */
const checking = (inUse: Set<string>) => {
  let hasBegun = false
  return (line: string | LongLine): Refusal | undefined => {
    if (typeof line !== "string")
      return { code: -32600, id: idIn(line), message: "the message is too long: send less than 4 MB in a line" }
    const message = parsed(line)
    if (message === undefined)
      return { code: -32700, message: "the line is not JSON: send one JSON-RPC message in each line" }
    // The server says which versions of the protocol have batches.
    if (Array.isArray(message)) return undefined
    const { error, id, jsonrpc, method, params, result } = membersOf(message)
    const isMessage =
      jsonrpc === "2.0" &&
      (method === undefined
        ? isId(id) && (result !== undefined || error !== undefined)
        : typeof method === "string" && (id === undefined || isId(id)))
    if (!isMessage)
      return {
        code: -32600,
        message:
          'the line is not a JSON-RPC message: send {"jsonrpc":"2.0","id":1,"method":"tools/list"}, or another method',
      }
    if (id === undefined || typeof method !== "string") return undefined
    // The library takes 1 and "1" for the same.
    const key = String(id)
    const refused = inUse.has(key)
      ? { code: -32600, message: `the id ${short(id)} is in use: give each request an id of its own` }
      : problemOfRequest(method, membersOf(params), hasBegun)
    if (refused !== undefined) return { id, ...refused }
    inUse.add(key)
    if (method === "initialize") hasBegun = true
    return undefined
  }
}

/** What the library would refuse in words that help nobody. */
const problemOfRequest = (
  method: string,
  { arguments: given = {}, capabilities, clientInfo, name, protocolVersion }: Readonly<Record<string, unknown>>,
  hasBegun: boolean,
): Refusal | undefined => {
  if (!isKnown.test(method))
    return { code: -32601, message: `unknown method "${short(method)}": this server has tools, so send tools/list` }
  if (method === "initialize") {
    const { name: client, version } = membersOf(clientInfo)
    const isWhole =
      [protocolVersion, client, version].every((text) => typeof text === "string") && isObject(capabilities)
    return isWhole
      ? undefined
      : {
          code: -32602,
          message: "initialize needs protocolVersion, capabilities, and clientInfo with name and version",
        }
  }
  if (!hasBegun && method !== "ping")
    return { code: -32600, message: `${method} came too early: send initialize first` }
  if (method !== "tools/call") return undefined
  if (typeof name !== "string" || !toolNames.includes(name))
    return { code: -32602, message: `unknown tool "${short(name)}"; expected one of ${toolNames.join(", ")}` }
  return isObject(given)
    ? undefined
    : { code: -32602, message: `the arguments of ${name} are an object: send {} for none` }
}

/** The library answers these. */
const isKnown =
  /^(?:initialize|ping|completion\/complete|logging\/setLevel|tools\/(?:list|call)|(?:prompts|resources|resources\/templates)\/list)$/

const short = (text: unknown): string => String(text).slice(0, 80)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const membersOf = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {})

const isId = (id: unknown): boolean => typeof id === "string" || Number.isSafeInteger(id)

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
