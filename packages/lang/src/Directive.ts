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
  readonly summary: string
  readonly example: string
}

/** Every known directive, in the order in which an editor would offer them. */
export const directives: ReadonlyArray<DirectiveInfo> = [
  entry("name", "identifier", "section", "The name by which other requests refer to this one", "transfers"),
  entry("network", "text", "both", "The network to send to", "evm"),
  entry("env", "text", "both", "The environment to take variables from", "staging"),
  entry("budget", "positive", "both", "The most credits that this may spend", "600"),
  entry("timeout", "duration", "both", "How long to wait for an answer: 500ms, 2s, 1m", "2s"),
  entry("retry", "count", "both", "How many more times to try after a failure", "3"),
  entry("all", "nothing", "both", "Follow the pages to the last one", ""),
  entry("limit", "positive", "both", "The most items to collect from all pages", "1000"),
  entry("transport", "transport", "both", "How to send: http or ws", "ws"),
  repeated("abi", "text", "both", "An event, or a file of an ABI, to decode the result by", "./erc20.json"),
  repeated("ref", "identifier", "section", "A named request to run first", "transfers"),
  entry("skip", "anything", "section", "Do not run this; the value is the reason", ""),
  entry("only", "nothing", "section", "Run only this and others with @only", ""),
  repeated("tag", "text", "both", "Words to select requests by", "smoke"),
  repeated("import", "text", "prelude", "A file whose names can be used here", "./shared.rpc"),
]

/** Finds a known directive by its name. */
export function directiveInfo(name: string): DirectiveInfo | undefined {
  return byName.get(name)
}

/** What a shape expects, as a noun phrase for messages. */
export function shapeName(shape: DirectiveShape): string {
  return shapeNames[shape]
}

/** Whether a value, already trimmed, has the shape. */
export function hasShape(shape: DirectiveShape, value: string): boolean {
  switch (shape) {
    case "nothing":
      return value === ""
    case "anything":
      return true
    case "text":
      return value !== ""
    case "identifier":
      return /^[A-Za-z_]\w*$/.test(value)
    case "count":
      return /^\d+$/.test(value) && Number.isSafeInteger(Number(value))
    case "positive":
      return /^\d+$/.test(value) && Number.isSafeInteger(Number(value)) && Number(value) > 0
    case "duration":
      return (parseDuration(value) ?? 0) > 0
    case "transport":
      return value === "http" || value === "ws"
  }
}

const byName = new Map(directives.map((info) => [info.name, info]))

const shapeNames: Readonly<Record<DirectiveShape, string>> = {
  nothing: "no value",
  anything: "any text",
  text: "a value",
  identifier: "a name of letters, digits and _ that does not begin with a digit",
  count: "a whole number",
  positive: "a whole number above zero",
  duration: "a duration above zero such as 500ms, 2s or 1m",
  transport: "http or ws",
}

function entry(
  name: string,
  shape: DirectiveShape,
  place: DirectiveInfo["place"],
  summary: string,
  example: string,
): DirectiveInfo {
  return { name, shape, place, repeats: false, summary, example }
}

function repeated(
  name: string,
  shape: DirectiveShape,
  place: DirectiveInfo["place"],
  summary: string,
  example: string,
): DirectiveInfo {
  return { name, shape, place, repeats: true, summary, example }
}
