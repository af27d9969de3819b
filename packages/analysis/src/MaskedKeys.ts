/** A text as it may be shown: keys that are written into it are masked. */
import { parse, type Span } from "@dotrpc/lang"
import { exposedSecrets } from "./internal/exposed.ts"

/** Masks every key of a file of requests, and what stands in `spans`. All that is left keeps its place. */
export const maskKeys = (text: string, spans: ReadonlyArray<Span> = []): string =>
  [...exposedSecrets(parse(text).tree), ...spans].reduce(
    (masked, { start, end }) =>
      masked.slice(0, start) + masked.slice(start, end).replace(/[^\r\n]/g, "•") + masked.slice(end),
    text,
  )
