/** The tools that show, price and run requests: `list`, `price`, `run` and `call`. */
import { type BoundRequest, showRequestPrice, unknownName } from "@dotrpc/analysis"
import { lineIndex } from "@dotrpc/lang/locate"
import {
  isAnswered,
  makePlan,
  priceWithinBudgets,
  requestJson,
  type RequestReport,
  run,
  type RunPlan,
  type Snapshots,
} from "@dotrpc/runner"
import { Json, type Network, Price } from "@dotrpc/spec"
import { Effect, Stream } from "effect"
import { written } from "../commands/call.ts"
import { contractCall, isContract } from "../commands/contractCall.ts"
import { usage } from "../commands/scanTarget.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import type { AnalysedDocument } from "../Documents.ts"
import { snapshotFileOf } from "../SnapshotFile.ts"
import { userUnits } from "../UserData.ts"
import type { Agent } from "./Agent.ts"
import type { Answer } from "./Answer.ts"

/** An answer, what it spent, and where. */
export interface Done {
  readonly answer: Answer
  readonly spent: number
  readonly network?: Network | undefined
}

/** An answer that called nothing. */
export const free = (answer: Answer, network?: Network): Done => ({ answer, spent: 0, network })

export const list = Effect.fnUntraced(function* (agent: Agent) {
  const { documents, problems } = yield* agent.open
  const rows = documents.flatMap(({ analysis, file }) =>
    analysis.requests.map((request) => {
      const { estimate } = makePlan(analysis, { indexes: [request.index], writes: true })
      return { file, ...priced(request, Price.show(estimate)) }
    }),
  )
  return free({
    body: problems.length === 0 ? {} : { problems },
    result: { value: rows, rows },
  })
})

export const price = Effect.fnUntraced(function* (
  agent: Agent,
  asked: { readonly file?: string | undefined; readonly name: string },
) {
  const { plan } = yield* planOf(agent, asked)
  const rows = agent.allowed(plan).requests.map((request) => priced(request, showRequestPrice(request)))
  const { assumed, max, min, unit } = priceWithinBudgets(plan)
  const body = { price: { min, max: max ?? null, unit: unit?.many ?? "credits", assumed } }
  return free({ body, result: { value: rows, rows } }, chosenIn(plan, asked.name)?.network)
})

export const runRequest = Effect.fnUntraced(function* (
  agent: Agent,
  asked: { readonly file?: string | undefined; readonly name: string },
) {
  const { document, plan } = yield* planOf(agent, asked)
  const snapshots = snapshotFileOf(document, agent.host, { update: false, isWhole: false })?.snapshots
  const words = `run "${asked.name}" of ${document.file}`
  return yield* runPlan(agent, { plan, words, file: document.file, text: document.text, name: asked.name, snapshots })
})

export interface CallAsked {
  readonly network?: string | undefined
  readonly method: string
  readonly params?: Json.Json | undefined
}

export const call = Effect.fnUntraced(function* (agent: Agent, { method, network, params = [] }: CallAsked) {
  if (!/^[A-Za-z_]\w*$/.test(method) && !isContract(method))
    return yield* usage(`"${method}" is neither the name of a method nor the address of a contract`)
  if (network !== undefined) yield* expectNetwork(agent, network)
  const directives = network === undefined ? [] : [`# @network ${network}`]
  const text = isContract(method)
    ? yield* textOfContract(method, params, directives)
    : textOf(agent, method, params, directives)
  const analysis = yield* agent.analysed(text)
  const plan = makePlan(analysis, { writes: agent.allowWrites })
  const [left] = plan.skipped
  if (left !== undefined) return yield* usage(writesWords(left.request))
  const name = analysis.requests[0]?.label ?? method
  return yield* runPlan(agent, {
    plan,
    words: `call ${method}${network === undefined ? "" : ` on ${network}`}`,
    text,
    name,
  })
})

/** Fails where the network is not one of the server's. */
export const expectNetwork = Effect.fnUntraced(function* ({ project: { workspace } }: Agent, id: string) {
  const ids = workspace.networks.map(({ network }) => network.id)
  if (!ids.includes(id)) return yield* usage(unknownName("network", id, ids))
})

const writesWords = (request: BoundRequest): string =>
  `${request.call.method.text} changes something: dotrpc mcp sends it only where its user has started it with --allow-writes`

/** Params that are an object are the only position of a method that has positions. */
const textOf = ({ project }: Agent, method: string, params: Json.Json, directives: ReadonlyArray<string>): string => {
  const known = project.workspace.plugins.flatMap(({ methods }) => methods).find(({ name }) => name === method)
  const takesNames = known?.positions.length === 0
  const given = Json.isArray(params) || (Json.isObject(params) && takesNames) ? params : [params]
  return ["###", ...directives, `${method} ${written(given)}`, ""].join("\n")
}

const textOfContract = Effect.fnUntraced(function* (
  address: string,
  params: Json.Json,
  directives: ReadonlyArray<string>,
): Effect.fn.Return<string, CommandFailed> {
  const [signature, ...values] = Json.isArray(params) ? params : [params]
  const made = contractCall({ address, signature: typeof signature === "string" ? signature : "", values, directives })
  return typeof made === "string" ? made : yield* usage(made.problem)
})

/** The plan of the request that was named, in the one file that has it. */
const planOf = Effect.fnUntraced(function* (
  agent: Agent,
  { file, name }: { readonly file?: string | undefined; readonly name: string },
): Effect.fn.Return<{ readonly document: AnalysedDocument; readonly plan: RunPlan }, CommandFailed> {
  const { documents, problems } = yield* agent.open
  const files = documents.map((document) => document.file)
  if (file !== undefined && !files.includes(file)) return yield* usage(unknownName("file", file, files), ...problems)
  const within = documents.filter((document) => file === undefined || document.file === file)
  const [document, ...others] = within.filter(({ analysis }) => analysis.requests.some(({ label }) => label === name))
  const labels = within.flatMap(({ analysis }) => analysis.requests.map(({ label }) => label))
  if (document === undefined) return yield* usage(unknownName("request", name, labels))
  if (others.length > 0)
    return yield* usage(`"${name}" is in ${[document, ...others].map((one) => one.file).join(", ")}: add "file"`)
  const plan = makePlan(document.analysis, { names: [name], writes: agent.allowWrites })
  const [left] = plan.skipped
  if (plan.requests.length > 0 || left === undefined) return { document, plan }
  return yield* usage(left.request.method?.writes === true ? writesWords(left.request) : left.message)
})

interface ToRun {
  readonly plan: RunPlan
  readonly file?: string | undefined
  /** What it is, as the user is asked about it. */
  readonly words: string
  readonly text: string
  readonly name: string
  readonly snapshots?: Snapshots | undefined
}

/** Runs a plan within the purse. What was paid for is answered, however the run ended. */
const runPlan = Effect.fnUntraced(function* (agent: Agent, { file, name, plan, snapshots, text, words }: ToRun) {
  const allowed = agent.allowed(plan)
  const network = chosenIn(plan, name)?.network
  const allowance = yield* agent.purse.open({ words, price: priceWithinBudgets(allowed), network })
  const reports: Array<RequestReport> = []
  const options = {
    allowance,
    file,
    snapshots,
    units: userUnits(agent.host),
    onStopped: (report: RequestReport) => reports.push(report),
  }
  yield* Stream.runForEach(run(allowed, options), (event) =>
    Effect.sync(() => void (event._tag === "RequestFinished" && reports.push(event.report))),
  ).pipe(
    agent.inRuntime,
    Effect.onInterrupt(() => Effect.sync(() => reports.forEach((report) => keepOf(agent, report)))),
  )
  return { answer: answerOf(reports, name, text), spent: allowance.spent, network }
})

const keepOf = (agent: Agent, report: RequestReport): void => {
  const value = resultOf(report)
  if (value !== undefined) agent.results.keep(inRows(value).rows)
}

const answerOf = (reports: ReadonlyArray<RequestReport>, name: string, text: string): Answer => {
  const lines = lineIndex(text)
  const main = reports.find(({ request }) => request.label === name) ?? reports.at(-1)
  if (main === undefined) return { body: { error: "nothing ran" }, isError: true }
  const value = resultOf(main)
  const whole = requestJson(main, lines)
  const left = Json.isObject(whole) ? Object.entries(whole).filter(([member]) => !isElsewhere.has(member)) : []
  const others = reports
    .filter((report) => report !== main)
    .map((report) => ({ ...named(report.request), status: report.status, credits: report.credits }))
  return {
    body: { ...Object.fromEntries(left), ...(others.length === 0 ? {} : { others }) },
    result: value === undefined ? undefined : inRows(value),
    isError: !isAnswered(main),
  }
}

/** Members of a report that the rest of an answer has. */
const isElsewhere: ReadonlySet<string> = new Set(["credits", "decoded", "partial", "result", "rows", "unit"])

/** With what its bytes say, where that is known; of a request that did not come to its end, what was paid for. */
const resultOf = ({ decoded, partial, result = partial?.result, rows }: RequestReport): Json.Json | undefined => {
  if (rows !== undefined)
    return rows.map(({ result: of, row, status }) => ({ row: row.value, status, result: of ?? null }))
  if (result === undefined || decoded === undefined) return result
  if (Json.isArray(result) && Json.isArray(decoded) && result.length === decoded.length)
    return result.map((item, index) => ({ item, decoded: decoded[index] ?? null }))
  return { value: result, decoded }
}

/** The items of a list, or of an object with one list in it and little else; otherwise the value alone. */
const inRows = (value: Json.Json): NonNullable<Answer["result"]> => {
  if (Json.isArray(value)) return { value, rows: value }
  const members = Json.isObject(value) ? Object.entries(value) : []
  const [list, ...more] = members.flatMap(([, member]) => (Json.isArray(member) ? [member] : []))
  const around = Object.fromEntries(members.filter(([, member]) => member !== list))
  const isLittle = Json.stringifyStart(around, mostAround).length < mostAround
  return list !== undefined && more.length === 0 && isLittle ? { value, rows: list, around } : { value, rows: [value] }
}

/** In characters. */
const mostAround = 500

const chosenIn = ({ requests }: RunPlan, name: string): BoundRequest | undefined =>
  requests.find(({ label }) => label === name) ?? requests.at(-1)

const priced = (request: BoundRequest, price: string): Json.JsonObject => {
  const error = request.errors[0]?.message
  return { ...named(request), price, ...(error === undefined ? {} : { error }) }
}

const named = (request: BoundRequest): Json.JsonObject => ({
  name: request.label,
  method: request.method?.name ?? request.call.method.text,
  network: request.network?.id ?? null,
})
