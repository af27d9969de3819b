/**
 * A project in a script: the client of its `rpc.config.json`, and the requests of its files. The script has decided to trust the project, so its
 * own plugins are imported, and its keys are sent where it says.
 */
import type { CreditLedger } from "@dotrpc/core"
import { EmbeddedGateway } from "@dotrpc/gateway"
import { makePlan, type RequestReport, run, type RunOptions, type Selection, selectionProblems } from "@dotrpc/runner"
import { makeSession, wholeText } from "@dotrpc/session"
import type { RpcClient } from "@dotrpc/spec"
import { Effect, Layer, Stream } from "effect"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { WebSocket } from "ws"
import { runtimeLayer } from "../Runtime.ts"
import { diskHost } from "./DiskHost.ts"
import { readTextFileAtHome } from "./FileWithin.ts"
import { ledgerLayer, type LedgerProblem } from "./LedgerOf.ts"
import { openProject, type Project, type ProjectChoices, ProjectError } from "./Project.ts"
import { processSurroundings } from "./Surroundings.ts"

export { LedgerProblem } from "./LedgerOf.ts"
export { type ProjectChoices, ProjectError } from "./Project.ts"

type Live = Layer.Layer<RpcClient | CreditLedger.CreditLedger, LedgerProblem>

const layerOf = (project: Project): Live =>
  runtimeLayer(project, ledgerLayer(project, { surroundings: processSurroundings(), by: "a script" }), {
    embedded: Layer.orDie(EmbeddedGateway.layer()),
    // Node has a WebSocket of its own from version 22 on only.
    webSocket: WebSocket,
  })

/**
 * The client of the project of a folder, with its networks, limits and balance. The layer fails with a `ProjectError` that lists everything that
 * is wrong, or a `LedgerProblem`.
 *
 * @example
 * ```ts
 * const height = await Effect.runPromise(Effect.provide(Evm.blockNumber(), projectLayer(import.meta.dirname)))
 * ```
 */
export const projectLayer = (
  folder: string,
  choices: ProjectChoices = {},
): Layer.Layer<RpcClient | CreditLedger.CreditLedger, LedgerProblem | ProjectError> =>
  Layer.unwrap(
    Effect.map(
      Effect.tryPromise({
        try: () => openProject(resolve(folder), choices),
        catch: (error) => {
          if (error instanceof ProjectError) return error
          throw error
        },
      }),
      layerOf,
    ),
  )

/** What is run of a file, in which environment, and how. */
export interface FileChoices
  extends ProjectChoices, Pick<Selection, "names" | "tags">, Pick<RunOptions, "parallel" | "allowance"> {}

/**
 * Runs the requests of a file and those that they need, and resolves with a report of each, in the order of the file. A request that cannot be
 * sent, or fails, has an `error` in its report. Rejects with a `ProjectError`, with a `LedgerProblem`, and where the file cannot be read or has no such request.
 *
 * @example
 * ```ts
 * for (const { request, result } of await runFile("balances.rpc", { environment: "prod" })) console.log(request.label, result)
 * ```
 */
export const runFile = async (path: string, choices: FileChoices = {}): Promise<ReadonlyArray<RequestReport>> => {
  const { allowance, names, parallel, tags, ...chosen } = choices
  const file = resolve(path)
  const text = await readTextFileAtHome(file)
  if (typeof text !== "string") throw new Error(`${path} ${text?.problem ?? "cannot be read: there is no such file"}`)
  const project = await openProject(dirname(file), chosen)
  const uri = pathToFileURL(file).href
  const session = makeSession(
    { loaded: () => Promise.resolve(project) },
    diskHost({ surroundings: processSurroundings(), now: Date.now }),
    wholeText,
  )
  session.change(uri, text)
  const opened = await session.loaded(uri)
  if (opened === undefined) return []
  const selection = { names, tags }
  const unmatched = selectionProblems([opened.analysis], selection)
  if (unmatched.length > 0) throw new Error(unmatched.join("\n"))
  const plan = makePlan(opened.analysis, selection)
  const events = await Effect.runPromise(
    Stream.runCollect(run(plan, { allowance, file: path, parallel })).pipe(Effect.provide(layerOf(project))),
  )
  return Array.from(events)
    .flatMap((event) => (event._tag === "RequestFinished" ? [event.report] : []))
    .toSorted((left, right) => left.request.index - right.request.index)
}
