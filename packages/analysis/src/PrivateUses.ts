/**
 * Which values from outside the project a run would give away, and to whom: what has to be allowed before it is sent.
 *
 * A secret, or a variable of the environment, is given to a server when the URL or a header of its network names it, and
 * when anything does that is read for a request of the run: whether and when the requests of a run are sent may depend on it.
 */
import type { Network } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { privatesIn } from "./internal/names.ts"
import { reachedFrom } from "./internal/needs.ts"
import { mentionsOfUnits } from "./internal/units.ts"
import { mentionsIn } from "./Names.ts"
import type { PrivateValue } from "./PrivateValue.ts"
import type { Workspace, WorkspaceNetwork } from "./Workspace.ts"

/** A value that would be sent to a server. */
export interface PrivateUse extends PrivateValue {
  /** Scheme, host and port: `https://mainnet.example`, also for its WebSockets. May itself hold a secret. */
  readonly origin: string
  /** The label of the request that reads it, where that is another one of the run. */
  readonly readBy?: string | undefined
}

/** The requests of a file that a run has, and those that it leaves out, as a plan lists them. */
export interface RunOfFile {
  readonly analysis: Analysis
  readonly requests: ReadonlyArray<BoundRequest>
  readonly skipped?: ReadonlyArray<{ readonly request: BoundRequest }> | undefined
}

/**
 * Everything that each request of a run would give away, to each network that it goes to. Nothing that stays in this process, as with an
 * embedded network, and nothing of a request that is not sent.
 *
 * What any request of the run reads may decide what the others send, whether they do, and when: by an error that only
 * some values cause, by a result, by `--bail`, by the credits that are left or by the time that it takes. So it is given to
 * every host of the run.
 */
export const usesOfRun = (files: ReadonlyArray<RunOfFile>): ReadonlyMap<BoundRequest, ReadonlyArray<PrivateUse>> => {
  const own = new Map<BoundRequest, ReadonlyArray<PrivateValue>>()
  const read = new Map<string, PrivateValue & { readonly readBy: string }>()
  for (const { analysis, requests, skipped = [] } of files) {
    // Whether a request is left out or wrong may depend on what it reads.
    for (const request of [...requests, ...skipped.map((entry) => entry.request)]) {
      const { privates } = readsOf(analysis, request)
      own.set(request, privates)
      for (const value of privates)
        if (!read.has(keyOf(value))) read.set(keyOf(value), { ...value, readBy: request.label })
    }
  }
  const uses = (request: BoundRequest) =>
    originsOf(request).flatMap(({ origin, privates }) =>
      usesAt(origin, [...read.values(), ...(own.get(request) ?? []), ...privates]),
    )
  return new Map(
    files.flatMap(({ requests }) =>
      requests.map((request) => [request, request.errors.length > 0 ? [] : uses(request)] as const),
    ),
  )
}

/** Where a request goes, with what the URL and the headers of each network contain. */
const originsOf = (request: BoundRequest) =>
  entriesOf(request).flatMap((entry) => {
    const url = urlUsed(request, entry)
    const origin = url === undefined ? undefined : originOf(url)
    return origin === undefined ? [] : [{ origin, privates: entry.privates ?? [] }]
  })

/** The secrets and listed variables that sending a request needs and that are not set. */
export const missingPrivates = (analysis: Analysis, request: BoundRequest): ReadonlyArray<string> => [
  ...new Set([...entriesOf(request).flatMap(({ missing = [] }) => missing), ...readsOf(analysis, request).missing]),
]

/** As {@link usesOfRun}, of a network that calls go to without a file, over HTTP where it has a URL for that. */
export const networkUses = ({ network, privates = [] }: WorkspaceNetwork): ReadonlyArray<PrivateUse> => {
  const url = network.url ?? network.wsUrl
  const origin = url === undefined ? undefined : originOf(url)
  return origin === undefined ? [] : usesAt(origin, privates)
}

/** As {@link usesOfRun}, of a URL with names in braces, such as the one of a ledger; `filled` is what came of it. */
export const urlUses = (
  url: string,
  filled: Redacted.Redacted<string>,
  { env, secret }: Pick<Workspace, "env" | "secret">,
): ReadonlyArray<PrivateUse> => {
  const origin = originOf(filled)
  if (origin === undefined) return []
  const values = [...url.matchAll(/\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g)].flatMap(([, kind, name = ""]) => {
    const found = kind === "secret" ? (secret(name) ?? wrapped(env(name))) : wrapped(env(name))
    return found === undefined
      ? []
      : [{ kind: kind === "secret" ? ("secret" as const) : ("env" as const), name, value: found }]
  })
  return usesAt(origin, values)
}

/** The host that a request goes to, secrets in it masked; `undefined` for one inside this process. */
export const hostOf = (request: BoundRequest): string | undefined => hostIn(request, entryOf(request, request.network))

/** As {@link hostOf}, of the network that the request is compared on. */
export const comparedHostOf = (request: BoundRequest): string | undefined =>
  hostIn(request, entryOf(request, request.compare?.network))

const hostIn = (request: BoundRequest, entry: WorkspaceNetwork | undefined): string | undefined => {
  const wantsSocket = request.settings.transport?.kind === "ws" || entry?.network.url === undefined
  return wantsSocket ? entry?.hosts?.wsUrl : entry?.hosts?.url
}

const entryOf = ({ workspace }: BoundRequest, network: Network | undefined): WorkspaceNetwork | undefined =>
  network === undefined ? undefined : workspace.networks.find((entry) => entry.network === network)

const entriesOf = (request: BoundRequest): ReadonlyArray<WorkspaceNetwork> =>
  [request.network, request.compare?.network].flatMap((network) => entryOf(request, network) ?? [])

const urlUsed = ({ settings }: BoundRequest, { network }: WorkspaceNetwork): Redacted.Redacted<string> | undefined =>
  settings.transport?.kind === "ws" ? network.wsUrl : (network.url ?? network.wsUrl)

/** The same for `https:` and `wss:`, which are one server to anyone who runs it. */
const originOf = (given: Redacted.Redacted<string>): string | undefined => {
  const text = Redacted.value(given)
  if (text.startsWith("embedded:") || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const scheme = url.protocol.replace(/^ws/, "http")
  return `${scheme}//${url.host}`
}

/**
 * What is read for a request: by its rows, its variables, its params, its checks, its units and every variable behind them.
 * It is found by name, so it is the same whatever the values are.
 */
const readsOf = (analysis: Analysis, { origin, section, settings, workspace }: BoundRequest) => {
  const file = origin?.analysis ?? analysis
  const mentions = [...mentionsIn(file, section), ...mentionsOfUnits(settings.units, { file, section })]
  const { lent, variables } = reachedFrom(mentions, { file, section }, workspace)
  const privates: Array<PrivateValue> = []
  const missing: Array<string> = []
  for (const { kind, name } of [section, ...variables, ...lent].flatMap(privatesIn)) {
    const value = kind === "Secret" ? workspace.secret(name.text) : wrapped(workspace.env(name.text))
    if (value !== undefined) privates.push({ kind: kind === "Secret" ? "secret" : "env", name: name.text, value })
    else if (kind === "Secret" || workspace.isListed(name.text)) missing.push(name.text)
  }
  return { privates, missing }
}

/** Two projects of a run may have different values of one name. */
const keyOf = ({ kind, name, value }: PrivateValue): string => JSON.stringify([kind, name, Redacted.value(value)])

/** Of one value that is given away in several ways, the last counts. */
const usesAt = (
  origin: string,
  values: ReadonlyArray<PrivateValue & Pick<PrivateUse, "readBy">>,
): ReadonlyArray<PrivateUse> => {
  const seen = new Map(values.map((value) => [keyOf(value), value]))
  return [...seen.values()].filter((value) => !saysWhere(value, origin)).map((value) => ({ ...value, origin }))
}

/** A variable that is the host, or the whole URL: then its owner has said where to send, and not the project. */
const saysWhere = ({ kind, value }: PrivateValue, origin: string): boolean => {
  if (kind !== "env") return false
  const text = Redacted.value(value).trim()
  const { host, hostname } = new URL(origin)
  return text === host || text === hostname || originOf(Redacted.make(text)) === origin
}

const wrapped = (value: string | undefined): Redacted.Redacted<string> | undefined =>
  value === undefined ? undefined : Redacted.make(value)
