/** TypeScript that is laid out when it is printed: on one line where it fits, else with one part on each. */

export type Code = string | Sequence | Group

/** Parts that follow each other without a break. */
interface Sequence {
  readonly parts: ReadonlyArray<Code>
}

/** Parts between brackets, which may stand on lines of their own. */
interface Group {
  readonly open: string
  readonly items: ReadonlyArray<Code>
  readonly close: string
}

export const sequence = (...parts: ReadonlyArray<Code>): Code => ({ parts })
export const list = (items: ReadonlyArray<Code>): Code => ({ open: "[", items, close: "]" })
export const object = (items: ReadonlyArray<Code>): Code => ({ open: "{", items, close: "}" })

/** `name(…)` */
export const call = (name: string, ...args: ReadonlyArray<Code>): Code => {
  const [only] = args
  // A lone list or object hugs the parentheses.
  if (args.length === 1 && typeof only === "object") return sequence(`${name}(`, only, ")")
  return { open: `${name}(`, items: args, close: ")" }
}

/** The text, where `column` characters stand before it and lines begin with `indent` spaces. */
export const print = (code: Code, indent = 0, column = indent): string => {
  if (typeof code === "string") return code
  const flat = onOneLine(code, width - column - 1)
  if (flat !== undefined) return flat
  if ("parts" in code) {
    let text = ""
    for (const part of code.parts) {
      const line = text.lastIndexOf("\n")
      text += print(part, indent, line < 0 ? column + text.length : text.length - line - 1)
    }
    return text
  }
  const inner = indent + 2
  const items = code.items.map((item) => `${" ".repeat(inner)}${print(item, inner)},\n`)
  return items.length === 0
    ? code.open + code.close
    : `${code.open}\n${items.join("")}${" ".repeat(indent)}${code.close}`
}

const width = 120

/** The text without a break; `undefined` once it has more characters than `room`, so that the rest is not looked at. */
const onOneLine = (code: Code, room: number): string | undefined => {
  if (typeof code === "string") return code.length > room || code.includes("\n") ? undefined : code
  if ("parts" in code) return joined(code.parts, "", room)
  const items = joined(code.items, ", ", room - code.open.length - code.close.length)
  const text = code.open === "{" && items !== undefined && items !== "" ? ` ${items} ` : items
  return text === undefined || code.open.length + text.length + code.close.length > room
    ? undefined
    : code.open + text + code.close
}

const joined = (all: ReadonlyArray<Code>, between: string, room: number): string | undefined => {
  let text = ""
  for (const [index, code] of all.entries()) {
    const start = index === 0 ? text : text + between
    const next = onOneLine(code, room - start.length)
    if (next === undefined) return undefined
    text = start + next
  }
  return text
}
