/**
 * Everything that a command outputs goes through here: stdout, stderr, and the files of reports.
 *
 * Invariant: nothing passes that could control a terminal or a reader of reports, except the styles and links of
 * `render/border.ts`, whatever the origin of the text. No other file writes to a host's outputs; `lsp` does, as its
 * stdout is a protocol.
 */
import { Visible } from "@dotrpc/spec"
import { Context, Effect } from "effect"
import type { Host, RawOutput } from "./Host.ts"
import type { ReportFormat } from "./ReportFormat.ts"
import { escapedJson, escapedPieces, forTerminal, withoutStyles } from "./render/border.ts"
import { type Colors, colorsFor, isDumb } from "./render/colors.ts"
import { type Hyperlink, hyperlinksFor } from "./render/hyperlinks.ts"

/** One of the two streams. */
export interface Sink {
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly colors: Colors
  readonly link: Hyperlink
  /** Writes one line of words, anyone's among them: what would break it or steer a terminal is made visible. */
  readonly line: (words: string) => void
  /** Writes as many of the lines as anyone reads, and how many more there are. */
  readonly lines: (lines: ReadonlyArray<string>) => void
  /** Writes what `render` has made: lines with our styles, which have made the texts in them visible. */
  readonly write: (text: string) => void
}

export class Output extends Context.Service<
  Output,
  {
    readonly stdout: Sink
    readonly stderr: Sink
    /** Writes JSON, or what holds texts of others in JSON only, to stdout. */
    readonly writeJson: (text: string) => void
    /** Writes help, which nobody else has a part in, to stdout: its own styles stay. */
    readonly writeHelp: (text: string) => void
    /**
     * Writes a report to stdout as fast as it is read, so that never more than a part of it waits in memory. A reader that has
     * seen enough ends it. Fails with what the system says where stdout takes no more for another reason.
     */
    readonly writeReport: (report: Report) => Effect.Effect<void, unknown>
    /** Writes a file of the user's to stdout: as it is into a pipe or a file, and so that it steers nothing on a terminal. */
    readonly writeSource: (text: string) => void
    /** Writes lines of JSON to stdout. `left` hears when they have left this process, `failed` that they never will. */
    readonly sendJson: (text: string, left: () => void, failed: () => void) => void
    /** A line on stderr that takes the place of the one before it; nothing where lines cannot be replaced. */
    readonly showProgress: (line: string) => void
  }
>()("@dotrpc/cli/Output") {}

/** A report that may be written as it is, in pieces: together they may be longer than a string can be. */
export class Report implements Iterable<string | Uint8Array> {
  readonly #format: ReportFormat
  readonly #pieces: Iterable<string | Uint8Array> | undefined

  /**
   * The pieces are whole lines, unless they are of JSON or bytes. They are walked through each time that the report is written. Without
   * them nothing is written, as a file without bytes is no Parquet file.
   */
  constructor(format: ReportFormat, pieces: Iterable<string | Uint8Array> | undefined) {
    this.#format = format
    this.#pieces = pieces
  }

  [Symbol.iterator](): Iterator<string | Uint8Array> {
    return (this.#format === "parquet" ? (this.#pieces ?? []) : this.texts())[Symbol.iterator]()
  }

  /** Whether not even a file is written. */
  get isNothing(): boolean {
    return this.#pieces === undefined
  }

  /** Without columns of bytes, which are of a file alone. */
  texts(): Iterable<string> {
    const pieces = textsOf(this.#pieces ?? [])
    const isJson = this.#format === "json" || this.#format === "ndjson"
    // Annotations are commands to the reader of a log, and have made the texts in them harmless.
    if (this.#format === "github") return pieces
    return isJson ? escapedPieces(pieces) : linesWithoutStyles(pieces, this.#format === "csv" ? "\r\n" : "\n")
  }
}

function* textsOf(pieces: Iterable<string | Uint8Array>): Generator<string, void> {
  for (const piece of pieces) if (typeof piece === "string") yield piece
}

function* linesWithoutStyles(pieces: Iterable<string>, end: "\n" | "\r\n"): Generator<string, void> {
  for (const piece of pieces) yield piece.split(end).map(withoutStyles).join(end)
}

export const outputOf = ({ env, stderr, stdout }: Host["Service"]): Output["Service"] => ({
  stdout: sinkOf(stdout, env),
  stderr: sinkOf(stderr, env),
  writeJson: (text) => stdout.write(escapedJson(text)),
  writeHelp: (text) => stdout.write(`${text}\n`),
  writeReport: (report) =>
    Effect.tryPromise({ try: (signal) => writePieces(stdout, report, signal), catch: (error) => error }),
  writeSource: (text) => stdout.write(stdout.isTTY ? withoutStyles(text) : text),
  sendJson: (text, left, failed) => stdout.write(escapedJson(text), { left, failed }),
  showProgress: (line) => {
    if (stderr.isTTY && !isDumb(env)) stderr.write(`\r${forTerminal(line)}\u001B[K\r`)
  },
})

/** The same output, whose lines are changed before they are written. */
export const inOtherWords = (output: Output["Service"], change: (words: string) => string): Output["Service"] => {
  const changed = (sink: Sink): Sink => ({
    ...sink,
    get columns() {
      return sink.columns
    },
    line: (words) => sink.line(change(words)),
    lines: (lines) => sink.lines(lines.map(change)),
    write: (text) => sink.write(change(text)),
  })
  return { ...output, stdout: changed(output.stdout), stderr: changed(output.stderr) }
}

const writePieces = async (output: RawOutput, report: Report, signal: AbortSignal): Promise<void> => {
  try {
    for (const part of gathered(report.texts())) {
      await output.writeWhole(part)
      // A file and a pipe may take each part at once, and a signal has to be heard all the same.
      await nextTurn()
      if (signal.aborted) return
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && hasReported.has(error.code))) throw error
  }
}

/** A reader that went away, and an output that ended before: `ending.ts` is notified of both, and decides the exit code. */
const hasReported: ReadonlySet<unknown> = new Set(["EPIPE", "ERR_STREAM_DESTROYED"])

/** The pieces, of which some are single lines, in parts that are worth waiting for. */
function* gathered(pieces: Iterable<string>): Generator<string, void> {
  let part = ""
  for (const piece of pieces) {
    part += piece
    if (part.length < partSize) continue
    yield part
    part = ""
  }
  if (part !== "") yield part
}

const partSize = 65_536

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

const sinkOf = (raw: RawOutput, env: Host["Service"]["env"]): Sink => {
  const line = (words: string) => raw.write(`${Visible.line(words)}\n`)
  return {
    isTTY: raw.isTTY,
    get columns() {
      return raw.columns
    },
    colors: colorsFor(raw, env),
    link: hyperlinksFor(raw, env),
    line,
    lines: (lines) => {
      for (const each of lines.slice(0, mostLines)) line(each)
      const left = lines.length - mostLines
      if (left > 0) line(`dotrpc: … and ${left.toLocaleString("en")} more`)
    },
    write: (text) => raw.write(forTerminal(text)),
  }
}

/** Of one list: a file that others wrote may have a problem in each of its lines. */
const mostLines = 100
