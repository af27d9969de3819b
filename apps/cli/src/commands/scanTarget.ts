/** What `dotrpc scan` and `dotrpc backfill` read: a method with a range, its params, and the network that answers it. */
import { entryOf, type WorkspaceNetwork } from "@dotrpc/analysis"
import { findConfig, type Project, readProject, showProblem } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { answersPlugin, Json, type Method, nearest, type Network, pluginsOf, showPath } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { Host, pathOf } from "../Host.ts"
import { judgeOf, needsTrust } from "../Trust.ts"

export const usage = (...lines: ReadonlyArray<string>) => new CommandFailed({ lines, exitCode: ExitCode.invalid })

export const openScanProject = Effect.fnUntraced(function* (flags: {
  readonly config: Option.Option<string>
  readonly env: Option.Option<string>
  readonly network: Option.Option<string>
  readonly trust: boolean
  /** Whether secrets that are not set are waited for, as nothing is sent. */
  readonly expectsMore?: boolean | undefined
}): Effect.fn.Return<Project, CommandFailed, Host> {
  const host = yield* Host
  const config = configOf(host, flags.config)
  const now = yield* Clock.currentTimeMillis
  const project = yield* Effect.promise(() =>
    readProject(config, host.cwd, {
      ...Option.match(flags.env, { onNone: () => ({}), onSome: (environment) => ({ environment }) }),
      ...Option.match(flags.network, { onNone: () => ({}), onSome: (network) => ({ network }) }),
      expectsMore: flags.expectsMore,
      judge: judgeOf(host, flags.trust),
      now,
      surroundings: host,
    }),
  )
  const untrusted = needsTrust([project])
  if (project.problems.length === 0 && untrusted !== undefined) return yield* untrusted
  return project.problems.length > 0 ? yield* usage(...project.problems.map(showProblem)) : project
})

/** Where the configuration is: the one that was named, or the nearest one; absent without one. */
export const configOf = (host: Host["Service"], named: Option.Option<string>): string | undefined =>
  Option.match(named, { onNone: () => findConfig(host.cwd, host), onSome: (name) => pathOf(host, name) })

/** The method and the network that were named; without a network, the first of the method's plugin that can be used. */
export const targetOf = Effect.fnUntraced(function* (
  { workspace }: Project,
  name: string,
  id: string | undefined,
): Effect.fn.Return<
  { readonly method: Method; readonly network: Network; readonly entry: WorkspaceNetwork },
  CommandFailed
> {
  const methods = workspace.plugins.flatMap((plugin) => plugin.methods)
  const said = entryOf(workspace, id)?.network
  const families = said === undefined ? [] : pluginsOf(said)
  const ofNetwork = families.flatMap((family) => methods.filter(({ plugin }) => plugin === family))
  const method = [...ofNetwork, ...methods].find((candidate) => candidate.name === name)
  const able = methods.filter((candidate) => candidate.range !== undefined).map((candidate) => candidate.name)
  if (method === undefined) {
    const meant = nearest(
      name,
      methods.map((candidate) => candidate.name),
    )
    const hint = meant === undefined ? `expected one of ${able.join(", ")}` : `did you mean "${meant}"?`
    return yield* usage(`unknown method "${name}"; ${hint}`)
  }
  if (method.range === undefined)
    return yield* usage(`${name} has no range of blocks to read; expected one of ${able.join(", ")}`)
  const advice = `add a network with "plugin": "${method.plugin}" to rpc.config.json`
  const own = workspace.networks.filter(({ network }) => answersPlugin(network, method.plugin))
  const fit = own.find(({ network, problem }) => problem === undefined && network.methods?.[name] !== false)
  const found =
    id === undefined ? (fit ?? own.find(({ problem }) => problem === undefined) ?? own[0]) : entryOf(workspace, id)
  if (found === undefined) return yield* usage(`no network answers ${name}: ${advice}`)
  const { network, problem } = found
  if (problem !== undefined) return yield* usage(problem)
  if (network.methods?.[name] === false)
    return yield* usage(
      `network "${network.id}" does not have ${name}${fit === undefined ? "" : `: write --network ${fit.network.id}`}; if it does, set "methods": { "${name}": true } for it in rpc.config.json`,
    )
  if (answersPlugin(network, method.plugin)) return { method, network, entry: found }
  const instead = fit === undefined ? advice : `write --network ${fit.network.id}`
  return yield* usage(
    `${name} is a method of ${method.plugin}, but network "${network.id}" answers those of ${pluginsOf(network).join(", ")}; ${instead}`,
  )
})

/** The params; an object is taken for the only position of a method that takes one. */
export const paramsOf = Effect.fnUntraced(function* (
  method: Method,
  network: Network,
  text: string,
): Effect.fn.Return<Json.Json, CommandFailed> {
  const params = yield* attempt(() => Json.parse(text)).pipe(
    Effect.mapError(({ message }) => usage(`the params are not JSON: ${message}`)),
  )
  if (method.range?.of(params) === undefined && Json.isObject(params) && method.range?.of([params]) !== undefined)
    return [params]
  const [issue] = method.range?.of(params) === undefined ? method.issues(params, network) : []
  return issue === undefined ? params : yield* usage(`${showPath(issue.path)}: ${issue.message}`)
})

/** What throws ends the command with its message. */
export const attempt = <A>(evaluate: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({ try: evaluate, catch: (error) => usage(error instanceof Error ? error.message : String(error)) })
