/** The directives that the language knows and the shape of their values. */
import { parseDuration } from "./Duration.ts"

/** What may stand after the name of a directive. */
export type DirectiveShape =
  | "nothing"
  | "anything"
  | "text"
  | "identifier"
  | "count"
  | "positive"
  | "duration"
  | "transport"

export interface DirectiveInfo {
  readonly name: string
  readonly shape: DirectiveShape
  /** Where it may stand: `prelude`, `section`, or both. */
  readonly place: "prelude" | "section" | "both"
  /** Whether one section may hold it more than once. */
  readonly repeats: boolean
  readonly example: string
}

/** Every known directive, in the order in which an editor would offer them. */
export const directives: ReadonlyArray<DirectiveInfo> = [
  entry("name", "identifier", "section", "transfers"),
  entry("network", "text", "both", "evm"),
  entry("env", "text", "both", "staging"),
  entry("budget", "positive", "both", "600"),
  entry("timeout", "duration", "both", "2s"),
  entry("retry", "count", "both", "3"),
  entry("all", "nothing", "both", ""),
  entry("limit", "positive", "both", "1000"),
  entry("transport", "transport", "both", "ws"),
  repeated("abi", "text", "both", "./erc20.json"),
  repeated("ref", "identifier", "section", "transfers"),
  entry("skip", "anything", "section", ""),
  entry("only", "nothing", "section", ""),
  repeated("tag", "text", "both", "smoke"),
  repeated("import", "text", "prelude", "./shared.rpc"),
]

/** Finds a known directive by its name. */
export function directiveInfo(name: string): DirectiveInfo | undefined {
  return byName.get(name)
}

/** What every shape expects, as a noun phrase for messages, and whether a value, already trimmed, has it. */
export const shapes: Readonly<
  Record<DirectiveShape, readonly [expected: string, accepts: (value: string) => boolean]>
> = {
  nothing: ["no value", (value) => value === ""],
  anything: ["any text", () => true],
  text: ["a value", (value) => value !== ""],
  identifier: [
    "a name of letters, digits and _ that does not begin with a digit",
    (value) => /^[A-Za-z_]\w*$/.test(value),
  ],
  count: ["a whole number", isCount],
  positive: ["a whole number above zero", (value) => isCount(value) && Number(value) > 0],
  duration: ["a duration above zero such as 500ms, 2s or 1m", (value) => (parseDuration(value) ?? 0) > 0],
  transport: ["http or ws", (value) => /^(http|ws)$/.test(value)],
}

const byName = new Map(directives.map((info) => [info.name, info]))

function isCount(value: string): boolean {
  return /^\d+$/.test(value) && Number.isSafeInteger(Number(value))
}

function entry(name: string, shape: DirectiveShape, place: DirectiveInfo["place"], example: string): DirectiveInfo {
  return { name, shape, place, repeats: false, example }
}

function repeated(...[name, shape, place, example]: Parameters<typeof entry>): DirectiveInfo {
  return { ...entry(name, shape, place, example), repeats: true }
}
