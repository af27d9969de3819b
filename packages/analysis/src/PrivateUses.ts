/**
 * Which values from outside the project a run would give away, and to whom: what has to be allowed before it is sent.
 *
 * A secret, or a variable of the environment, is given to a server when the URL or a header of its network names it, and
 * when anything does in the files of the run: whether and when the requests of a run are sent may depend on it.
 */
import { Destination, isStream, type Network, type PrivateValue, saysWhere, wayOf } from "@dotrpc/spec"
import { Redacted } from "effect"
import type { Analysis, BoundRequest } from "./Analysis.ts"
import { fileName } from "./Imports.ts"
import { privatesIn } from "./internal/names.ts"
import { reachedFrom } from "./internal/needs.ts"
import { mentionsOfUnits } from "./internal/units.ts"
import { mentionsIn } from "./Names.ts"
import { entryOf, type Workspace, type WorkspaceNetwork } from "./Workspace.ts"

/** A value that would be sent to a server. */
export interface PrivateUse extends PrivateValue {
  /** Where a connection would be opened: `https://mainnet.example`, also for its WebSockets. May itself hold a secret. */
  readonly destination: string
  /** The label of the request that reads it, where that is another one of the run, or else the name of the file. */
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
 * What is read for the run may decide what its requests send, whether they do, and when: see {@link readInRun}. So it is given to
 * every host of the run.
 */
export const usesOfRun = (
  files: ReadonlyArray<RunOfFile>,
  read: ReadonlyArray<Read> = readInRun(files),
): ReadonlyMap<BoundRequest, ReadonlyArray<PrivateUse>> => {
  const uses = (analysis: Analysis, request: BoundRequest) => {
    const own = readsOf(analysis, request).privates
    return entriesOf(request).flatMap(({ network }) =>
      urlsOf(request, network).flatMap((url) => usesAt(url, [...read, ...own, ...(network.privates ?? [])])),
    )
  }
  return new Map(
    files.flatMap(({ analysis, requests }) =>
      requests.map((request) => [request, request.errors.length > 0 ? [] : uses(analysis, request)] as const),
    ),
  )
}

/**
 * Every value from outside that anything of a run reads. It may decide what is sent: by an error that only some values cause, by a
 * result, by `--bail`, by the credits that are left or by the time that it takes. All of a file is analysed, whatever a run
 * selects, and one part of it may use up what the others may take. So all that the file and its imports name counts.
 */
export const readInRun = (files: ReadonlyArray<RunOfFile>): ReadonlyArray<Read> => {
  const read = new Map<string, Read>()
  const note = (values: ReadonlyArray<PrivateValue>, readBy: string) => {
    for (const value of values) if (!read.has(keyOf(value))) read.set(keyOf(value), { ...value, readBy })
  }
  for (const { analysis, requests, skipped = [] } of files) {
    for (const request of [...requests, ...skipped.map((entry) => entry.request)])
      note(readsOf(analysis, request).privates, request.label)
    for (const { uri, workspace, tree } of withImports(analysis))
      note(valuesOf(privatesIn(tree), workspace).privates, uri === undefined ? "the file" : fileName(uri))
  }
  return [...read.values()]
}

/** A file and all that it imports, directly or through others. */
const withImports = (analysis: Analysis): ReadonlySet<Analysis> => {
  const found = new Set([analysis])
  // What is added to a set meanwhile is visited as well.
  for (const { imports } of found) for (const each of imports) if (each.analysis !== undefined) found.add(each.analysis)
  return found
}

/** The secrets and listed variables that sending a request needs and that are not set. */
export const missingPrivates = (analysis: Analysis, request: BoundRequest): ReadonlyArray<string> => [
  ...new Set([...entriesOf(request).flatMap(({ missing = [] }) => missing), ...readsOf(analysis, request).missing]),
]

/** As {@link usesOfRun}, of a network that calls go to without a file. */
export const networkUses = ({ network }: WorkspaceNetwork): ReadonlyArray<PrivateUse> =>
  usesAt(urlOn(network, wayOf(network, undefined)), network.privates ?? [])

/** The values from outside that a URL with names in braces has, such as the one of a ledger, as far as they are set. */
export const privatesOfUrl = (
  url: string,
  { env, secret }: Pick<Workspace, "env" | "secret">,
): ReadonlyArray<PrivateValue> =>
  [...url.matchAll(/\{\{\s*\$(secret|env)\.(\w+)\s*\}\}/g)].flatMap(([, kind, name = ""]) => {
    const found = kind === "secret" ? (secret(name) ?? wrapped(env(name))) : wrapped(env(name))
    return found === undefined ? [] : [{ kind: kind === "secret" ? "secret" : "env", name, value: found }]
  })

/** What opening a connection to a URL would give away of these. */
export const usesAt = (
  url: string | Redacted.Redacted<string> | undefined,
  values: ReadonlyArray<Read>,
): ReadonlyArray<PrivateUse> => {
  const destination =
    url === undefined ? undefined : (Destination.ofEndpoint(url) ?? Destination.ofServer(url)?.destination)
  return destination === undefined ? [] : usesOf(destination, values)
}

/**
 * What a connection to a destination gives away of these; of one value that is given away in several ways, the last counts. A variable
 * that is the host itself is left out: its owner has said where to send.
 */
export const usesOf = (destination: string, values: ReadonlyArray<Read>): ReadonlyArray<PrivateUse> => {
  const seen = new Map(values.map((value) => [keyOf(value), value]))
  return [...seen.values()]
    .filter((value) => !saysWhere(value, destination))
    .map((value) => ({ ...value, destination }))
}

/** A value from outside that a run reads, and what reads it. */
export type Read = PrivateValue & Pick<PrivateUse, "readBy">

/** The host that a request goes to, secrets in it masked; `undefined` for one inside this process. */
export const hostOf = (request: BoundRequest): string | undefined =>
  hostIn(request, entryOf(request.workspace, request.network?.id))

/** As {@link hostOf}, of the network that the request is compared on. */
export const comparedHostOf = (request: BoundRequest): string | undefined =>
  hostIn(request, entryOf(request.workspace, request.compare?.network.id))

const hostIn = (request: BoundRequest, entry: WorkspaceNetwork | undefined): string | undefined => {
  if (entry === undefined) return undefined
  const isSocket = listens(request) || wayOf(entry.network, request.settings.transport?.kind) === "ws"
  return isSocket ? entry.hosts?.wsUrl : entry.hosts?.url
}

const entriesOf = (request: BoundRequest): ReadonlyArray<WorkspaceNetwork> =>
  [request.network, request.compare?.network].flatMap((network) => entryOf(request.workspace, network?.id) ?? [])

/** What a subscription left out is asked for as other calls are. */
const urlsOf = (request: BoundRequest, network: Network): ReadonlyArray<Redacted.Redacted<string> | undefined> => {
  const called = urlOn(network, wayOf(network, request.settings.transport?.kind))
  return listens(request) ? [network.wsUrl, called] : [called]
}

const urlOn = ({ url, wsUrl }: Network, way: "http" | "ws"): Redacted.Redacted<string> | undefined =>
  way === "ws" ? wsUrl : url

const listens = ({ method }: BoundRequest): boolean => method !== undefined && isStream(method)

/**
 * What is read for a request: by its rows, its variables, its params, its checks, its units and every variable behind them.
 * It is found by name, so it is the same whatever the values are.
 */
const readsOf = (analysis: Analysis, { origin, section, settings, workspace }: BoundRequest) => {
  const file = origin?.analysis ?? analysis
  const mentions = [...mentionsIn(file, section), ...mentionsOfUnits(settings.units, { file, section })]
  const { lent, variables } = reachedFrom(mentions, { file, section }, workspace)
  return valuesOf([section, ...variables, ...lent].flatMap(privatesIn), workspace)
}

/** What is read by these, and the names that are not set. */
const valuesOf = (nodes: ReturnType<typeof privatesIn>, workspace: Workspace) => {
  const privates: Array<PrivateValue> = []
  const missing: Array<string> = []
  for (const { kind, name } of nodes) {
    const value = kind === "Secret" ? workspace.secret(name.text) : wrapped(workspace.env(name.text))
    if (value !== undefined) privates.push({ kind: kind === "Secret" ? "secret" : "env", name: name.text, value })
    else if (kind === "Secret" || workspace.isListed(name.text)) missing.push(name.text)
  }
  return { privates, missing }
}

/** Two projects of a run may have different values of one name. */
const keyOf = ({ kind, name, value }: PrivateValue): string => JSON.stringify([kind, name, Redacted.value(value)])

const wrapped = (value: string | undefined): Redacted.Redacted<string> | undefined =>
  value === undefined ? undefined : Redacted.make(value)
