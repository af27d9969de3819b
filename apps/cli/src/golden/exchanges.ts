/**
 * Golden files as documents: `>>` is a request, `<<` its expected reply, `//` a comment, as in Ethereum's conformance
 * tests and in the tests of plugins.
 *
 * A reply is compared as those tests do: a result member by member and digit for digit, an error without its message. After
 * `// speconly` the results up to the next comment or empty line only have to fit the schemas of their methods. Requests are sent as
 * written: some of them test wrong params.
 *
 * Limits: what follows a line `--` is a script, which is never run. Lines keep their numbers, except after a request that
 * is directly below a reply.
 */
import type { Workspace } from "@dotrpc/analysis"
import { type Method, type Plugin, type PluginFunction, Json, Table, uncheckedMethod } from "@dotrpc/spec"

export interface GoldenDocument {
  /** As text of a `.rpc` file. */
  readonly text: string
  readonly workspace: Workspace
}

export interface GoldenProblem {
  /** From 1. */
  readonly line: number
  readonly message: string
}

export const goldenDocument = (text: string, workspace: Workspace): GoldenDocument | GoldenProblem => {
  const written: Array<string> = []
  const replies: Record<string, Json.Json> = {}
  const names = new Set<string>()
  /** The method of the request that waits for its reply. */
  let waiting: string | undefined
  let isSpecOnly = false
  /** Whether a `###` stands above, with no request below it yet. */
  let hasTitle = false
  const lines = text.split(/\r\n|\n|\r/)
  const end = lines.indexOf("--")
  for (const [index, line] of (end === -1 ? lines : lines.slice(0, end)).entries()) {
    const [mark, rest] = [line.slice(0, 2), line.slice(2).trim()]
    if (waiting !== undefined && mark !== "<<") waiting = undefined
    if (mark === ">>") {
      const request = readJson(rest)
      if (!Json.isObject(request) || typeof request.method !== "string" || !/^[A-Za-z_]\w*$/.test(request.method))
        return { line: index + 1, message: "expected a JSON-RPC request with a method after >>" }
      const { method, params } = request
      if (!hasTitle) {
        // An empty line above becomes the title; without one, a line is added.
        if (written.at(-1) === "") written.pop()
        written.push(`### ${method}`)
      }
      written.push(params === undefined ? method : `${method} ${Json.stringify(params).replaceAll("{{", "{\\u007b")}`)
      names.add(method)
      waiting = method
      hasTitle = false
    } else if (mark === "<<") {
      const reply = readJson(rest)
      if (waiting === undefined || !Json.isObject(reply))
        return { line: index + 1, message: "expected a JSON-RPC reply after <<, directly below its request" }
      const name = `reply_${index + 1}`
      replies[name] = reply.error ?? reply.result ?? null
      written.push(checkOf(reply, name, isSpecOnly ? waiting : undefined))
      waiting = undefined
    } else if (mark === "//") {
      if (written.at(-1)?.startsWith("??") === true) isSpecOnly = false
      const [, network] = /^network:\s*([\w.-]+)$/.exec(rest) ?? []
      const isFirst = !hasTitle && (index === 0 || written.at(-1) === "" || written.at(-1)?.startsWith("??") === true)
      if (/^speconly\b/i.test(rest)) isSpecOnly = true
      if (network !== undefined) written.push(`# @network ${network}`)
      else if (isFirst && leadsToRequest(lines, index)) {
        written.push(`### ${rest}`)
        hasTitle = true
      } else written.push(rest.startsWith("@") ? `# - ${rest}` : `# ${rest}`)
    } else if (line.trim() === "") {
      written.push("")
      isSpecOnly = false
    } else return { line: index + 1, message: "expected a line that begins with //, >> or <<" }
  }
  return { text: `${written.join("\n")}\n`, workspace: asWritten(workspace, names, replies) }
}

/** Whether only comments stand between a comment and the next request. */
const leadsToRequest = (lines: ReadonlyArray<string>, index: number): boolean =>
  lines
    .slice(index)
    .find((line) => !line.startsWith("//"))
    ?.startsWith(">>") === true

const checkOf = ({ error }: Json.JsonObject, name: string, specOnly: string | undefined): string => {
  if (specOnly !== undefined) return error === undefined ? `?? misfit(result, "${specOnly}") == null` : "?? error"
  return `?? difference(${error === undefined ? "result" : "error"}, ${name}) == null`
}

const readJson = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch (error) {
    if (error instanceof Json.JsonSyntaxError) return undefined
    throw error
  }
}

/** The workspace with methods that check nothing and have the same prices, and with the functions that compare replies. */
const asWritten = (
  workspace: Workspace,
  names: ReadonlySet<string>,
  replies: Readonly<Record<string, Json.Json>>,
): Workspace => {
  const known = workspace.plugins.flatMap(({ methods }) => methods)
  const missing = [...names].filter((name) => known.every((method) => method.name !== name))
  return {
    ...workspace,
    variables: { ...workspace.variables, ...replies },
    plugins: workspace.plugins.map((plugin, index): Plugin => {
      const isFirst = workspace.networks[0]?.network.plugin === plugin.id
      return {
        ...plugin,
        methods: [
          ...plugin.methods.map(unchecked),
          ...(isFirst ? missing.map((name) => uncheckedMethod(plugin.id, name)) : []),
        ],
        functions: index === 0 ? [...plugin.functions, difference, misfitOf(known)] : plugin.functions,
      }
    }),
  }
}

const unchecked = (method: Method): Method => ({
  ...method,
  issues: () => [],
  warnings: undefined,
  prepare: (params) => ({ params }),
  resultIssue: () => undefined,
  findingResultIssue: undefined,
  pages: undefined,
  range: undefined,
  permanence: undefined,
  render: (result, limit, context) =>
    method.resultIssue(result) === undefined ? method.render(result, limit, context) : Table.tableOf(result, limit),
})

const difference: PluginFunction = {
  name: "difference",
  signature: "difference(found, expected)",
  docs: "The first difference of two JSON values, `null` when there is none. Messages of errors are not compared.",
  call: ([found = null, expected = null]) => ({
    value: differenceOf(withoutWords(found), withoutWords(expected)) ?? null,
  }),
}

const misfitOf = (methods: ReadonlyArray<Method>): PluginFunction => ({
  name: "misfit",
  signature: "misfit(result, method)",
  docs: "What does not fit the schema of a method's results, `null` when everything does.",
  call: ([result = null, name]) => {
    const issue = methods.find((method) => method.name === name)?.resultIssue(result)
    return { value: issue === undefined ? null : `${issue.path.join(".")}: ${issue.message}` }
  },
})

/** An error as it is compared: its code and its data. */
const withoutWords = (value: Json.Json): Json.Json =>
  Json.isObject(value) && value.code !== undefined && typeof value.message === "string"
    ? { code: value.code, ...(value.data === undefined || value.data === null ? {} : { data: value.data }) }
    : value

/** Where two values differ first, in words; the order of members does not matter, the digits of numbers do. */
export const differenceOf = (found: Json.Json, expected: Json.Json, at = ""): string | undefined => {
  if (Json.isArray(found) && Json.isArray(expected)) {
    if (found.length !== expected.length) return `${at || "it"} has ${found.length} items, not ${expected.length}`
    return firstOf(expected.map((item, index) => () => differenceOf(found[index] ?? null, item, `${at}[${index}]`)))
  }
  if (Json.isObject(found) && Json.isObject(expected)) {
    const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
    return firstOf(
      names.map((name) => () => {
        const [is, wanted] = [memberOf(found, name), memberOf(expected, name)]
        const place = at === "" ? name : `${at}.${name}`
        if (wanted === undefined) return `${place} is not expected`
        return is === undefined ? `${place} is missing` : differenceOf(is, wanted, place)
      }),
    )
  }
  const [is, wanted] = [Json.stringify(found), Json.stringify(expected)]
  return is === wanted ? undefined : `${at || "it"} is ${shortened(is)}, not ${shortened(wanted)}`
}

const memberOf = (object: Json.JsonObject, name: string): Json.Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const firstOf = (looks: ReadonlyArray<() => string | undefined>): string | undefined => {
  for (const look of looks) {
    const found = look()
    if (found !== undefined) return found
  }
  return undefined
}

const shortened = (text: string): string => Table.shorten(text, 60, 20)
