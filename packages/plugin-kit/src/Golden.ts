/**
 * Golden files: exchanges with a node as text, one JSON value on a line.
 *
 * ```
 * // network: evm
 *
 * // The chain id.
 * >> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}
 * << {"jsonrpc":"2.0","id":1,"result":"0x7a69"}
 * ```
 *
 * Invariant: `parseGolden(printGolden(golden))` equals `golden`, with every digit of every number.
 */
import { Json } from "@dotrpc/spec"

/** A golden file, read. */
export interface Golden {
  /** The comments above the first blank line, without `//`, when no exchange follows them at once. */
  readonly header: ReadonlyArray<string>
  readonly exchanges: ReadonlyArray<Exchange>
}

/** A request and the reply it got, both as they were on the wire. */
export interface Exchange {
  /** The comments above it, without `//`. */
  readonly comments: ReadonlyArray<string>
  readonly request: Json.Json
  readonly reply: Json.Json
  /** The line of the request, from 1. */
  readonly line: number
}

/** Reads a golden file. Throws a {@link GoldenError} that names the line, and for JSON the column. */
export const parseGolden = (text: string): Golden => {
  const exchanges: Array<Exchange> = []
  let header: ReadonlyArray<string> = []
  let comments: Array<string> = []
  let waiting: { readonly request: Json.Json; readonly line: number } | undefined
  const lines = text.split(/\r\n|\n|\r/)
  for (const [index, line] of lines.entries()) {
    const number = index + 1
    if (waiting !== undefined && !line.startsWith("<<"))
      throw new GoldenError("expected the reply to the request above, a line that begins with <<", number, 1)
    if (line.trim() === "") {
      if (exchanges.length === 0 && header.length === 0) [header, comments] = [comments, []]
    } else if (line.startsWith("//")) comments.push(line.slice(2).trim())
    else if (line.startsWith(">>")) waiting = { request: readJson(line, number), line: number }
    else if (!line.startsWith("<<")) throw new GoldenError("expected a line that begins with //, >> or <<", number, 1)
    else if (waiting === undefined)
      throw new GoldenError("expected a request, a line that begins with >>, above this reply", number, 1)
    else {
      exchanges.push({ comments, ...waiting, reply: readJson(line, number) })
      comments = []
      waiting = undefined
    }
  }
  return { header, exchanges }
}

/** Writes a golden file. */
export const printGolden = (golden: Golden): string => {
  const note = (comment: string) => `// ${comment.replace(/\s*[\r\n]+\s*/g, " ")}`.trimEnd()
  const exchanges = golden.exchanges.map(({ comments, reply, request }) =>
    [...comments.map(note), `>> ${Json.stringify(request)}`, `<< ${Json.stringify(reply)}`].join("\n"),
  )
  const blocks = golden.header.length === 0 ? exchanges : [golden.header.map(note).join("\n"), ...exchanges]
  return `${blocks.join("\n\n")}\n`
}

/** What a comment `// NAME: VALUE` says: an exchange's own, else the header's. */
export const noteOf = (golden: Golden, exchange: Exchange, name: string): string | undefined =>
  [...golden.header, ...exchange.comments]
    .findLast((comment) => comment.startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim()

/** A line of a golden file that cannot be read. */
export class GoldenError extends Error {
  override readonly name = "GoldenError"
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 units. */
  readonly column: number

  constructor(message: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${message}`)
    this.line = line
    this.column = column
  }
}

const readJson = (line: string, number: number): Json.Json => {
  try {
    return Json.parse(line.slice(2))
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    throw new GoldenError(error.message.replace(/ at offset \d+$/, ""), number, error.offset + 3)
  }
}
