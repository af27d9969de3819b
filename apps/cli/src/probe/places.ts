/** The places where a file could run, each with its price by the limits of its network. Pure of calls. */
import { type Dollars, priceElsewhere } from "@dotrpc/analysis"
import type { Diagnostic } from "@dotrpc/lang"
import { makePlan, priceWithinBudgets } from "@dotrpc/runner"
import { pluginsOf, type Price, PriceSheet } from "@dotrpc/spec"
import { Clock, Effect, Option, Redacted } from "effect"
import { usage } from "../commands/scanTarget.ts"
import { type AnalysedDocument, openDocuments } from "../Documents.ts"
import { Host } from "../Host.ts"
import { Output } from "../Output.ts"
import { writeDiagnostics } from "../render/diagnostics.ts"
import { judgeOf } from "../Trust.ts"

export interface Place {
  readonly network: string
  /** Absent where the prices are those of the service. */
  readonly sheet: PriceSheet.PriceSheet | undefined
  /** Whether the network is paid by that sheet, and not only compared with it. */
  readonly isConfigured: boolean
  readonly price: Price.PriceRange
  readonly usd: Dollars | undefined
  /** Whether it is built into dotrpc, where nobody is paid. */
  readonly isBuiltIn: boolean
  /** Why it cannot answer all of the file. */
  readonly reason: string | undefined
}

interface Choices {
  readonly env: Option.Option<string>
  readonly config: Option.Option<string>
  readonly trust: boolean
  readonly sheets: ReadonlyArray<PriceSheet.PriceSheet>
}

/** Those of every network whose methods the file has, the cheapest first. */
export const placesOf = Effect.fnUntraced(function* (file: string, choices: Choices) {
  const host = yield* Host
  const { stderr } = yield* Output
  const now = yield* Clock.currentTimeMillis
  const opened = (network?: string) =>
    Effect.promise((signal) =>
      openDocuments(host, [file], {
        signal,
        network,
        environment: Option.getOrUndefined(choices.env),
        config: Option.getOrUndefined(choices.config),
        judge: judgeOf(host, choices.trust),
        // A price needs no secret.
        expectsMore: true,
        now,
      }),
    )
  const first = yield* opened()
  const [document, ...others] = first.documents
  if (document === undefined) return yield* usage(...first.problems, ...noRequests(file, first.problems))
  if (others.length > 0) return yield* usage(`${file} is ${first.documents.length} files: name one of them`)
  const { diagnostics, requests } = document.analysis
  const methods = requests.flatMap(({ method }) => method ?? [])
  const mistakes = diagnostics.filter(
    (each) => each.severity === "error" && (methods.length === 0 || isEverywhere(each)),
  )
  writeDiagnostics(stderr, document.file, document.text, mistakes)
  if (requests.length === 0 || mistakes.length > 0)
    return yield* usage(...first.problems, ...(requests.length === 0 ? noRequests(file, []) : []))
  // A preset that the configuration does not name has no endpoint.
  const able = document.project.workspace.networks
    .filter(({ network }) => network.url !== undefined || network.wsUrl !== undefined || isNamed(document, network.id))
    .filter(({ network }) => methods.some(({ plugin }) => pluginsOf(network).includes(plugin)))
  if (able.length === 0)
    return yield* usage(`no network of the configuration answers a method of ${file}: add one to rpc.config.json`)
  const places = yield* Effect.forEach(able, ({ network }) => Effect.map(opened(network.id), at(network.id, choices)))
  return places.flat().toSorted(byPrice)
})

/** Whether the configuration has it: a URL whose secret is not set is missing. */
const isNamed = ({ project: { config } }: AnalysedDocument, id: string): boolean =>
  Object.hasOwn(config.networks ?? {}, id)

const at =
  (network: string, { sheets }: Choices) =>
  ({ documents: [document], problems }: Awaited<ReturnType<typeof openDocuments>>): ReadonlyArray<Place> => {
    if (document === undefined) return [{ ...nowhere, network, reason: problems[0] ?? "the file cannot be read" }]
    const plan = makePlan(document.analysis)
    const reason = plan.diagnostics.find(({ severity }) => severity === "error")?.message
    const { prices: sheet, url } =
      document.project.workspace.networks.find((each) => each.network.id === network)?.network ?? {}
    const isBuiltIn = sheet === undefined && url !== undefined && Redacted.value(url).startsWith("embedded:")
    const price = { ...priceWithinBudgets(plan), ...(sheet === undefined ? {} : { unit: sheet.unit }) }
    const others = priceElsewhere(
      [plan],
      sheets.filter(({ id }) => id !== sheet?.id),
    )
    return [
      { network, sheet, isConfigured: true, isBuiltIn, price, usd: sheet && dollarsOf(sheet, price), reason },
      ...others.map(({ sheet: other, usd, ...rest }) => ({
        network,
        sheet: other,
        isConfigured: false,
        isBuiltIn,
        price: { ...rest, unit: other.unit },
        usd,
        reason,
      })),
    ]
  }

/** The configured network that can answer all of the file for the least; a built-in one where there is no other. */
export const cheapestOf = (places: ReadonlyArray<Place>): Place | undefined =>
  places.filter(({ isConfigured, reason }) => isConfigured && reason === undefined).toSorted(byPrice)[0]

/**
 * Built-in networks last. In money where both are sold for some; else in their unit where that is the same, or by the share of what their first plans have in a
 * month.
 */
const byPrice = (left: Place, right: Place): number => {
  if ((left.reason === undefined) !== (right.reason === undefined)) return left.reason === undefined ? -1 : 1
  if (left.isBuiltIn !== right.isBuiltIn) return left.isBuiltIn ? 1 : -1
  const inMoney = left.usd === undefined || right.usd === undefined ? undefined : ([left.usd, right.usd] as const)
  const isOneUnit = left.price.unit?.many === right.price.unit?.many
  const [one, other] =
    inMoney ?? (isOneUnit ? undefined : sharesOf(left, right)) ?? ([left.price, right.price] as const)
  return one.min - other.min || mostOf(one) - mostOf(other)
}

const sharesOf = (left: Place, right: Place): readonly [Dollars, Dollars] | undefined => {
  const [one, other] = [monthOf(left), monthOf(right)]
  if (one === undefined || other === undefined) return undefined
  const share = ({ price: { max, min } }: Place, of: number) => ({ min: min / of, max: max && max / of })
  return [share(left, one), share(right, other)]
}

/** What the first plan with an allowance has in thirty days. */
const monthOf = ({ sheet }: Place): number | undefined => {
  const allowance = sheet?.plans?.find((plan) => plan.allowance !== undefined)?.allowance
  if (sheet === undefined || allowance === undefined || sheet.window.kind === "none") return undefined
  const { window } = sheet
  return (allowance * 30) / (window.kind === "day" ? 1 : window.kind === "days" ? window.days : 30)
}

const mostOf = ({ max }: Pick<Price.PriceRange, "max">): number => max ?? Number.MAX_SAFE_INTEGER

const dollarsOf = (sheet: PriceSheet.PriceSheet, { max, min }: Price.PriceRange): Dollars | undefined => {
  const least = PriceSheet.usdOf(sheet, min)
  return least === undefined
    ? undefined
    : { min: least, max: max === undefined ? undefined : PriceSheet.usdOf(sheet, max) }
}

const nowhere = {
  sheet: undefined,
  isConfigured: true,
  isBuiltIn: false,
  price: { min: 0, max: undefined, assumed: false },
  usd: undefined,
} as const

const noRequests = (file: string, problems: ReadonlyArray<string>) =>
  problems.length > 0 ? [] : [`${file} has no requests: expected a .rpc file, or a Markdown file with \`\`\`rpc fences`]

/** A mistake of the language, which no network mends. */
const isEverywhere = ({ code }: Diagnostic): boolean => code.startsWith("L") || code === "A101"
