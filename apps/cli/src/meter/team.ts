/**
 * A meter that a team shares: each key pays from a budget of its own, and all from the project's ledger.
 *
 * Invariant: a key is looked up by its hash, and is in no reply, metric or log.
 */
import { CreditLedger } from "@dotrpc/core"
import type { Gateway } from "@dotrpc/gateway"
import type { Answering } from "@dotrpc/gateway/server"
import type { Json, Options, Transport } from "@dotrpc/spec"
import { Clock, Context, Effect, Layer, type Scope } from "effect"
import { answeringOf, type AnsweringOptions } from "./answering.ts"
import { makeMeter, type Meter, type MeterOptions } from "./Meter.ts"
import { knownMethod } from "./MeteredMethod.ts"
import type { Row } from "./Tally.ts"
import { hashOfKey, type TeamKey } from "./TeamKeys.ts"
import type { Upstreams } from "./Upstream.ts"

export interface TeamOptions
  extends
    Omit<AnsweringOptions, "meterOf" | "onSocket" | "post">,
    Omit<MeterOptions, "cassette" | "ledger" | "onRefused" | "sheets"> {
  readonly upstreams: Upstreams
  /** Where a key's own credits are counted. */
  readonly ledgerOf: (key: TeamKey) => Layer.Layer<CreditLedger.CreditLedger, Options.InvalidOptions>
}

export interface Team {
  readonly answering: Answering
  /** From now on these keys may call, and no others. */
  readonly setKeys: (keys: ReadonlyArray<TeamKey>) => Effect.Effect<void>
}

/** A key that may call, with what it pays from. */
interface Seat {
  readonly key: TeamKey
  readonly meter: Meter
  readonly ledger: CreditLedger.CreditLedger["Service"]
}

export const makeTeam = Effect.fnUntraced(function* (
  options: TeamOptions,
): Effect.fn.Return<Team, never, Transport | Scope.Scope> {
  const { denial, ledgerOf, nodes, upstreams } = options
  let seats = new Map<string, Seat>()
  /** Also of keys that are gone: what is counted never goes back. */
  const all: Array<Seat> = []
  const services = yield* Effect.context<Transport | Scope.Scope>()
  const clock = yield* Clock.Clock
  const seatOf = (key: string) => seats.get(hashOfKey(key))
  const answering = answeringOf({ ...options, ...upstreams, meterOf: (key) => seatOf(key)?.meter })

  /** What the key has spent stays spent when its line in the file changes, or is there again. */
  const seated = Effect.fnUntraced(function* (key: TeamKey) {
    const { budget, label, methods, sha256 } = key
    const before = all.findLast((seat) => seat.key.sha256 === sha256 && seat.key.budget === budget)
    let logged = Number.NEGATIVE_INFINITY
    const ledger = before?.ledger ?? Context.get(yield* Layer.build(ledgerOf(key)), CreditLedger.CreditLedger)
    const meter = yield* makeMeter({
      ...options,
      cassette: undefined,
      sheets: [],
      ledger: Layer.succeed(CreditLedger.CreditLedger, ledger),
      denial: (method) =>
        methods === undefined || methods.includes(method)
          ? denial(method)
          : `this key may not ${method === "" ? "make calls without a method" : `call ${method}`}`,
      onRefused: (_, words) => {
        const now = clock.currentTimeMillisUnsafe()
        if (now - logged >= 60_000) Effect.runForkWith(services)(Effect.logWarning(`${label}: ${words}`))
        logged = now - logged >= 60_000 ? now : logged
        return false
      },
    })
    const seat: Seat = { key, meter, ledger }
    all.push(seat)
    return seat
  })

  return {
    setKeys: (keys) =>
      Effect.gen(function* () {
        const next = new Map<string, Seat>()
        for (const key of keys) {
          const known = seats.get(key.sha256)
          const isSame = known !== undefined && JSON.stringify(known.key) === JSON.stringify(key)
          next.set(key.sha256, isSame ? known : yield* seated(key))
        }
        seats = next
      }).pipe(Effect.orDie, Effect.provideContext(services)),
    answering: {
      ...answering,
      credits: (id, key) => {
        const seat = seatOf(key)
        const refusal = answering.refusal(id, key)
        if (seat === undefined || refusal !== undefined) return Effect.fail(refusal ?? unknown)
        return Effect.map(Effect.orDie(seat.ledger.balance), ({ byMethod, daily, remaining, resetsAt, spent }) => {
          const hasBudget = seat.key.budget !== undefined
          const [limit, left] = hasBudget ? [daily, remaining] : [null, null]
          return { daily: limit, spent, remaining: left, resetsAt: resetsAt?.toISOString() ?? null, byMethod }
        })
      },
      metrics: () => metricsOf(all, options, upstreams),
      health: () => healthOf([...nodes.keys()], upstreams),
    },
  }
})

const unknown: Gateway.GatewayReply = { status: 401, headers: {}, body: "there is no such key" }

/** A network is away once none of its nodes has answered its latest call. */
const healthOf = (
  networks: ReadonlyArray<string>,
  { sockets, states }: Pick<Upstreams, "sockets" | "states">,
): Json.JsonObject => {
  const socketOf = sockets()
  const all = networks.map((id) => {
    const own = states().filter(({ network }) => network === id)
    return [id, own.every(({ away }) => away !== undefined) ? "away" : "ok", own] as const
  })
  return {
    status: all.every(([id, state]) => state === "ok" && socketOf.get(id) === undefined) ? "ok" : "degraded",
    networks: Object.fromEntries(
      all.map(([id, state, own]) => [
        id,
        {
          status: state,
          nodes: own.map(({ away }) => away ?? "ok"),
          ...(socketOf.has(id) ? { webSocket: socketOf.get(id) ?? "ok" } : {}),
        },
      ]),
    ),
  }
}

/** In the Prometheus text format. Methods that no plugin knows are one: a client may make up names. */
const metricsOf = (
  seats: ReadonlyArray<Seat>,
  { plugins }: Pick<TeamOptions, "plugins">,
  { states }: Pick<Upstreams, "states">,
): string => {
  const rows = seats.flatMap(({ key, meter }) =>
    meter.tally.rows().map((row) => {
      const method = knownMethod(plugins, row.network, row.name)?.name ?? "other"
      return { labels: labelsOf({ key: key.label, network: row.network.id, method }), row }
    }),
  )
  const counted = counters.map(({ help, name, of }) => {
    const sums = new Map<string, number>()
    for (const { labels, row } of rows) sums.set(labels, (sums.get(labels) ?? 0) + of(row))
    return series(`dotrpc_meter_${name}_total`, "counter", help, [...sums])
  })
  const nodes = states().map(({ away, network, node }): readonly [string, number] => [
    labelsOf({ network, node: String(node) }),
    away === undefined ? 1 : 0,
  ])
  return [
    ...counted,
    series("dotrpc_meter_node_up", "gauge", "Whether the node answered its latest call.", nodes),
  ].join("")
}

const counters: ReadonlyArray<{ readonly name: string; readonly help: string; readonly of: (row: Row) => number }> = [
  { name: "asked", help: "Calls that clients asked for.", of: ({ asked }) => asked },
  { name: "sent", help: "Calls and events that went between here and the nodes.", of: ({ sent }) => sent },
  { name: "credits", help: "Credits charged.", of: ({ allowance }) => allowance.spent },
  { name: "reply_bytes", help: "Bytes of replies.", of: ({ bytes }) => bytes },
  { name: "errors", help: "Replies that are errors, and replies that did not come.", of: ({ errors }) => errors },
]

const series = (name: string, type: string, help: string, values: ReadonlyArray<readonly [string, number]>): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(([labels, value]) => `${name}${labels} ${value}`)]
    .map((line) => `${line}\n`)
    .join("")

const labelsOf = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(",")}}`
