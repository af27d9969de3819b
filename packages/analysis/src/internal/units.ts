/** The token that `# @units` names, and what reading its units may cost. */
import type { Diagnostic, DirectiveNode } from "@dotrpc/lang"
import { type Method, type Plugin, Price, type UnitsReader } from "@dotrpc/spec"
import type { BoundRequest } from "../Analysis.ts"
import type { Scope } from "../Evaluate.ts"
import type { Mention, View } from "../Names.ts"
import { problem, warning } from "../Problem.ts"

export interface UnitsInForce {
  readonly units?: BoundRequest["units"] | undefined
  readonly diagnostics: ReadonlyArray<Diagnostic>
}

const none: UnitsInForce = { diagnostics: [] }

/** An address, or a variable with one: `{{token}}` or `token`. It is read before anything runs, as its price is. */
export const unitsInForce = (
  directive: DirectiveNode | undefined,
  isOwn: boolean,
  plugin: Plugin | undefined,
  scope: () => Scope,
): UnitsInForce => {
  if (directive === undefined || plugin === undefined) return none
  const { value } = directive
  const reader = plugin.units
  if (reader === undefined) {
    // In the prelude it applies only to sections that have amounts.
    return isOwn
      ? {
          diagnostics: [
            warning("A314", value, `@units has no effect here: results of ${plugin.id} have no amounts of tokens`),
          ],
        }
      : none
  }
  const found = tokenIn(value.text, reader, scope)
  return found === undefined
    ? {
        diagnostics: [
          problem(
            "A313",
            value,
            `@units needs the address of a token, or a variable with one that is known before the run, such as @units ${reader.example}`,
          ),
        ],
      }
    : { units: { token: found, reader }, diagnostics: [] }
}

/** The name in an `# @units`. */
export const mentionsOfUnits = (directive: DirectiveNode | undefined, view: View): ReadonlyArray<Mention> => {
  const name = directive === undefined ? undefined : nameIn(directive.value.text)
  return name === undefined || directive === undefined
    ? []
    : [{ node: { kind: "Name", name, start: directive.value.start, end: directive.value.end }, view }]
}

const nameIn = (text: string): string | undefined => {
  const [, braced, bare] = /^(?:\{\{\s*([A-Za-z_]\w*)\s*\}\}|([A-Za-z_]\w*))$/.exec(text) ?? []
  return braced ?? bare
}

const tokenIn = (text: string, reader: UnitsReader, scope: () => Scope): string | undefined => {
  const token = reader.token(text)
  if (token !== undefined) return token
  const name = nameIn(text)
  if (name === undefined) return undefined
  const evaluated = scope().name(name, { start: 0, end: 0 })
  // A secret is not an address, and is not shown in a message either.
  return evaluated._tag === "Value" && !evaluated.secret && typeof evaluated.value === "string"
    ? reader.token(evaluated.value)
    : undefined
}

/** Adds the price of reading the units to the upper end; they cost nothing when an earlier run has read them. */
export const withUnitsPrice = (
  price: Price.PriceRange,
  units: BoundRequest["units"],
  priceOf: (method: Method) => Price.PriceRange,
): Price.PriceRange => {
  if (units === undefined || price.max === undefined) return price
  const calls = units.reader.calls(units.token).map(({ method }) => priceOf(method))
  const sum = calls.reduce(Price.addRanges, price)
  return { ...sum, min: price.min }
}
