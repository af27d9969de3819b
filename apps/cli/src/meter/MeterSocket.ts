/**
 * The WebSocket of a node behind that of a client: one for each connection, so that subscriptions and their ends belong together.
 *
 * Invariant: every event that comes is paid, and no more come once one could not be.
 */
import type { Workspace } from "@dotrpc/analysis"
import {
  basicAuth,
  Destination,
  eventCredits,
  type Gate,
  type Network,
  type Price,
  PriceSheet,
  Redaction,
  RpcError,
  RpcReason,
} from "@dotrpc/spec"
import { Deferred, Effect, Exit, Redacted } from "effect"
import { WebSocket } from "ws"
import { askedAs, type NodeReply } from "./Call.ts"
import type { Way } from "./CurrentCall.ts"
import { idKey, elementsOf, memberOf, membersOf } from "./jsonText.ts"
import type { Meter } from "./Meter.ts"

export interface SocketOptions {
  readonly network: Network
  /** Where the network is as well. */
  readonly others: ReadonlyArray<Network>
  readonly gate: Gate
  readonly plugins: Workspace["plugins"]
  /** Sends a message to the client; false when it is too slow. */
  readonly deliver: (message: string) => boolean
  /** Ends the connection of the client. */
  readonly end: (why: string) => void
  /** Told why the node cannot be reached this way, and once it can. */
  readonly onState: (away: string | undefined) => void
  /** Pays for the events, and counts them; `undefined` once the client may not call any more. */
  readonly meter: () => Pick<Meter, "payFlat" | "tally"> | undefined
}

export interface MeterSocket extends Way {
  readonly close: () => void
}

/** Opened with the first call. */
export const openSocket = (options: SocketOptions): MeterSocket => {
  const { end, network, onState } = options
  const waiting = new WaitingCalls()
  let socket: WebSocket | undefined
  let isOver = false
  let opened: Promise<Exit.Exit<WebSocket, RpcError>> | undefined
  const receive = (message: string): void => {
    for (const text of elementsOf(message) ?? [message]) {
      const members = membersOf(text)
      const id = memberOf(text, members, "id")
      const done = members?.has("method") === true || id === undefined ? undefined : waiting.take(idKey(id))
      if (done === undefined) Effect.runFork(pass(options, text, memberOf(text, members, "method")?.slice(1, -1)))
      else Deferred.doneUnsafe(done, Exit.succeed({ ...replyOf(text), sentAs: id ?? null }))
    }
  }
  const openAt = (place: Network) =>
    Effect.flatMap(addressOf(place, options.gate), ({ headers, url }) =>
      Effect.callback<WebSocket, RpcError>((resume) => {
        const made = new WebSocket(url, { headers, maxPayload: mostMessageBytes, perMessageDeflate: false })
        const notOpened = () => resume(Effect.fail(lost(network, "cannot be opened", "unsent")))
        made.on("open", () => {
          socket = made
          onState(undefined)
          resume(Effect.succeed(made))
          if (isOver) made.close()
        })
        made.on("message", (data: Buffer) => receive(Redaction.scrub(data.toString("utf8"), place.secrets)))
        made.on("error", notOpened)
        made.on("close", () => {
          if (socket !== made) return notOpened()
          if (!isOver) onState("was closed by the node")
          waiting.fail(lost(network, "was closed by the node", "timeout"))
          end("the node has closed the connection")
        })
      }),
    )
  const open = options.others
    .filter(({ wsUrl }) => wsUrl !== undefined)
    .reduce((before, place) => before.pipe(Effect.catch(() => openAt(place))), openAt(network))
    // The next call tries again.
    .pipe(
      Effect.tapError(({ reason }) =>
        Effect.sync(() => {
          onState(reason.message)
          opened = undefined
        }),
      ),
    )
  return {
    join: ([call], leaves) =>
      Effect.gen(function* () {
        if (call === undefined) return []
        opened ??= Effect.runPromiseExit(open)
        const opening = opened
        const node = yield* yield* Effect.promise(() => opening)
        const { done, id } = waiting.add(call.id !== undefined)
        if (node.readyState !== node.OPEN) return yield* lost(network, "was closed by the node", "unsent")
        leaves()
        node.send(askedAs(call, id))
        // Nothing comes back for a notification.
        return [call.id === undefined ? replyOf("") : yield* Deferred.await(done)]
      }),
    drop: () => {},
    isPrivate: true,
    close: () => {
      isOver = true
      socket?.close()
    },
  }
}

/** Calls that wait for a reply, by the ids that they leave with: a client may use one twice, or in a form that no node repeats. */
class WaitingCalls {
  readonly #byId = new Map<string, Deferred.Deferred<NodeReply, RpcError>>()
  #asked = 0

  /** The next id, and what is done with the reply to it; a notification has none. */
  add(isAnswered: boolean): { readonly id: string; readonly done: Deferred.Deferred<NodeReply, RpcError> } {
    const done = Deferred.makeUnsafe<NodeReply, RpcError>()
    const id = String(++this.#asked)
    if (isAnswered) this.#byId.set(id, done)
    return { id, done }
  }

  take(id: string): Deferred.Deferred<NodeReply, RpcError> | undefined {
    const done = this.#byId.get(id)
    this.#byId.delete(id)
    return done
  }

  fail(error: RpcError): void {
    const all = [...this.#byId.values()]
    this.#byId.clear()
    for (const done of all) Deferred.doneUnsafe(done, Exit.fail(error))
  }
}

/** An event, which is paid whether anyone reads it or not. */
const pass = Effect.fnUntraced(function* (
  { deliver, end, meter: meterNow, network, plugins }: SocketOptions,
  text: string,
  method = "",
) {
  const meter = meterNow()
  if (meter === undefined) return end("the key is not accepted any more")
  const { payFlat, tally } = meter
  const kind = plugins
    .flatMap(({ subscriptions = [] }) => subscriptions)
    .find(({ notification }) => notification === method)
  const name = method === "" ? "messages without a call" : method
  const row = tally.rowOf(network, name)
  const credits = kind === undefined ? 0 : eventCredits(kind, network)
  const isPaid = credits === 0 || (yield* payFlat(network, name, credits))
  tally.came(row, Buffer.byteLength(text), (sheet) =>
    kind === undefined ? 0 : PriceSheet.eventPrice(sheet, { method: kind.open, network }),
  )
  // It is delivered all the same: the node has charged it.
  if (!deliver(text)) end("too slow: events were not read")
  else if (!isPaid) end("the credits are spent")
})

const replyOf = (text: string): NodeReply => ({
  status: 200,
  contentType: "application/json",
  retryAfter: null,
  sentAs: null,
  isWhole: false,
  text,
})

/** The longest message that is read, as over HTTP. */
const mostMessageBytes = 64 * 1_048_576

/** Where the WebSocket of a network is, and the headers that it is opened with; fails where its secrets may not go there. */
const addressOf = (network: Network, gate: Gate) =>
  Effect.gen(function* () {
    const text = network.wsUrl === undefined ? "" : Redacted.value(network.wsUrl)
    const destination = Destination.ofEndpoint(text)
    if (destination === undefined) {
      const said = `network "${network.id}" has no "wsUrl" that can be used`
      return yield* failure(network, new RpcReason.NotFound({ said }), "unsent")
    }
    const why = gate.refusal({ destination, privates: network.privates ?? [] })
    if (why !== undefined) return yield* failure(network, new RpcReason.SecretWithheld({ why }), "unsent")
    const url = new URL(text)
    const authorization = basicAuth(url)
    url.username = ""
    url.password = ""
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    for (const [name, value] of Object.entries(network.headers ?? {}))
      headers[name.toLowerCase()] = Redacted.value(value)
    return { url, headers }
  })

const lost = (network: Network, what: string, outcome: "unsent" | "timeout"): RpcError =>
  failure(
    network,
    new RpcReason.Transport({ said: `the WebSocket of network "${network.id}" ${what}`, lasting: true }),
    outcome,
  )

const failure = (network: Network, reason: RpcReason.Reason, outcome: Price.Outcome): RpcError =>
  new RpcError({ method: "a call", network: network.id, reason, outcome })
