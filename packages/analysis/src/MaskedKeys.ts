/** A text as it may be shown: keys that are written into it are masked. */
import { parse, type Span } from "@dotrpc/lang"
import { exposedSecrets } from "./internal/exposed.ts"

/** Masks every key of a file of requests, and what stands in `spans`. All that is left keeps its place. */
export const maskKeys = (text: string, spans: ReadonlyArray<Span> = []): string => {
  const hidden = [...keysOf(text), ...spans].toSorted((left, right) => left.start - right.start)
  const pieces: Array<string> = []
  let at = 0
  for (const { start, end } of hidden) {
    if (end <= at) continue
    const from = Math.max(at, start)
    pieces.push(text.slice(at, from), text.slice(from, end).replace(/[^\r\n]/g, "•"))
    at = end
  }
  return pieces.join("") + text.slice(at)
}

/** Those of the text that was asked about last: of one file, everything that is wrong is shown one after the other. */
const keysOf = (text: string): ReadonlyArray<Span> => {
  if (last?.text !== text) last = { text, keys: exposedSecrets(parse(text).tree) }
  return last.keys
}

let last: { readonly text: string; readonly keys: ReadonlyArray<Span> } | undefined
