/** Values as Markdown. */
import type { Evaluated } from "@dotrpc/analysis"
import { Json } from "@dotrpc/spec"
import { codeSpan } from "../internal/markdown.ts"
import { readingsOf } from "../internal/readings.ts"
import { secretText, showEvaluated } from "../internal/show.ts"

/** What an expression stands for; nothing when it is wrong, which its diagnostic says. */
export const evaluatedText = (evaluated: Evaluated): ReadonlyArray<string> => {
  if (evaluated._tag !== "Value") {
    const text = showEvaluated(evaluated)
    return text === undefined ? [] : [text]
  }
  return evaluated.secret ? [secretText] : [valueText(evaluated.value), ...factsOf(evaluated.value)]
}

/** A value over several lines, cut after as many as a hover can show. */
export const valueText = (value: Json.Json): string => {
  const lines = Json.stringify(value, 2).split("\n")
  const shown = lines.slice(0, mostLines).map((line) => (line.length <= longest ? line : `${line.slice(0, longest)}…`))
  return ["```json", ...shown, ...(lines.length > mostLines ? ["…"] : []), "```"].join("\n")
}

/** Other ways to read a number, as a list. */
export const factsOf = (value: Json.Json): ReadonlyArray<string> => {
  const readings = readingsOf(value)
  return readings.length === 0 ? [] : [readings.map(({ as, text }) => `- ${as}: ${codeSpan(text)}`).join("\n")]
}

const mostLines = 24
const longest = 120
