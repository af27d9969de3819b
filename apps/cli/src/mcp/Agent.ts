/**
 * What the tools of an agent share: one project, read once, with one runtime and one purse for as long as the server lives.
 *
 * Invariant: an agent that can write files changes neither what it may spend nor what it may reach: the configuration and
 * the hosts of secrets are those of the start. Requests are read again with each call.
 */
import {
  type Analysis,
  analyze,
  type BoundRequest,
  networkUses,
  problem,
  readInRun,
  unknownName,
  usesOfRun,
  type Workspace,
  type WorkspaceNetwork,
} from "@dotrpc/analysis"
import { CreditLedger, Priority } from "@dotrpc/core"
import { parse } from "@dotrpc/lang"
import { refusedBy } from "@dotrpc/project"
import { findConfig, type Project, showProblem, readProject } from "@dotrpc/project/node"
import { makePlan, refuseRequests, type RunPlan } from "@dotrpc/runner"
import type { Gate, Redaction, RpcClient } from "@dotrpc/spec"
import { Clock, Context, Effect, Layer, Option, type Scope } from "effect"
import { dirname } from "node:path"
import { usage } from "../commands/scanTarget.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { type AnalysedDocument, openDocuments } from "../Documents.ts"
import { Host, pathOf, shownPath } from "../Host.ts"
import { ledgerOf, ledgerUses } from "../Ledger.ts"
import type { Output } from "../Output.ts"
import { runtimeLayer } from "../Runtime.ts"
import { decideUses } from "../SecretHosts.ts"
import { openSources } from "../SourceFiles.ts"
import { judgeOf, needsTrust } from "../Trust.ts"
import { makeResults, type Results } from "./Answer.ts"
import { makePurse, type Purse } from "./Purse.ts"

/** Flags of the server. */
export interface AgentFlags {
  readonly files: ReadonlyArray<string>
  readonly maxCredits: Option.Option<number>
  readonly approveAbove: Option.Option<number>
  readonly allowWrites: boolean
  readonly network: ReadonlyArray<string>
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly allowHosts: ReadonlyArray<string>
}

export interface Agent {
  readonly host: Host["Service"]
  readonly workspace: () => Effect.Effect<Workspace>
  readonly project: Project
  readonly gate: Gate
  readonly allowWrites: boolean
  readonly purse: Purse
  readonly limits: { readonly maxCredits: number | null; readonly approveAbove: number | null }
  readonly results: Results
  /** What no answer may have. */
  readonly secrets: Redaction.Secrets
  readonly ledger: CreditLedger.CreditLedger["Service"]
  /** The files of the server as they are now, and what is wrong with others. */
  readonly open: Effect.Effect<{
    readonly documents: ReadonlyArray<AnalysedDocument>
    readonly problems: ReadonlyArray<string>
  }>
  /** A text that is in no file. */
  readonly analysed: (text: string) => Effect.Effect<Analysis>
  /** The plan without what an agent may not send: what changes something, and what gives a secret away. */
  readonly allowed: (plan: RunPlan) => RunPlan
  /** Runs what sends calls, after people's own. */
  readonly inRuntime: <A, E>(effect: Effect.Effect<A, E, RpcClient | CreditLedger.CreditLedger>) => Effect.Effect<A, E>
}

/** Reads the project, decides which secrets may go where, and opens the ledger. Nothing is sent. */
export const makeAgent = Effect.fnUntraced(function* (
  flags: AgentFlags,
  closed: Effect.Effect<void>,
): Effect.fn.Return<Agent, CommandFailed, Host | Output | Scope.Scope> {
  const host = yield* Host
  const project = yield* openProject(flags)
  const workspace = () => Effect.map(Clock.currentTimeMillis, (now) => ({ ...project.workspace, now }))
  const open = Effect.gen(function* () {
    const current = { ...project, workspace: yield* workspace() }
    return yield* Effect.promise((signal) => openDocuments(host, flags.files, { project: current, signal }))
  })
  const { documents, problems } = yield* open
  if (documents.length === 0 && problems.length > 0) return yield* usage(...problems)
  const plans = documents.map(({ analysis }) => makePlan(analysis))
  const read = readInRun(plans)
  const entries = everyNetwork(project.workspace)
  const uses = [...usesOfRun(plans, read).values(), entries.flatMap(networkUses), ledgerUses(project, read)].flat()
  const gate = yield* decideUses(uses, flags.allowHosts)
  const runtime = yield* Layer.build(yield* runtimeLayer(project, yield* ledgerOf(project, gate, read), { gate }))
  const ledger = Context.get(runtime, CreditLedger.CreditLedger)
  const ofFiles = read.flatMap(({ kind, value }) => (kind === "secret" ? value : []))
  const secrets = [...entries.flatMap(({ network }) => network.secrets), ...ofFiles]
  const limit = Option.getOrUndefined(flags.maxCredits)
  const approveAbove = Option.getOrUndefined(flags.approveAbove)
  return {
    host,
    workspace,
    project,
    gate,
    ledger,
    open,
    allowWrites: flags.allowWrites,
    purse: makePurse({ limit, approveAbove, ledger, closed, first: project.networks[0] }),
    limits: { maxCredits: limit ?? null, approveAbove: approveAbove ?? null },
    results: makeResults(secrets),
    secrets,
    analysed: (text) => Effect.map(workspace(), (current) => analyze(parse(text), current)),
    allowed: (plan) => refuseRequests(plan, refusalIn(plan, project, gate, flags.allowWrites)),
    inRuntime: (effect) => effect.pipe(Effect.provideService(Priority, "background"), Effect.provideContext(runtime)),
  }
})

/** Why a request is not sent, although nothing is wrong with it. What no plugin knows may change something. */
const refusalIn = (plan: RunPlan, { workspace }: Project, gate: Gate, allowWrites: boolean) => {
  const read = readInRun([plan])
  const uses = usesOfRun([plan], read)
  const secret = read.find(({ kind }) => kind === "secret")
  const known = new Set(workspace.plugins.flatMap(({ methods }) => methods.map(({ name }) => name)))
  return (request: BoundRequest) => {
    const { call, method, settings } = request
    if (!allowWrites && settings.unchecked && method !== undefined && !known.has(method.name))
      return problem(
        "A105",
        call.method,
        `no plugin knows ${call.method.text}, so it may change something: dotrpc mcp sends it with --allow-writes only`,
      )
    // A node runs any program on what it is sent, so no mask finds a secret in its reply.
    if (secret !== undefined)
      return problem(
        "A503",
        call.method,
        `this file reads $secret.${secret.name}, and a reply can reveal what is sent: dotrpc mcp sends only the secrets in the URLs and headers of rpc.config.json`,
      )
    const [refused] = refusedBy(gate, uses.get(request) ?? [])
    return refused === undefined ? undefined : problem("A503", call.method, refused)
  }
}

/** The project of the configuration that was named, of all files, or of the working folder. */
const openProject = Effect.fnUntraced(function* (flags: AgentFlags): Effect.fn.Return<Project, CommandFailed, Host> {
  const host = yield* Host
  const { problems, sources } = yield* Effect.promise((signal) => openSources(host, flags.files, signal))
  if (sources.some(({ isStream }) => isStream))
    return yield* usage("standard input belongs to the protocol: name a file")
  if (flags.files.length > 0 && sources.length === 0) return yield* usage(...problems)
  const named = Option.map(flags.config, (name) => pathOf(host, name))
  const nearest = sources.map(({ path }) => findConfig(dirname(path), host))
  const configs = Option.isSome(named)
    ? [named.value]
    : sources.length > 0
      ? [...new Set(nearest)]
      : [findConfig(host.cwd, host)]
  if (configs.length > 1)
    return yield* usage(
      `these files belong to ${configs.length} projects (${configs.map((path) => (path === undefined ? "one without a configuration" : shownPath(host, path))).join(", ")}): start one dotrpc mcp for each`,
    )
  const [config] = configs
  const folder = sources[0] === undefined ? host.cwd : dirname(sources[0].path)
  const project = yield* Effect.promise(() =>
    readProject(config, folder, {
      environment: Option.getOrUndefined(flags.env),
      judge: judgeOf(host, flags.trust),
      surroundings: host,
    }),
  )
  const untrusted = needsTrust([project])
  if (project.problems.length > 0) return yield* usage(...project.problems.map(showProblem))
  if (untrusted !== undefined) return yield* untrusted
  const ids = everyNetwork(project.workspace).map(({ network }) => network.id)
  const unknown = flags.network.find((id) => !ids.includes(id))
  if (unknown !== undefined) return yield* usage(unknownName("network", unknown, [...new Set(ids)]))
  return flags.network.length === 0 ? project : narrowed(project, flags.network)
})

/** Those of every environment, which a file may choose. */
const everyNetwork = ({ environments, networks }: Workspace): ReadonlyArray<WorkspaceNetwork> => [
  ...networks,
  ...[...environments.values()].flatMap((scope) => scope().networks),
]

/** The project without the other networks, in every environment. */
const narrowed = (project: Project, ids: ReadonlyArray<string>): Project => {
  const { workspace } = project
  const only = (networks: ReadonlyArray<WorkspaceNetwork>) => networks.filter(({ network }) => ids.includes(network.id))
  const environments = Array.from(workspace.environments, ([name, scope]) => {
    const scoped = () => ({ ...scope(), networks: only(scope().networks) })
    return [name, scoped] as const
  })
  return {
    ...project,
    networks: project.networks.filter(({ id }) => ids.includes(id)),
    workspace: { ...workspace, networks: only(workspace.networks), environments: new Map(environments) },
  }
}
