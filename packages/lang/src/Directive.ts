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

function entry(name: string, shape: DirectiveShape, place: DirectiveInfo["place"], example: string): DirectiveInfo {
  return { name, shape, place, repeats: false, example }
}

function repeated(name: string, shape: DirectiveShape, place: DirectiveInfo["place"], example: string): DirectiveInfo {
  return { name, shape, place, repeats: true, example }
}
