/** Whether a request can be made on another network as well, as `# @compare` or the run asks for it. */
import type { CallNode, Diagnostic, DirectiveNode, Span } from "@dotrpc/lang"
import { answersPlugin, isStream, type Method, nearest, type Network, pluginsOf, type Price } from "@dotrpc/spec"
import { type Comparison, pinnedTags, pinsOf } from "../Comparison.ts"
import type { EvaluatedValue } from "../Evaluate.ts"
import { hasMethod } from "../NetworksWith.ts"
import { problem, replacement } from "../Problem.ts"
import type { Settings } from "../Settings.ts"
import { readSnapshotPath } from "../SnapshotCheck.ts"
import { entryOf, listedNetworks, unknownName, type Workspace } from "../Workspace.ts"
import { issuesOf } from "./params.ts"
import { spelled } from "./target.ts"

export interface ComparedRequest {
  readonly request: { readonly index: number; readonly call: CallNode; readonly settings: Settings }
  /** Whether the section itself asks for it; the prelude and a run ask for what can be compared. */
  readonly isOwn: boolean
  readonly method: Method | undefined
  readonly network: Network | undefined
  readonly workspace: Workspace
  /** Absent where the params are wrong. */
  readonly params: EvaluatedValue | undefined
  readonly priceOn: (method: Method, network: Network) => Price.PriceRange
}

export interface FoundComparison {
  readonly compare?: Comparison | undefined
  readonly notCompared?: string | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

export const comparisonOf = (compared: ComparedRequest): FoundComparison => {
  const { isOwn, method, network, params, priceOn, request, workspace } = compared
  const { call, settings } = request
  const forced = workspace.comparedNetwork
  const id = forced ?? settings.compare?.value.text
  if (id === undefined || method === undefined || network === undefined) return nothing
  const place: Span = forced === undefined ? (settings.compare?.value ?? call.method) : call.method
  const isAsked = isOwn && forced === undefined
  const refused = (message: string, advice?: string): FoundComparison =>
    isAsked
      ? { diagnostics: [problem("A330", place, advice === undefined ? message : `${message}: ${advice}`)] }
      : { notCompared: `not compared: ${message}`, diagnostics: [] }

  const entry = entryOf(workspace, id)
  if (entry === undefined) return unknownNetwork(id, place, workspace)
  const other = spelled(entry.network, method, call)
  if (!answersPlugin(other, method.plugin))
    return refused(
      `network "${id}" answers methods of ${pluginsOf(other).join(", ")}, but ${call.method.text} is a method of ${method.plugin}`,
      "choose another network",
    )
  if (method.writes === true)
    return refused(`${method.name} changes something, and a comparison would send it twice`, "remove @compare")
  if (isStream(method))
    return refused(`${method.name} opens a subscription, whose events differ each time`, "remove @compare")
  if (hasMethod(other, method.name) === false)
    return refused(
      `network "${id}" does not have ${method.name}; if it does, set "methods": { "${method.name}": true } for it in rpc.config.json`,
    )
  const { kind } = settings.transport ?? {}
  if (kind !== undefined && other[kind === "ws" ? "wsUrl" : "url"] === undefined)
    return refused(`network "${id}" has no ${kind === "ws" ? "WebSocket " : ""}endpoint, and @transport asks for one`)
  if (entry.problem !== undefined) return { diagnostics: [problem("A104", place, entry.problem)] }
  const plugin = workspace.plugins.find((candidate) => candidate.id === method.plugin)
  const { comparable, pinning } = plugin ?? {}
  const networks = [network, other] as const
  const pins = pinsOf({ index: request.index, method }, networks, plugin, params?.value)
  // A call whose tags become numbers is checked once they are known.
  if (params !== undefined && pinnedTags(pinning, method, params.value).pinned.length === 0) {
    const own = issuesOf(method, params.value, network, settings)
    const [issue] = own.length > 0 ? [] : issuesOf(method, params.value, other, settings)
    if (issue !== undefined) return refused(`network "${id}" does not accept this call: ${issue.message}`)
  }
  const ignored = settings.ignored.map((directive) => ({ directive, paths: pathsOf(directive) }))
  const compare: Comparison = {
    ignored: ignored.flatMap(({ paths }) => paths.flatMap((path) => (path === undefined ? [] : [path]))),
    network: other,
    price: priceOn(method, other),
    pins,
    comparable: (result) => (comparable === undefined ? result : comparable(method, result)),
    pinning,
  }
  const misread = ignored
    .filter(({ paths }) => paths.includes(undefined))
    .map(({ directive }) =>
      problem("A330", directive.value, "expected paths to leave out, such as result[*].timestamp"),
    )
  return { compare, diagnostics: misread }
}

const pathsOf = ({ value }: DirectiveNode) => value.text.trim().split(/\s+/).map(readSnapshotPath)

const nothing: FoundComparison = { diagnostics: [] }

const unknownNetwork = (id: string, place: Span, { isUnread, isWithheld, networks }: Workspace): FoundComparison => {
  if (isWithheld === true || isUnread === true) return nothing
  const ids = networks.map(({ network }) => network.id)
  const meant = nearest(id, ids)
  const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, place, meant)
  return { diagnostics: [problem("A103", place, unknownName("network", id, listedNetworks(networks), ids), fix)] }
}
