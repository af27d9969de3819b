/** Reads a price sheet: its shape, and what no schema sees. */
import * as Schema from "effect/Schema"
import type { Json } from "../Json.ts"
import { type ParamIssue, strictChecker } from "../Params.ts"
import { outcomes } from "./outcome.ts"
import type { PriceRule, PriceSheet } from "./sheetShape.ts"

/** The sheet that a value is; otherwise everything that keeps it from being one, each with its place. */
export const readSheet = (
  value: Json,
): { readonly sheet: PriceSheet } | { readonly issues: ReadonlyArray<ParamIssue> } => {
  const found = shapeIssues(value)
  // The rest can only be asked of what has the shape.
  if (found.length > 0 || !isShaped(value)) return { issues: found }
  const issues = meaningIssues(value)
  return issues.length > 0 ? { issues } : { sheet: value }
}

const Words = Schema.String.check(
  Schema.makeFilter((value: string) => value.trim() !== "" && value.length <= 500, {
    expected: "a string of 1 to 500 characters",
    toJsonSchema: () => ({ minLength: 1, maxLength: 500 }),
  }),
)
const Amount = Schema.Finite.check(
  Schema.makeFilter((value: number) => value >= 0 && value <= 1e12, {
    expected: "a number from 0 to 1000000000000",
    toJsonSchema: () => ({ minimum: 0, maximum: 1e12 }),
  }),
)
const whole = (least: number, most: number) =>
  Schema.Finite.check(
    Schema.makeFilter((value: number) => Number.isInteger(value) && value >= least && value <= most, {
      expected: `a whole number from ${least} to ${most}`,
      toJsonSchema: () => ({ type: "integer", minimum: least, maximum: most }),
    }),
  )
const matching = (pattern: RegExp, expected: string) =>
  Schema.String.check(
    Schema.makeFilter((value: string) => pattern.test(value), {
      expected,
      toJsonSchema: () => ({ pattern: pattern.source }),
    }),
  )
const Source = matching(/^https:\/\/[^\s@]{3,400}$/, 'the URL of a page, such as "https://docs.example/prices"')
const Pattern = matching(
  /^(?=[^*]{0,100}\*?$)[\w./-]*\*?$/,
  'the name of a method, a beginning with a star such as "trace_*", or "*" for every other',
)
const Day = Schema.String.check(
  Schema.makeFilter((value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value) && isDay(value), {
    expected: 'a day such as "2026-08-22"',
    toJsonSchema: () => ({ pattern: "^\\d{4}-\\d{2}-\\d{2}$" }),
  }),
)
const isDay = (text: string): boolean => {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
const Path = Schema.Array(Schema.Union([whole(0, 1_000), Words]))
const Plain = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
const settled = outcomes.filter((name) => name !== "ok" && name !== "unsent")

const member = <S extends Schema.Top>(schema: S, description: string) => schema.annotateKey({ description })
const maybe = <S extends Schema.Top>(schema: S, description: string) => member(Schema.optionalKey(schema), description)

const Rule = Schema.Struct({
  methods: member(
    Schema.Array(Pattern),
    'Names as they are sent; "trace_*" for all that begin so, "*" for every other.',
  ),
  price: member(Amount, "What one call costs."),
  when: maybe(
    Schema.Array(Schema.Struct({ at: Path, is: Plain, price: Amount })),
    "Other prices for some params: the first that fits.",
  ),
  archive: maybe(
    Schema.Struct({ behind: whole(0, 1e12), price: Amount, at: Path }),
    "The price for blocks so far below the head; `at` leads to the block in the params.",
  ),
  bytes: maybe(
    Schema.Struct({ free: whole(0, 1e12), every: whole(1, 1e12), adds: Amount }),
    "What every further part of a long reply costs.",
  ),
  event: maybe(Amount, "What each event of a subscription costs."),
  assumed: maybe(Schema.Boolean, "True when the provider does not publish this price."),
  source: maybe(Source, "The page that says so, when it is not the first source of the sheet."),
})

/** The shape of a sheet, for checking files and for the JSON Schema that editors complete by. */
export const SheetFile = Schema.Struct({
  $schema: maybe(Words, "The path of the schema of this file."),
  id: member(
    matching(/^[a-z][a-z\d-]{0,40}$/, 'a name in lower case such as "alchemy"'),
    'What "prices" and --prices call the sheet.',
  ),
  title: member(Words, "The name of the provider."),
  unit: member(
    Schema.Struct({ one: Words, many: Words, decimals: Schema.optionalKey(whole(0, 6)) }),
    "What is counted, in the singular and the plural; decimals says how many a price may have.",
  ),
  window: member(
    Schema.Union([
      Schema.Struct({ kind: Schema.Literals(["day", "month", "none"]) }),
      Schema.Struct({ kind: Schema.Literal("days"), days: whole(1, 366) }),
    ]),
    "When the balance resets: each day at 00:00 UTC, each calendar month, never, or by covering only the last days.",
  ),
  perSecond: maybe(Amount, "Units per second."),
  checked: maybe(Day, "The day on which the sheet agreed with its sources."),
  sources: member(Schema.Array(Source), "The provider's own pages."),
  note: maybe(Words, "What to know before trusting a number."),
  assumed: maybe(Schema.Boolean, "True when nothing here is published."),
  rules: member(Schema.Array(Rule), "The prices."),
  chains: maybe(
    Schema.Array(
      Schema.Struct({
        chains: Schema.Array(Words),
        times: Amount,
        assumed: Schema.optionalKey(Schema.Boolean),
      }),
    ),
    'How many times the price a chain costs: "eip155:1", the id of a plugin, or "*".',
  ),
  batch: maybe(Amount, "What a batch costs on top of its calls."),
  settle: member(
    Schema.Array(
      Schema.Struct({
        outcome: Schema.optionalKey(Schema.Literals(settled)),
        httpStatus: Schema.optionalKey(whole(100, 599)),
        rpcCode: Schema.optionalKey(whole(-2_147_483_648, 2_147_483_647)),
        charge: Schema.Union([Schema.Literal("price"), Amount]),
      }),
    ),
    "What a failed call costs: the first rule that fits, or the whole price.",
  ),
  plans: maybe(
    Schema.Array(
      Schema.Struct({
        title: Words,
        allowance: Schema.optionalKey(Amount),
        perSecond: Schema.optionalKey(Amount),
        usdPerMillion: Schema.optionalKey(Amount),
      }),
    ),
    "What the provider sells.",
  ),
})

const shapeIssues = strictChecker(SheetFile)
const isShaped = Schema.is(SheetFile)

const meaningIssues = (sheet: PriceSheet): ReadonlyArray<ParamIssue> => [
  ...overlaps(sheet),
  ...(sheet.rules.some(({ methods }) => methods.includes("*"))
    ? []
    : [{ path: ["rules"], message: 'expected one rule with the method "*", for every method that no other names' }]),
  ...tooFine(sheet),
]

/** A method that two rules name has two prices. */
const overlaps = ({ chains = [], rules }: PriceSheet): ReadonlyArray<ParamIssue> => {
  const found: Array<ParamIssue> = []
  for (const [member, names] of [
    ["rules", rules.map(({ methods }) => methods)],
    ["chains", chains.map((rule) => rule.chains)],
  ] as const) {
    const seen = new Map<string, number>()
    for (const [index, own] of names.entries())
      for (const [place, name] of own.entries()) {
        const before = seen.get(name)
        if (before !== undefined)
          found.push({
            path: [member, index, member === "rules" ? "methods" : "chains", place],
            message: `expected each name once: "${name}" is also in ${member}[${before}]; remove it from one of them`,
          })
        seen.set(name, index)
      }
  }
  return found
}

/** Prices with more decimals than the unit has. */
const tooFine = (sheet: PriceSheet): ReadonlyArray<ParamIssue> => {
  const {
    chains = [],
    unit: { decimals = 0 },
  } = sheet
  const scale = 10 ** decimals
  const times = chains.length === 0 ? [1] : chains.map((rule) => rule.times)
  const expected =
    decimals === 0
      ? "a whole number of units"
      : `at most ${decimals} ${decimals === 1 ? "decimal" : "decimals"}, as the unit has`
  const isWhole = (units: number) => Math.abs(units * scale - Math.round(units * scale)) < 1e-6
  const isFine = ({ perChain, price }: PricePlace) =>
    perChain ? times.every((factor) => isWhole(price * factor)) : isWhole(price)
  return pricesIn(sheet)
    .filter((place) => !isFine(place))
    .map(({ path, price }) => ({ path, message: `expected ${expected}, found ${price}` }))
}

interface PricePlace {
  readonly path: ParamIssue["path"]
  readonly price: number
  /** Whether a chain multiplies it. */
  readonly perChain: boolean
}

const pricesIn = ({ batch, rules, settle }: PriceSheet): ReadonlyArray<PricePlace> => [
  ...rules.flatMap((rule, index) =>
    pricesOf(rule).map(({ path, price }) => ({ path: ["rules", index, ...path], price, perChain: true })),
  ),
  ...(batch === undefined ? [] : [{ path: ["batch"], price: batch, perChain: false }]),
  ...settle.flatMap(({ charge }, index) =>
    charge === "price" ? [] : [{ path: ["settle", index, "charge"], price: charge, perChain: false }],
  ),
]

const pricesOf = ({
  archive,
  bytes,
  event,
  price,
  when = [],
}: PriceRule): ReadonlyArray<Omit<PricePlace, "perChain">> => [
  { path: ["price"], price },
  ...when.map((each, index) => ({ path: ["when", index, "price"], price: each.price })),
  ...(archive === undefined ? [] : [{ path: ["archive", "price"], price: archive.price }]),
  ...(bytes === undefined ? [] : [{ path: ["bytes", "adds"], price: bytes.adds }]),
  ...(event === undefined ? [] : [{ path: ["event"], price: event }]),
]
