/** A strict JSON reader that hands every number's text to `numberFromText`; used only where `JSON.parse` would round. */
import { type Json, JsonSyntaxError, numberFromText } from "../Json.ts"

/** Deeper documents are refused with an error instead of overflowing the stack. */
const maxDepth = 2_000

export const parseExact = (text: string): Json => {
  const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  const literalPattern = /true|false|null/y
  let at = 0
  let depth = 0

  const fail = (expected: string, offset = at): never => {
    const found = offset < text.length ? JSON.stringify(text[offset]) : "the end of the text"
    throw new JsonSyntaxError(`Expected ${expected}, found ${found}`, offset)
  }
  const skipSpace = () => {
    for (;;) {
      const code = text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      at++
    }
  }
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const readString = (): string => {
    const start = at
    if (text[at] !== '"') fail("a string")
    at++
    while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1
    if (at >= text.length) fail('a closing "', text.length)
    at++
    try {
      return JSON.parse(text.slice(start, at)) as string
    } catch {
      return fail("a string without control characters or bad escapes", start)
    }
  }
  const readArray = (): ReadonlyArray<Json> => {
    const items: Array<Json> = []
    at++
    skipSpace()
    if (text[at] === "]") {
      at++
      return items
    }
    for (;;) {
      items.push(readValue())
      if (text[at] === ",") at++
      else if (text[at] === "]") break
      else fail('"," or "]"')
    }
    at++
    return items
  }
  const readObject = (): Json => {
    const members: Array<[string, Json]> = []
    at++
    skipSpace()
    if (text[at] === "}") {
      at++
      return {}
    }
    for (;;) {
      skipSpace()
      const key = readString()
      skipSpace()
      if (text[at] !== ":") fail('":"')
      at++
      members.push([key, readValue()])
      if (text[at] === ",") at++
      else if (text[at] === "}") break
      else fail('"," or "}"')
    }
    at++
    // fromEntries defines own properties, so a "__proto__" member stays data.
    return Object.fromEntries(members)
  }
  const readValue = (): Json => {
    if (++depth > maxDepth) fail(`at most ${maxDepth} nested arrays and objects`)
    skipSpace()
    const value = readBare()
    skipSpace()
    depth--
    return value
  }
  const readBare = (): Json => {
    switch (text[at]) {
      case "{":
        return readObject()
      case "[":
        return readArray()
      case '"':
        return readString()
    }
    const number = match(numberPattern)
    if (number !== undefined) return numberFromText(number)
    const literal = match(literalPattern)
    if (literal === undefined) return fail("a JSON value")
    return literal === "null" ? null : literal === "true"
  }

  const value = readValue()
  if (at < text.length) fail("the end of the text")
  return value
}
