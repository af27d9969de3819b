/** Values in a JavaScript module, which takes secrets from its environment. */
import { Json } from "@dotrpc/spec"
import { paramTemplate, type Template } from "./template.ts"

/** A text as a literal, or as a template with the variables of the environment. */
export const scriptText = (text: Template): string =>
  isNameless(text)
    ? JSON.stringify(text.join(""))
    : `\`${text.map((part) => (typeof part === "string" ? templateText(part) : `\${process.env.${part.name}}`)).join("")}\``

const isNameless = (text: Template): text is ReadonlyArray<string> => text.every((part) => typeof part === "string")

/** Escaped as in a string, as a template turns CR LF into LF. */
const templateText = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/`|\$(?=\{)/g, "\\$&")

/** A JSON value as an expression, on several lines where it is long. Integers that a `number` cannot hold are written as a `bigint`. */
export const scriptValue = (value: Json.Json, indent = ""): string => {
  if (typeof value === "string") return scriptText(paramTemplate(value))
  if (typeof value === "bigint") return `${value}n`
  const deeper = `${indent}  `
  if (Json.isArray(value))
    return group(
      "[",
      value.map((element) => scriptValue(element, deeper)),
      "]",
      indent,
    )
  if (!Json.isObject(value)) return Json.stringify(value)
  const members = Object.entries(value).map(
    ([name, member]) => `${scriptKey(name)}: ${scriptValue(member ?? null, deeper)}`,
  )
  return group("{", members, "}", indent)
}

const group = (open: string, parts: ReadonlyArray<string>, close: string, indent: string): string => {
  if (parts.length === 0) return open + close
  const blank = open === "{" ? " " : ""
  const line = `${open}${blank}${parts.join(", ")}${blank}${close}`
  if (line.length <= widest && !line.includes("\n")) return line
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`
}

/** Characters of a value on one line. */
const widest = 80

/** Why a value is not the same in JavaScript; `undefined` when it is. `integers` says what the tool does with a `bigint`. */
export const scriptObstacle = (value: Json.Json, integers: "takes bigints" | "takes numbers"): string | undefined => {
  if (value instanceof Json.JsonNumber) return `JavaScript would write the number ${value.text} in another way`
  if (typeof value === "bigint" && integers === "takes numbers")
    return `the number ${value} has more digits than JavaScript keeps`
  if (Json.isArray(value)) return firstObstacle(value, integers)
  return Json.isObject(value) ? firstObstacle(Object.values(value), integers) : undefined
}

const firstObstacle = (
  values: ReadonlyArray<Json.Json | undefined>,
  integers: "takes bigints" | "takes numbers",
): string | undefined => {
  for (const value of values) {
    const obstacle = value === undefined ? undefined : scriptObstacle(value, integers)
    if (obstacle !== undefined) return obstacle
  }
  return undefined
}

/** In brackets, a name is never more than a name. */
const scriptKey = (name: string): string => {
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__") return name
  const text = paramTemplate(name)
  return name === "__proto__" || !isNameless(text) ? `[${scriptText(text)}]` : scriptText(text)
}

/** Names for values, each of its own, made of what people call them. */
export const scriptNames = (taken: ReadonlyArray<string>) => {
  const used = new Set([...taken, ...reserved])
  return (label: string): string => {
    const words = label.match(/[A-Za-z0-9]+/g) ?? []
    const joined = words
      .slice(0, 6)
      .map((word, index) => (index === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
      .join("")
      .slice(0, 40)
    const base = /^[A-Za-z]/.test(joined) ? joined : `result${joined}`
    for (let count = 1; ; count++) {
      const name = count === 1 ? base : `${base}${count}`
      if (used.has(name)) continue
      used.add(name)
      return name
    }
  }
}

const reserved = (
  "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if " +
  "implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof " +
  "undefined var void while with yield process console"
).split(" ")
