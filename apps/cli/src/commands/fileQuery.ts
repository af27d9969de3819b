/**
 * What a scan or a backfill reads: a method with its params, or a request of a file.
 *
 * Invariant: no secret is in the params, as the store and the manifest have them.
 */
import {
  type Analysis,
  bindParams,
  type BoundRequest,
  entryOf,
  networkUses,
  type PrivateUse,
  type Read,
  readInRun,
  usesOfRun,
  type WorkspaceNetwork,
} from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { lineIndex, positionAt } from "@dotrpc/lang/locate"
import { findConfig, type Project } from "@dotrpc/project/node"
import { ExitCode, makePlan } from "@dotrpc/runner"
import type { Abi, Json, Method, Network } from "@dotrpc/spec"
import { Clock, Effect, Option } from "effect"
import { dirname } from "node:path"
import { CommandFailed } from "../CommandFailed.ts"
import { configOf, openScanProject, paramsOf, targetOf, usage } from "./scanTarget.ts"
import { type AnalysedDocument, openDocuments } from "../Documents.ts"
import { Host } from "../Host.ts"
import { isMarkdown } from "../markdown/isMarkdown.ts"
import { Output } from "../Output.ts"
import { unusedVariables } from "../run/AskedRun.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { judgeOf, needsTrust } from "../Trust.ts"

/** A query, and the project that it belongs to. */
export interface BackfillQuery {
  readonly project: Project
  readonly method: Method
  readonly network: Network
  readonly entry: WorkspaceNetwork
  readonly params: Json.Json
  /** Declarations that the file names for the request. */
  readonly abi: Abi
  /** What sending it gives away: the values of its network, and all that its file and the imports of that read. */
  readonly uses: ReadonlyArray<PrivateUse>
  readonly read: ReadonlyArray<Read>
  /** From `# @budget`. */
  readonly budget: number | undefined
  /** Where the configuration is, for another process that runs here. */
  readonly config: Option.Option<string>
}

/** The query as it is typed. */
export interface QueryFlags {
  /** A method, or a file. */
  readonly query: string
  readonly params: Option.Option<string>
  readonly name: Option.Option<string>
  readonly vars: Readonly<Record<string, string>>
  readonly network: Option.Option<string>
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
}

/** Reads the query. Fails with what is wrong with it, and where it stands in its file. */
export const readQuery = Effect.fnUntraced(function* (
  flags: QueryFlags,
): Effect.fn.Return<BackfillQuery, CommandFailed, Host | Output> {
  const params = Option.getOrUndefined(flags.params)
  if (/\.rpc$/i.test(flags.query) || isMarkdown(flags.query)) {
    if (params === undefined) return yield* queryInFile(flags)
    return yield* usage(`${flags.query} has the params of its request: remove ${params}`)
  }
  if (params === undefined)
    return yield* usage(`write the params of ${flags.query} as JSON after it, or name a .rpc file with a request`)
  if (Option.isSome(flags.name) || Object.keys(flags.vars).length > 0)
    return yield* usage("--name and --var are for a request of a file: name a .rpc file")
  const project = yield* openScanProject(flags)
  const target = yield* targetOf(project, flags.query, Option.getOrUndefined(flags.network))
  const given = yield* paramsOf(target.method, target.network, params)
  const config = Option.fromUndefinedOr(configOf(yield* Host, flags.config))
  const uses = networkUses(target.entry)
  return { project, ...target, uses, read: [], params: given, abi: [], budget: undefined, config }
})

const queryInFile = Effect.fnUntraced(function* (flags: QueryFlags) {
  const document = yield* openOne(flags)
  const { analysis, file, project, text } = document
  // It would read another range than the one that was meant, and pay for it.
  const unused = unusedVariables(Object.keys(flags.vars), [analysis])
  if (unused.length > 0) return yield* usage(...unused)
  const chosen = yield* choose(document, Option.getOrUndefined(flags.name))
  const plan = makePlan(analysis, { indexes: [chosen.index] })
  const wrong = errorsIn(plan.diagnostics)
  if (wrong.length > 0) return yield* said(file, text, wrong)
  const refuse = (node: { readonly start: number }, message: string) => usage(`${placeOf(document, node)} ${message}`)
  const { abi = [], call, method, network, settings, workspace } = chosen
  const entry = entryOf(workspace, network?.id)
  if (method === undefined || network === undefined || entry === undefined)
    return yield* refuse(call.method, "the request is not complete: name a method and a network")
  if (method.range === undefined) return yield* refuse(call.method, `${method.name} has no range of blocks to read`)
  if (settings.environment !== undefined)
    return yield* refuse(settings.environment, "a scan has the environment of --env: remove this line, and add --env")
  if (settings.each !== undefined)
    return yield* refuse(
      chosen.section,
      "a scan reads one range: remove # @each, and start one for each row, with its values in --var",
    )
  if (settings.limit !== undefined)
    return yield* refuse(chosen.section, "a scan reads the whole range: remove # @limit")
  const bound = bindParams(analysis, chosen, new Map())
  if ("diagnostics" in bound) return yield* said(file, text, bound.diagnostics)
  const [kept] = bound.privates
  if (bound.secrets.length > 0 || kept !== undefined)
    return yield* refuse(
      call.params ?? call.method,
      `the params have ${bound.secrets.length > 0 ? "a secret" : `the variable ${kept?.name ?? ""} of the environment`}, and what is kept of a scan has its params: write a value, or give a variable of the file one with --var`,
    )
  if (entry.problem !== undefined) return yield* usage(entry.problem)
  const nearest = document.path && findConfig(dirname(document.path), yield* Host)
  const configured = new Set(project.workspace.abi.get(method.plugin))
  const config = Option.orElse(flags.config, () => Option.fromUndefinedOr(nearest))
  const named = abi.filter((item) => !configured.has(item))
  // Whether it is sent may depend on all that is read, as in a run.
  const files = [{ analysis, requests: [chosen], skipped: plan.skipped }]
  const read = readInRun(files)
  const uses = usesOfRun(files, read).get(chosen) ?? []
  return {
    project,
    method,
    network,
    entry,
    uses,
    read,
    params: bound.params,
    abi: named,
    budget: settings.budget,
    config,
  }
})

const openOne = Effect.fnUntraced(function* (
  flags: QueryFlags,
): Effect.fn.Return<AnalysedDocument, CommandFailed, Host> {
  const host = yield* Host
  const now = yield* Clock.currentTimeMillis
  const { documents, problems, withoutRequests } = yield* Effect.promise((signal) =>
    openDocuments(host, [flags.query], {
      signal,
      config: Option.getOrUndefined(flags.config),
      environment: Option.getOrUndefined(flags.env),
      network: Option.getOrUndefined(flags.network),
      variables: flags.vars,
      judge: judgeOf(host, flags.trust),
      now,
    }),
  )
  if (problems.length > 0) return yield* usage(...problems)
  const [document, ...others] = documents
  if (document === undefined || others.length > 0 || withoutRequests.length > 0)
    return yield* usage(`${flags.query} stands for ${documents.length} files: name one that has a request`)
  const untrusted = needsTrust([document.project])
  return untrusted === undefined ? document : yield* untrusted
})

const choose = Effect.fnUntraced(function* (
  { analysis, file, text }: AnalysedDocument,
  name: string | undefined,
): Effect.fn.Return<BoundRequest, CommandFailed, Output> {
  const requests = ownRequests(analysis)
  const able = requests.filter(({ method }) => method?.range !== undefined)
  const labels = (able.length === 0 ? requests : able).map(({ label }) => `"${label}"`).join(", ")
  const found = name === undefined ? requests : requests.filter(({ label }) => label === name)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  const wrong = errorsIn(analysis.diagnostics)
  if (requests.length === 0) return yield* wrong.length > 0 ? said(file, text, wrong) : usage(`${file} has no request`)
  if (name === undefined) return yield* usage(`${file} has ${found.length} requests: add --name with one of ${labels}`)
  return yield* usage(
    only === undefined
      ? `${file} has no request "${name}"; expected one of ${labels}`
      : `${file} has ${found.length} requests "${name}": give one of them another name`,
  )
})

const ownRequests = ({ requests }: Analysis): ReadonlyArray<BoundRequest> =>
  requests.filter(({ origin }) => origin === undefined)

const errorsIn = (diagnostics: ReadonlyArray<Diagnostic>) => diagnostics.filter(({ severity }) => severity === "error")

const said = (file: string, text: string, diagnostics: ReadonlyArray<Diagnostic>) =>
  Effect.gen(function* () {
    writeDiagnostics((yield* Output).stderr, file, text, diagnostics)
    return yield* new CommandFailed({ lines: [], exitCode: ExitCode.invalid })
  })

const placeOf = ({ file, text }: AnalysedDocument, { start }: { readonly start: number }): string => {
  const { character, line } = positionAt(lineIndex(text), start)
  return `${file}:${line + 1}:${character + 1}`
}
