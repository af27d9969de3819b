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
  const flat = flatten(code)
  if (typeof code === "string" || (!flat.includes("\n") && column + flat.length < width)) return flat
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

const flatten = (code: Code): string => {
  if (typeof code === "string") return code
  if ("parts" in code) return code.parts.map(flatten).join("")
  const items = code.items.map(flatten).join(", ")
  return code.open === "{" && items !== "" ? `{ ${items} }` : code.open + items + code.close
}
