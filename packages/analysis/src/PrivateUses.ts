/**
 * Which values from outside the project a request would send, and where to: what has to be allowed before it is sent.
 *
 * A secret, or a variable of the environment, is used by a request when its params, the variables behind them or the URL
 * of its network name it.
 */
import type { Network } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { evaluateValue, pending } from "./Evaluate.ts"
import { makeScope } from "./internal/scope.ts"
import type { PrivateValue } from "./PrivateValue.ts"
import type { Workspace, WorkspaceNetwork } from "./Workspace.ts"

/** A value that would be sent to a server. */
export interface PrivateUse extends PrivateValue {
  /** Scheme, host and port: `https://mainnet.example`, also for its WebSockets. May itself hold a secret. */
  readonly origin: string
}

/**
 * Everything that sending a request would give away, to each network that it goes to. Nothing that stays in this process, as with an
 * embedded network.
 */
export const privateUses = (analysis: Analysis, request: BoundRequest): ReadonlyArray<PrivateUse> =>
  entriesOf(request).flatMap((entry) => {
    const url = urlUsed(request, entry)
    const origin = url === undefined ? undefined : originOf(url)
    return origin === undefined
      ? []
      : usesAt(origin, [...(entry.privates ?? []), ...mentionedBy(analysis, request).privates])
  })

/** The secrets and listed variables that sending a request needs and that are not set. */
export const missingPrivates = (analysis: Analysis, request: BoundRequest): ReadonlyArray<string> => [
  ...new Set([...entriesOf(request).flatMap(({ missing = [] }) => missing), ...mentionedBy(analysis, request).missing]),
]

/** As {@link privateUses}, of a network that calls go to without a file, over HTTP where it has a URL for that. */
export const networkUses = ({ network, privates = [] }: WorkspaceNetwork): ReadonlyArray<PrivateUse> => {
  const url = network.url ?? network.wsUrl
  const origin = url === undefined ? undefined : originOf(url)
  return origin === undefined ? [] : usesAt(origin, privates)
}

/** As {@link privateUses}, of a URL with names in braces, such as the one of a ledger; `filled` is what came of it. */
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

/** What the params of a request mention, by themselves or through variables. */
const mentionedBy = (analysis: Analysis, request: BoundRequest) => {
  const privates: Array<PrivateValue> = []
  const missing: Array<string> = []
  const { origin, method, section, workspace } = request
  const scope = makeScope({
    workspace,
    file: origin?.analysis ?? analysis,
    origin: origin?.analysis,
    section,
    plugin: method?.plugin,
    resultOf: () => pending,
    own: {},
    absentMember: "problem",
    onPrivate: (value) => privates.push(value),
    onMissing: (name) => missing.push(name),
  })
  if (request.call.params !== undefined) evaluateValue(request.call.params, scope)
  return { privates, missing }
}

const usesAt = (origin: string, values: ReadonlyArray<PrivateValue>): ReadonlyArray<PrivateUse> => {
  const seen = new Map(values.map((value) => [`${value.kind} ${value.name}`, value]))
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
