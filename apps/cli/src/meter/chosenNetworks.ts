/** The networks that are metered: those of the configuration, or the node of `--url`; and the variables that name them to a command. */
import { entryOf, privatesOfUrl, unknownName, type WorkspaceNetwork } from "@dotrpc/analysis"
import type { Project } from "@dotrpc/project/node"
import { defineNetwork, type Network, type PriceSheet } from "@dotrpc/spec"
import { Effect, Option, Redacted } from "effect"
import type { CommandFailed } from "../CommandFailed.ts"
import { usage } from "../commands/scanTarget.ts"
import type { Host } from "../Host.ts"
import { urlOfFlag } from "../UrlFlag.ts"
import { variablePart } from "./MeteredChild.ts"

/** The networks that were named, or all that can be used. */
export const chosenNetworks = Effect.fnUntraced(function* (
  { workspace }: Project,
  ids: ReadonlyArray<string>,
  isReplay: boolean,
): Effect.fn.Return<ReadonlyArray<WorkspaceNetwork>, CommandFailed> {
  // Recordings need no node, and so no key.
  const usable = workspace.networks.filter(({ problem }) => isReplay || problem === undefined)
  if (ids.length === 0) {
    if (usable.length > 0) return usable
    const [first] = workspace.networks.flatMap(({ problem = [] }) => problem)
    return yield* usage(first ?? "there is no network: add one to rpc.config.json, or name a node with --url")
  }
  const known = workspace.networks.map(({ network }) => network.id)
  return yield* Effect.forEach([...new Set(ids)], (id) => {
    const entry = entryOf(workspace, id)
    if (entry === undefined) return Effect.fail(usage(unknownName("network", id, known)))
    return entry.problem !== undefined && !isReplay ? Effect.fail(usage(entry.problem)) : Effect.succeed(entry)
  })
})

/** The network of `--url`, or of a URL that is `named` otherwise; its WebSockets are where the provider of the service has them. */
export const nodeAt = Effect.fnUntraced(function* (
  text: string,
  project: Project,
  {
    allowHosts,
    named = "--url",
    network,
  }: {
    readonly allowHosts: ReadonlyArray<string>
    readonly named?: string | undefined
    readonly network: ReadonlyArray<string>
  },
  prices: PriceSheet.PriceSheet | undefined,
  isReplay: boolean,
) {
  if (network.length > 0)
    return yield* usage("--url is a node of its own, and --network names one of rpc.config.json: remove one of the two")
  const given = isReplay ? nowhere : Redacted.value(yield* urlOfFlag(named, text, project, allowHosts))
  if (!URL.canParse(given) || !/^(?:https?|wss?):$/.test(new URL(given).protocol))
    return yield* usage(
      `${named} must be the URL of a node: http:// or https://, and ws:// or wss:// for WebSockets alone`,
    )
  const isSocket = given.startsWith("ws")
  const own = defineNetwork({
    id: "node",
    plugin: "evm",
    plugins: ["evm", "token-accounts", "l2-events"],
    ...(isSocket ? {} : { url: given }),
    wsUrl: isSocket ? given : given.replace(/^http/, "ws").replace(/\/v3\/([^/]+)$/, "/ws/v3/$1"),
    ...(prices === undefined ? {} : { prices }),
    privates: privatesOfUrl(text, project.workspace),
  })
  return { network: own }
})

/** Without what the URL of a node was made of. */
export const envWithout = (env: Host["Service"]["env"], url: Option.Option<string>): Host["Service"]["env"] => {
  const named = new Set(
    Array.from(Option.getOrElse(url, () => "").matchAll(/\$(?:secret|env)\.(\w+)/g), ([, name]) => name),
  )
  return Object.fromEntries(Object.entries(env).filter(([name]) => !named.has(name)))
}

/** Recordings are asked, and no node. */
const nowhere = "http://127.0.0.1:9"

export const namedVariables = Effect.fnUntraced(function* (
  entries: ReadonlyArray<string>,
  networks: ReadonlyArray<Network>,
): Effect.fn.Return<ReadonlyArray<readonly [string, string]>, CommandFailed> {
  const named: Array<readonly [string, string]> = []
  for (const [index, network] of networks.entries()) {
    const other = networks.slice(0, index).find((each) => variablePart(each) === variablePart(network))
    if (other !== undefined)
      return yield* usage(
        `networks "${other.id}" and "${network.id}" would share the variable DOTRPC_URL_${variablePart(network)}: rename one of them, or choose with --network`,
      )
  }
  for (const entry of entries) {
    const [, variable, id] = /^([A-Za-z_]\w*)=(.+)$/.exec(entry) ?? []
    if (variable === undefined || id === undefined)
      return yield* usage("--url-env needs NAME=NETWORK, such as MAINNET_RPC_URL=evm")
    const ids = networks.map((network) => network.id)
    if (!ids.includes(id)) return yield* usage(`--url-env: ${unknownName("network", id, ids)}`)
    named.push([variable, id])
  }
  return named
})
