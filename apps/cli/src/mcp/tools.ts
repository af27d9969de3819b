/** The tools of an agent: what each is for, what it takes, and what it does. */
import { balancesIn, creditsJson } from "../commands/credits.ts"
import { explained } from "../commands/explain.ts"
import { ledgerFailure } from "../commands/ledgerProject.ts"
import { usage } from "../commands/scanTarget.ts"
import type { CommandFailed } from "../CommandFailed.ts"
import { listedMethods } from "../MethodList.ts"
import { colorsFor } from "../render/colors.ts"
import type { CreditBudget } from "@dotrpc/core"
import { Json, type Network } from "@dotrpc/spec"
import { internalErrorWords } from "@dotrpc/runner"
import { Context, Effect, Layer, Schema } from "effect"
import { type CallToolResult, Tool } from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import type { Agent } from "./Agent.ts"
import type { Purse } from "./Purse.ts"
import { call, type CallAsked, type Done, free, list, price, runRequest } from "./requests.ts"
import { scan, scanPlan } from "./scans.ts"

/** A tool, and what answers it. */
interface AgentTool {
  readonly name: string
  readonly description: string
  readonly fields: Arguments
  readonly pays: boolean
  readonly answer: (agent: Agent, given: unknown) => Effect.Effect<Done, CommandFailed>
}

/** Schemas by the names of arguments. */
type Arguments = Readonly<Record<string, Schema.Constraint & { readonly DecodingServices: never }>>

const define = <const Fields extends Arguments>(
  name: string,
  description: string,
  fields: Fields,
  answer: (agent: Agent, args: Schema.Struct<Fields>["Type"]) => Effect.Effect<Done, CommandFailed>,
  pays = false,
): AgentTool => {
  const decode = Schema.decodeUnknownEffect(Schema.Struct(fields), { onExcessProperty: "error" })
  const takes = Object.keys(fields).join(", ")
  return {
    name,
    description,
    fields,
    pays,
    answer: (agent, given) =>
      decode(given ?? {}).pipe(
        Effect.mapError(({ message }) =>
          usage(
            `the arguments of ${name} are wrong: ${message.replaceAll(/\s+/g, " ")}; it takes ${takes === "" ? "none" : takes}`,
          ),
        ),
        Effect.flatMap((args) => answer(agent, args)),
      ),
  }
}

const text = (description: string) => Schema.String.annotate({ description })
const optionalText = (description: string) => Schema.optionalKey(text(description))

const request = { file: optionalText("as list names it"), name: text("of the request") }
const query = {
  network: optionalText("id; without it, the first that answers the method"),
  method: Schema.String,
  params: Schema.optionalKey(Schema.Unknown),
}

/** Clients refuse or warn about what accepts anything, an array that says nothing about its items, and several types in one place. */
const values = ["string", "number", "boolean", "null", "object"].map((type) => ({ type }))
const paramsSchema = {
  description: "array, object, or JSON text, which keeps all digits",
  anyOf: [
    { type: "array", items: { anyOf: [...values, { type: "array", items: { anyOf: values } }] } },
    { type: "object" },
    { type: "string" },
  ],
}

/** Tools in the order in which an agent needs them. */
const tools: ReadonlyArray<AgentTool> = [
  define("list", "The saved requests of the project's files, with their prices. Free.", {}, list),
  define("price", "What a saved request would cost with all that it needs. Sends nothing. Free.", request, price),
  define(
    "run",
    "Runs a saved request and all that it needs, with its checks. Costs credits.",
    request,
    runRequest,
    true,
  ),
  define(
    "call",
    'Sends one call. Of a contract, method is its address and params are ["balanceOf(address)(uint256)", "0x…"]. Costs credits.',
    query,
    (agent, args) => Effect.flatMap(asked(args), (given) => call(agent, given)),
    true,
  ),
  define(
    "scan_plan",
    "What reading a whole range of blocks is likely to cost, by calls and credits from p10 to p90. Sends nothing. Free.",
    query,
    (agent, args) => Effect.flatMap(asked(args), (given) => scanPlan(agent, given)),
  ),
  define(
    "scan",
    "Reads a range of blocks of any length, such as of eth_getLogs, in as few calls as possible. Costs credits: use scan_plan first.",
    query,
    (agent, args) => Effect.flatMap(asked(args), (given) => scan(agent, given)),
    true,
  ),
  define(
    "rows",
    "More of a result that was cut: handle and next are in its answer. Free.",
    {
      handle: Schema.String,
      offset: Schema.optionalKey(Schema.Int.annotate({ description: "next of the page before" })),
    },
    ({ results }, { handle, offset = 0 }) => {
      const problem = offset < 0 ? `expected an offset of 0 or more, got ${offset}` : results.problemOf(handle, offset)
      return problem === undefined
        ? Effect.succeed(free({ body: {}, page: { handle, offset } }))
        : Effect.fail(usage(problem))
    },
  ),
  define("credits", "What is left, what was spent on, and which results are kept. Free.", {}, (agent) =>
    Effect.map(
      Effect.mapError(balancesIn(agent.ledger, agent.project.workspace, undefined), ledgerFailure),
      ({ accounts, balance }) =>
        free({ body: { limits: agent.limits, balance: creditsJson(balance, accounts), kept: agent.results.kept() } }),
    ),
  ),
  define(
    "explain",
    "What a code of a problem, the reason of a failed call, or a directive means. Free.",
    { code: optionalText("A105, SplitRequired, @units; without it, the list") },
    (_, { code }) =>
      Effect.map(explained(code, page), (words) => {
        const lines = words.trimEnd().split("\n")
        return free({ body: {}, result: { value: lines, rows: lines } })
      }),
  ),
  define(
    "methods",
    "The methods that the networks of this server answer, with prices. Free.",
    { word: optionalText("a part of the name or of what it does") },
    (agent, { word = "" }) => Effect.succeed(methodsOf(agent, word)),
  ),
]

const page = { columns: 100, colors: colorsFor({ isTTY: false }, { NO_COLOR: "1" }) }

const asked = ({
  params,
  ...given
}: {
  readonly network?: string | undefined
  readonly method: string
  readonly params?: unknown
}) =>
  Effect.try({
    try: (): CallAsked => ({
      ...given,
      params: params === undefined ? [] : Json.parse(typeof params === "string" ? params : JSON.stringify(params)),
    }),
    catch: (error) => usage(`the params are not JSON: ${error instanceof Error ? error.message : String(error)}`),
  })

const methodsOf = ({ project: { workspace } }: Agent, word: string): Done => {
  const rows = listedMethods(workspace, word).map(({ method, networks, prices }): Json.JsonObject => {
    const [first = "", second, ...more] = networks
    const on = [first, second ?? [], more.length === 0 ? [] : `… and ${more.length} more`].flat()
    const { name, summary, writes } = method
    return { name, summary, price: prices.join(" or "), networks: on, ...(writes === true ? { writes } : {}) }
  })
  return free({ body: {}, result: { value: rows, rows } })
}

/** Answers a call of a tool, whatever happens in it. */
const answer = Effect.fnUntraced(function* (
  agent: Agent,
  tool: AgentTool,
  given: unknown,
): Effect.fn.Return<CallToolResult> {
  const { secrets } = agent
  // What was paid before a failure counts, wherever that came from.
  const opened: Array<{ readonly paid: CreditBudget.Allowance; readonly network: Network | undefined }> = []
  const open: Purse["open"] = (intent) =>
    Effect.tap(agent.purse.open(intent), (paid) => Effect.sync(() => opened.push({ paid, network: intent.network })))
  const failed = (words: string): Done => ({
    answer: { body: { error: words }, isError: true },
    spent: opened.reduce((sum, { paid }) => sum + paid.spent, 0),
    network: opened[0]?.network,
  })
  const done = yield* tool.answer({ ...agent, purse: { ...agent.purse, open } }, given).pipe(
    Effect.catch((error) => Effect.succeed(failed(error.lines.join(" ")))),
    Effect.catchDefect((defect) => Effect.succeed(failed(internalErrorWords(defect, secrets)))),
  )
  return agent.results.toResult(done.answer, yield* agent.purse.cost(done.spent, done.network))
})

export const toolNames: ReadonlyArray<string> = tools.map(({ name }) => name)

/** Every client reads an object with properties; of a struct without fields, Effect makes anything but `null`. */
const schemaOf = (fields: Arguments): Tool["inputSchema"] => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.Struct(fields), { onExcessProperty: "error" })
  const { properties = {}, required = [] } = schema
  const params = "params" in fields ? { params: paramsSchema } : {}
  return {
    type: "object",
    properties: { ...(properties as object), ...params },
    required: required as ReadonlyArray<string>,
    additionalProperties: false,
  }
}

/** Offers the tools to the clients of the server. */
export const layer = (agent: Agent): Layer.Layer<never, never, McpServer> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* McpServer
      for (const tool of tools)
        yield* server.addTool({
          tool: new Tool({
            name: tool.name,
            description: tool.description,
            inputSchema: schemaOf(tool.fields),
            annotations: {
              readOnlyHint: !tool.pays,
              destructiveHint: tool.pays && agent.allowWrites,
              openWorldHint: tool.pays,
            },
          }),
          annotations: Context.empty(),
          handle: (given: unknown) => answer(agent, tool, given),
        })
    }),
  )
