/** Which rule of a price sheet a method falls under, and how many times its price a chain costs. */
import type { Network } from "../Network.ts"
import type { ChainRule, PriceRule, PriceSheet } from "./sheetShape.ts"

/** The rule that names the method, else the longest beginning of its name, else the rule for every other. */
export const ruleFor = (sheet: PriceSheet, name: string): PriceRule => {
  const { exact, other, prefixes } = indexOf(sheet)
  const found = exact.get(name) ?? prefixes.find(([prefix]) => name.startsWith(prefix))?.[1] ?? other
  if (found === undefined) throw new RangeError(`The price sheet "${sheet.id}" has no rule with the method "*".`)
  return found
}

/** Whether a rule names the method itself, which a provider without it would hardly do. */
export const namesMethod = (sheet: PriceSheet, name: string): boolean => indexOf(sheet).exact.has(name)

interface Index {
  readonly exact: ReadonlyMap<string, PriceRule>
  /** Longest first. */
  readonly prefixes: ReadonlyArray<readonly [prefix: string, rule: PriceRule]>
  readonly other: PriceRule | undefined
}

/** A sheet is a value that does not change, so one index serves every call. */
const indexOf = (sheet: PriceSheet): Index => {
  const known = indexes.get(sheet)
  if (known !== undefined) return known
  const patterns = sheet.rules.flatMap((rule) => rule.methods.map((pattern) => [pattern, rule] as const))
  const index: Index = {
    exact: new Map(patterns.filter(([pattern]) => !pattern.endsWith("*"))),
    prefixes: patterns
      .filter(([pattern]) => pattern.endsWith("*") && pattern !== "*")
      .map(([pattern, rule]) => [pattern.slice(0, -1), rule] as const)
      .toSorted(([left], [right]) => right.length - left.length),
    other: patterns.find(([pattern]) => pattern === "*")?.[1],
  }
  indexes.set(sheet, index)
  return index
}

const indexes = new WeakMap<PriceSheet, Index>()

type Times = Pick<ChainRule, "assumed" | "times">

/** What a chain that the sheet does not name costs is not known: as much as any that it names. */
export const chainTimes = (
  { chains = [] }: PriceSheet,
  { chainId, plugin }: Pick<Network, "chainId" | "plugin">,
): Times => {
  if (chains.length === 0) return { times: 1 }
  const name = chainId === undefined ? plugin : `eip155:${chainId}`
  const named = chains.find((rule) => rule.chains.includes(name)) ?? chains.find((rule) => rule.chains.includes("*"))
  return named ?? { times: Math.max(...chains.map(({ times }) => times)), assumed: true }
}
