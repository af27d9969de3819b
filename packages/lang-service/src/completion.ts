/** What may be written at the cursor. From memory: nothing is sent, and no secret's value is read. */
import { tokenAt, tokenKind, tokenStart } from "@dotrpc/lang"
import { type LineIndex, offsetAt, type Position, sectionAt } from "@dotrpc/lang/locate"
import * as TokenKind from "@dotrpc/lang/token-kinds"
import type { Completion, Offer } from "./completion/Completion.ts"
import { argumentOffers } from "./completion/arguments.ts"
import { directiveOffers, directiveValueOffers } from "./completion/directives.ts"
import {
  envOffers,
  expressionOffers,
  functionOffers,
  memberOffers,
  nameOffers,
  secretOffers,
} from "./completion/expressions.ts"
import { keyOffers, valueOffers } from "./completion/params.ts"
import { paramsBefore } from "./completion/paramsBefore.ts"
import { methodOffers, paramsOffers } from "./completion/statements.ts"
import { suggestingBy } from "./completion/suggestions.ts"
import type { AnalysedText } from "./AnalysedText.ts"
import { networkFor } from "./internal/network.ts"
import { type CursorPlace, placeAt, statementAt } from "./internal/place.ts"
import { usedValues } from "./internal/usedValues.ts"
import { rangeOf } from "./TextRange.ts"

/**
 * Every offer at a position, the most likely first. What has been typed does not narrow the list: editors do that. `typed` is
 * the character that made an editor ask, if there was one.
 */
export const completion = (
  document: AnalysedText,
  position: Position,
  typed?: string | undefined,
): ReadonlyArray<Completion> => {
  const offset = offsetAt(document.lines, position)
  const place = placeAt(document.analysis.tree, offset)
  return isUnwanted(place, typed)
    ? []
    : offersAt(document, place, offset).map((offer) => finished(document.lines, offer))
}

/** Spaces and brackets occur in many places: they open suggestions only after a directive or a function. */
const isUnwanted = (place: CursorPlace, typed: string | undefined): boolean => {
  if (typed === " ") return place.kind !== "directive-value"
  return typed === "(" && (place.kind !== "expression" || place.argument === undefined)
}

const offersAt = (document: AnalysedText, place: CursorPlace, offset: number): ReadonlyArray<Offer> => {
  const { analysis } = document
  const section = sectionAt(analysis.tree, offset)
  switch (place.kind) {
    case "nothing":
      return []
    case "directive":
      return directiveOffers(document, section, place.replace)
    case "directive-value":
      return directiveValueOffers(document, section, place.directive, place.replace)
    case "statement":
      return methodOffers(analysis, section, place.replace, hasParams(document, offset))
    case "params": {
      const method = methodAt(document, offset)
      return method === undefined ? [] : paramsOffers(method, place.replace)
    }
    case "key": {
      const method = methodAt(document, offset)
      if (method === undefined) return []
      return keyOffers(method, place.path, place.present, place.replace, place.hasColon)
    }
    case "value":
      return valuesAt(document, place, offset)
    case "expression":
      return [
        ...(place.argument === undefined ? [] : argumentOffers(document, place.argument, offset, place.replace, false)),
        ...expressionOffers(document, section, lookedFrom(document, offset), place.replace, place.inCheck),
      ]
    case "argument":
      return argumentOffers(document, place.argument, offset, place.replace, true)
    case "member":
      return memberOffers(document, offset, place.replace)
    case "secret":
      return secretOffers(document, place.replace)
    case "env":
      return envOffers(document, place.replace)
  }
}

/** Values of the schema, then everything that may stand in `{{…}}`. */
const valuesAt = (
  document: AnalysedText,
  place: Extract<CursorPlace, { kind: "value" }>,
  offset: number,
): ReadonlyArray<Offer> => {
  const { analysis } = document
  const section = sectionAt(analysis.tree, offset)
  const { path, quoted, replace } = place
  const method = methodAt(document, offset)
  const inTemplate = [
    ...nameOffers(document, section, lookedFrom(document, offset), replace),
    ...functionOffers(analysis, offset, replace),
    ...secretOffers(document, replace, "$secret."),
  ].map((offer): Offer => asTemplate(offer, quoted))
  if (method === undefined || path === undefined) return inTemplate
  const network = networkFor(analysis, section, method)
  const before = () => paramsBefore((section ?? analysis.tree.prelude).call?.params, path, replace.start)
  const suggested = suggestions(method, path, before)
  return [...valueOffers(method, network, path, suggested, usedValues(analysis.tree), replace, quoted), ...inTemplate]
}

const suggestions = suggestingBy(() => performance.now())

/** Names in the value of a variable are looked up from where the variable begins, also while there is no value yet. */
const lookedFrom = ({ analysis }: AnalysedText, offset: number): number => {
  const statement = statementAt(analysis.tree, offset)
  return statement?.kind === "variable" ? tokenStart(analysis.tree.tokens, statement.first) : offset
}

const asTemplate = (offer: Offer, quoted: boolean): Offer => ({
  ...offer,
  filter: quoted ? `"${offer.label}"` : offer.label,
  insert: `{{${offer.insert}}}`,
  ...(offer.snippet === undefined ? {} : { snippet: `{{${offer.snippet}}}` }),
})

const methodAt = ({ analysis }: AnalysedText, offset: number) => {
  const section = sectionAt(analysis.tree, offset)
  return analysis.requests.find((request) => request.section === section)?.method
}

const hasParams = ({ analysis }: AnalysedText, offset: number): boolean => {
  const { tokens } = analysis.tree
  let index = tokenAt(tokens, Math.max(0, offset - 1))
  if (tokenKind(tokens, index) === TokenKind.Method) index++
  while (tokenKind(tokens, index) === TokenKind.Whitespace || tokenKind(tokens, index) === TokenKind.LineEnd) index++
  const kind = tokenKind(tokens, index)
  return kind === TokenKind.OpenBracket || kind === TokenKind.OpenBrace
}

const finished = (lines: LineIndex, { filter, insert, replace, ...offer }: Offer): Completion => ({
  ...offer,
  filter: filter ?? offer.label,
  change: { range: rangeOf(lines, replace), text: insert },
})
