/** The directives that the language knows and the shape of their values. */

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
  | "switch"

/** A directive of the language, and what its value may be. */
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
  entry("compare", "text", "both", "other"),
  repeated("ignore", "text", "both", "result[*].timestamp"),
  entry("env", "text", "both", "staging"),
  entry("budget", "positive", "both", "600"),
  entry("timeout", "duration", "both", "2s"),
  entry("retry", "count", "both", "3"),
  entry("all", "nothing", "both", ""),
  entry("limit", "positive", "both", "1000"),
  entry("for", "duration", "both", "10m"),
  entry("transport", "transport", "both", "ws"),
  entry("multicall", "switch", "both", "off"),
  entry("unchecked", "nothing", "both", ""),
  entry("each", "text", "section", "holders.csv"),
  repeated("abi", "text", "both", "./erc20.json"),
  entry("units", "text", "both", "0x5fbdb2315678afecb367f032d93f642f64180aa3"),
  repeated("ref", "identifier", "section", "transfers"),
  entry("skip", "anything", "section", ""),
  entry("only", "nothing", "section", ""),
  repeated("tag", "text", "both", "smoke"),
  repeated("import", "text", "prelude", "./shared.rpc"),
]

/** Finds a known directive by its name. */
export function directiveInfo(name: string): DirectiveInfo | undefined {
  return directives.find((info) => info.name === name)
}

/**
 * What every shape expects, as a noun phrase for messages, and the values, already trimmed, that have it. Numbers have few enough
 * digits to be exact, durations in milliseconds too.
 */
export const shapes: Readonly<Record<DirectiveShape, readonly [expected: string, pattern: RegExp]>> = {
  nothing: ["no value", /^$/],
  anything: ["any text", /^/],
  text: ["a value", /[^]/],
  identifier: ["a name of letters, digits and _ that does not begin with a digit", /^[A-Za-z_]\w*$/],
  count: ["a whole number", /^\d{1,15}$/],
  positive: ["a whole number above zero", /^(?!0+$)\d{1,15}$/],
  duration: ["a duration above zero such as 500ms, 2s or 1m", /^(?!0+\D)\d{1,9}(ms|s|m|h)$/],
  transport: ["http or ws", /^(http|ws)$/],
  switch: ["on or off", /^(on|off)$/],
}

function entry(name: string, shape: DirectiveShape, place: DirectiveInfo["place"], example: string): DirectiveInfo {
  return { name, shape, place, repeats: false, example }
}

function repeated(...[name, shape, place, example]: Parameters<typeof entry>): DirectiveInfo {
  return { ...entry(name, shape, place, example), repeats: true }
}
