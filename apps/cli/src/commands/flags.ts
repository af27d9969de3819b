/** Arguments and flags that several commands share. */
import { parseDuration } from "@dotrpc/lang"
import { aHost, isHost } from "@dotrpc/project"
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { nameFlag } from "./names.ts"
import { reportFormats } from "../ReportFormat.ts"
import { fileArgument, fileFlag } from "./paths.ts"

const filesOf = (others: string) =>
  fileArgument("file").pipe(
    Argument.withDescription(`A .rpc file, ${others}, a folder, a glob in quotes, or - for standard input`),
    Argument.atLeast(1),
  )

const markdown = "a Markdown file with ```rpc fences"

export const filesArgument = filesOf(markdown)

/** Golden files are run and checked, never formatted. */
export const requestsArgument = filesOf(`${markdown}, a golden .io file`)

/** Which requests of the files are run. */
export const chosenFlags = {
  name: nameFlag("name", "requests").pipe(
    Flag.withMetavar("name"),
    Flag.withDescription("Run only this request and those it needs; may be repeated"),
    Flag.atLeast(0),
  ),
  tag: nameFlag("tag", "tags").pipe(
    Flag.withMetavar("tag"),
    Flag.withDescription("Run only requests with this # @tag; may be repeated"),
    Flag.atLeast(0),
  ),
}

export const environmentFlag = nameFlag("env", "environments").pipe(
  Flag.withMetavar("name"),
  Flag.withDescription("An environment of rpc.config.json"),
  Flag.optional,
)

export const networkFlag = nameFlag("network", "networks").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription("Send the calls of this network's plugin to this network, whatever the file says"),
  Flag.optional,
)

export const compareFlag = nameFlag("compare", "networks").pipe(
  Flag.withMetavar("id"),
  Flag.withDescription(
    "Make the same calls on this network as well, at one block, and exit with code 1 when a result differs",
  ),
  Flag.optional,
)

export const configFlag = fileFlag("config").pipe(
  Flag.withMetavar("file"),
  Flag.withDescription("Use this configuration instead of the nearest rpc.config.json"),
  Flag.optional,
)

export const trustFlag = Flag.Boolean("trust").pipe(
  Flag.withDescription("Run the project's own plugins this once, without `dotrpc trust`"),
  Flag.withDefault(false),
)

export const strictFlag = Flag.Boolean("strict").pipe(
  Flag.withDescription("Treat warnings as errors: a request with a warning is not sent"),
  Flag.withDefault(false),
)

/** `--prices ID,ID`, for plans. */
export const pricesFlag = nameFlag("prices", "sheets").pipe(
  Flag.withMetavar("id,id"),
  Flag.withDescription("With a plan: also show what it would cost by these price sheets; dotrpc prices lists them"),
  Flag.optional,
)

export const formatFlag = Flag.Literals("format", ["pretty", "json"]).pipe(
  Flag.withDescription("What to write to stdout (default: pretty)"),
  Flag.withDefault("pretty"),
)

export const traceFlag = Flag.Boolean("trace").pipe(
  Flag.withDescription(
    "Show each attempt on stderr as it ends: where it went, how long it took, what it cost; and each wait",
  ),
  Flag.withDefault(false),
)

export const allowHostFlag = Flag.String("allow-host").pipe(
  Flag.withMetavar("host"),
  Flag.withDescription(
    "Allow secrets to be sent to this host: HOST for every port, HOST:PORT, or http://HOST:PORT without encryption; may be repeated",
  ),
  Flag.filterMap(
    (text) => (isHost(text) ? Option.some(text) : Option.none()),
    () => aHost,
  ),
  Flag.atLeast(0),
)

/** Flags of a command that uses a project and its secrets. */
export const projectFlags = { env: environmentFlag, config: configFlag, trust: trustFlag, allowHosts: allowHostFlag }

/** `--output FILE`. What `-` means to other commands, stdout, is what happens without this flag. */
export const outputFlag = fileFlag("output").pipe(
  Flag.withMetavar("file"),
  Flag.filterMap(
    (text) => (text === "-" || text === "" ? Option.none() : Option.some(text)),
    () => "the name of a file; leave the flag out to write to stdout",
  ),
)

/** `--abi`, which `readAbis` reads. */
export const abiFlag = Flag.String("abi").pipe(
  Flag.withMetavar("declaration|file"),
  Flag.withDescription(
    'Add a column for each argument of this event, "event Transfer(address indexed from, …)", or of the events of a .json file; may be repeated',
  ),
  Flag.atLeast(0),
)

export const decimalFlag = Flag.Literals("decimal", ["38"])

/** `--var k=text`: a string, instead of the file's own variable of that name. */
export const variablesFlag = Flag.String("var").pipe(
  Flag.withMetavar("name=text"),
  Flag.withDescription("Set a variable: --var from=0x10; may be repeated"),
  Flag.atLeast(0),
  Flag.filterMap(
    (entries) => {
      const pairs = entries.map((entry) => /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(entry))
      return pairs.every((pair) => pair !== null)
        ? Option.some(Object.fromEntries(pairs.map((pair) => [pair[1] ?? "", pair[2] ?? ""])))
        : Option.none()
    },
    () => "name=value, such as from=0x10",
  ),
)

/** A number of credits, 0 or more. */
export const creditsFlag = (name: string): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar("credits"),
    Flag.filterMap(wholeNumberIn, () => "a whole number of credits"),
  )

/** As {@link creditsFlag}, at a position. */
export const creditsArgument = (name: string): Argument.Argument<number> =>
  Argument.String(name).pipe(Argument.filterMap(wholeNumberIn, () => "a whole number of credits, such as 120000"))

/** `--every`, in milliseconds; a number alone is seconds. */
export const everyFlag = Flag.String("every").pipe(
  Flag.withMetavar("duration"),
  Flag.filterMap(
    (text) =>
      Option.filter(
        Option.fromUndefinedOr(parseDuration(/^\d+$/.test(text) ? `${text}s` : text)),
        (millis) => millis >= 1_000,
      ),
    () => "a duration of 1s or more, such as 30s, 10m or 1h",
  ),
)

/** A time, which the command reads: `2026-11-01`, `7 days ago`. */
export const dateFlag = (name: string): Flag.Flag<string> => Flag.String(name).pipe(Flag.withMetavar("time"))

/** A whole number from `least` on. */
export const wholeNumberFlag = (name: string, least: number): Flag.Flag<number> =>
  Flag.String(name).pipe(
    Flag.withMetavar("number"),
    Flag.filterMap(
      (text) => Option.filter(wholeNumberIn(text), (value) => value >= least),
      () => `a whole number${least === 0 ? "" : `, ${least} or more`}`,
    ),
  )

/** Digits only; beyond 2^53 a number would stand for its neighbours as well. */
const wholeNumberIn = (text: string): Option.Option<number> => {
  const value = Number(text)
  return /^\d+$/.test(text) && Number.isSafeInteger(value) ? Option.some(value) : Option.none()
}

/** Flags of what a run or a call writes. */
export const reportFlags = {
  format: Flag.Literals("format", reportFormats).pipe(
    Flag.withDescription("What to write (default: what the name of --output says, or pretty)"),
    Flag.optional,
  ),
  output: outputFlag.pipe(
    Flag.withDescription("Write the report to this file, and readable output to stdout"),
    Flag.optional,
  ),
  rows: Flag.String("rows").pipe(
    Flag.withMetavar("n|all"),
    Flag.withDescription("The most rows of a result in a table or in CSV (default: 5 in a table, all in CSV)"),
    Flag.filterMap(
      (text) =>
        text === "all"
          ? Option.some(Infinity)
          : /^[1-9]\d{0,8}$/.test(text)
            ? Option.some(Number(text))
            : Option.none(),
      () => "a whole number of 1 or more, or all",
    ),
    Flag.optional,
  ),
}

export const keepFlag = Flag.Boolean("keep").pipe(
  Flag.withDescription(
    "Keep final blocks that scans and requests with `# @all` read in the cache folder, up to 32 MB of a query: reading them again costs nothing",
  ),
  Flag.withDefault(false),
)

/** Flags of a command that listens. */
export const listenFlags = {
  port: wholeNumberFlag("port", 0).pipe(
    Flag.withDescription("The port to listen on; 0 takes any free port (default: 8645)"),
    Flag.withDefault(8645),
  ),
  host: Flag.String("host").pipe(
    Flag.withMetavar("address"),
    Flag.withDescription(
      "The address to listen on; one that other machines can reach needs --key (default: 127.0.0.1)",
    ),
    Flag.withDefault("127.0.0.1"),
  ),
  key: Flag.String("key").pipe(
    Flag.withDescription("An API key to accept, visible in the process list; may be repeated (default: a random key)"),
    Flag.atLeast(0),
  ),
}
