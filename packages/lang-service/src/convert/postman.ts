/**
 * Reads Postman collections (v2.0 and v2.1) whose bodies are JSON-RPC: requests in folders, variables and descriptions.
 *
 * Invariant: no value of a variable that is a key, or is used as one, is in the output; the name of a secret replaces it.
 */
import { isKeyValue, isNameOfKey, withoutKeys } from "./keys.ts"
import { Json } from "@dotrpc/spec"
import type { ConversionProblem, Converted, ConvertedSection } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"
import { type Named, namesIn, plainName, strangeIn, valueText, withNames } from "./names.ts"
import { headersAreLeft, keysOf, readUrl, secretName, shownUrl } from "./urls.ts"

/** Every request of the collection. What is not JSON-RPC becomes a comment and is reported. */
export const readPostman = (text: string): Converted => {
  const problems: Array<ConversionProblem> = []
  const sections: Array<ConvertedSection> = []
  const found = collectionIn(text)
  if ("problem" in found) return { variables: [], sections: [], problems: [found.problem] }
  const { collection } = found
  const placeOf = placeFinder(text)
  const values = variablesIn(collection)
  const valueOf = (name: string) => values.get(name)?.value
  const secretNames = new Set([...values].flatMap(([name, { isSecret }]) => (isSecret ? [name] : [])))
  const keys = new Set([...secretNames].flatMap((name) => valueOf(name) ?? []).filter((value) => value.length >= 4))
  const mentioned: Array<{ readonly name: string; readonly place: Place }> = []
  if (hasAuth(collection)) problems.push({ line: 1, message: authIsLeft })
  if (hasScript(collection)) problems.push({ line: 1, message: "a script is not imported" })
  for (const { item, path } of itemsIn(collection)) {
    const title = wordsOf(item["name"])
    const place = placeOf(title)
    const problem = (message: string) => problems.push({ ...place, message })
    if (hasScript(item)) problem("a script is not imported")
    const comments = [...(path.length === 0 ? [] : [path.join(" / ")]), ...descriptionOf(item)]
    const { request } = item
    if (request === undefined) continue
    const { body, headers, target, verb } = requestOf(request)
    if (Json.isObject(request) && hasAuth(request)) problem(authIsLeft)
    const url = readUrl(target, valueOf)
    for (const key of keysOf(target, valueOf)) keys.add(key)
    const secrets = new Set(url.secrets)
    for (const [, name = ""] of target.matchAll(/\{\{\s*(\w+)\s*\}\}/g))
      if (secrets.has(secretName(name))) secretNames.add(name)
    url.problems.forEach(problem)
    const unusual = headers.filter((name) => !/^(content-type|accept|content-length|host|user-agent)$/i.test(name))
    if (unusual.length > 0) problem(headersAreLeft(unusual.map((name) => name.slice(0, 40)).join(", ")))
    const { strange: strangers, text: known } = withNames("problem" in body ? "" : body.text)
    const calls = "problem" in body ? body : readJsonRpc(known)
    const params = "problem" in calls ? "" : calls.map((call) => call.params).join()
    const strange = strangeIn(params, strangers)
    if ("problem" in calls || strange !== undefined) {
      const why = "problem" in calls ? calls.problem : `{{${strange}}} has no meaning here`
      problem(`this request cannot be converted: ${why}; its name is kept as a comment`)
      const kept = `not converted: ${verb} ${shownUrl(url)}: ${why}`
      sections.push({ title: "", comments: [title, ...comments, kept], checks: [] })
      continue
    }
    for (const name of namesIn(params)) mentioned.push({ name, place })
    calls.forEach((call, index) => {
      sections.push({ title: title || call.method, comments: index === 0 ? comments : [], call, url, checks: [] })
    })
  }
  // A variable may be the address of a node, with its key.
  const addresses = new Map<string, Named>()
  for (const [name, { value }] of values) {
    const found = keysOf(value, valueOf)
    const { url } = found.length === 0 ? { url: undefined } : readUrl(value, valueOf)
    if (url === undefined) continue
    addresses.set(name, { text: url, strange: [] })
    for (const key of found) keys.add(key)
  }
  const plain = new Map(
    [...values].map(([name, { value }]) => [plainName(name), addresses.get(name) ?? withNames(value)]),
  )
  const hiddenNames = new Set([...secretNames].map(plainName))
  const used = usedNames(
    mentioned.map(({ name }) => name),
    (name) => (hiddenNames.has(name) ? undefined : plain.get(name)?.text),
  )
  // What an environment of Postman has is not in the collection.
  const outside = [...used].filter((name) => !plain.has(name))
  for (const name of outside) if (isNameOfKey(name)) hiddenNames.add(name)
  for (const name of outside) {
    if (hiddenNames.has(name)) continue
    const place = mentioned.find((mention) => mention.name === name)?.place ?? { line: 1 }
    problems.push({
      ...place,
      message: `{{${name}}} is not defined in this collection: add a line @${name} = … to the output`,
    })
  }
  problems.sort((left, right) => left.line - right.line)
  const converted = {
    variables: [...new Set([...plain.keys(), ...outside])]
      .filter((name) => used.has(name) && (plain.has(name) || hiddenNames.has(name)))
      .map((name) => ({
        name,
        value: hiddenNames.has(name) ? `$secret.${secretName(name)}` : written(plain.get(name)?.text ?? ""),
      })),
    sections,
    problems,
  }
  return withoutKeys(converted, keys)
}

const authIsLeft =
  'its authorization is not imported: write it in "headers" of the network in rpc.config.json, with keys as secrets'

/** The collection, or why the text is not one. */
const collectionIn = (
  text: string,
): { readonly collection: Json.JsonObject } | { readonly problem: ConversionProblem } => {
  try {
    const read = Json.parse(text)
    if (Json.isObject(read) && Json.isArray(read["item"] ?? null)) return { collection: read }
    const message = 'it is not a Postman collection: expected an object with "info" and "item", exported as v2.1'
    return { problem: { line: 1, column: 1, message } }
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
    const before = text.slice(0, error.offset)
    const place = { line: before.split("\n").length, column: before.length - before.lastIndexOf("\n") }
    const words = error.message.replace(/ at offset \d+$/, "")
    return { problem: { ...place, message: `it is not JSON: ${words}` } }
  }
}

interface Item {
  readonly item: Json.JsonObject
  /** The names of the folders that it is in. */
  readonly path: ReadonlyArray<string>
}

/** Requests in the order of the file; folders may be as deep as the JSON, so this is not recursive. */
const itemsIn = (collection: Json.JsonObject): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  const waiting: Array<Item> = childrenOf(collection, []).toReversed()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.item["item"] === undefined) {
      found.push(next)
      continue
    }
    // Of very deep folders the outer ones say enough.
    const path = next.path.length < deepest ? [...next.path, folderName(next.item)] : next.path
    for (const child of childrenOf(next.item, path).toReversed()) waiting.push(child)
  }
  return found
}

const deepest = 8

/** Every request in the folder repeats it. One that is too long is left out whole: no key in it may be cut in two. */
const folderName = ({ name }: Json.JsonObject): string => {
  const words = wordsOf(name)
  return words.length > longestFolder ? "…" : words
}

const longestFolder = 100

const childrenOf = ({ item }: Json.JsonObject, path: ReadonlyArray<string>): ReadonlyArray<Item> =>
  item !== undefined && Json.isArray(item)
    ? item.flatMap((child) => (Json.isObject(child) ? [{ item: child, path }] : []))
    : []

interface PostmanRequest {
  readonly verb: string
  readonly target: string
  /** Names. */
  readonly headers: ReadonlyArray<string>
  readonly body: { readonly text: string } | { readonly problem: string }
}

/** A request may be its URL alone, and a URL its parts. */
const requestOf = (request: Json.Json): PostmanRequest => {
  if (!Json.isObject(request))
    return { verb: "GET", target: textOf(request), headers: [], body: { problem: "it has no body" } }
  const { body, header, method, url } = request
  const target = url !== undefined && Json.isObject(url) ? addressOf(url) : textOf(url)
  const headers = header !== undefined && Json.isArray(header) ? header : []
  const verb = /^[a-z]{1,10}$/i.test(textOf(method)) ? textOf(method).toUpperCase() : "GET"
  return {
    verb,
    target,
    headers: headers.flatMap((entry) =>
      Json.isObject(entry) && entry["disabled"] !== true && /^[\w-]+$/.test(textOf(entry["key"]))
        ? [textOf(entry["key"])]
        : [],
    ),
    body: bodyOf(body),
  }
}

/** A URL in its parts, of which the whole may be missing. `:name` in its path stands for a value beside it. */
const addressOf = ({ host, path, port, protocol, query, raw, variable }: Json.JsonObject): string => {
  const listOf = (value: Json.Json | undefined) => (value !== undefined && Json.isArray(value) ? value : [value ?? ""])
  const joined = (value: Json.Json | undefined, sign: string) =>
    listOf(value)
      .map((part) => textOf(Json.isObject(part) ? part["value"] : part))
      .join(sign)
  const pairs = listOf(query).flatMap((each) =>
    Json.isObject(each) && each["disabled"] !== true ? [`${textOf(each["key"])}=${textOf(each["value"])}`] : [],
  )
  const [scheme, at] = [textOf(protocol), textOf(port)]
  const origin = `${scheme === "" ? "" : `${scheme}://`}${joined(host, ".")}${at === "" ? "" : `:${at}`}`
  const whole = textOf(raw) || `${origin}/${joined(path, "/")}${pairs.length === 0 ? "" : `?${pairs.join("&")}`}`
  const named = new Map(
    listOf(variable).flatMap((each) => (Json.isObject(each) ? [[textOf(each["key"]), textOf(each["value"])]] : [])),
  )
  return whole.replace(/(?<=\/):([\w-]+)(?=[/?#]|$)/g, (segment, name: string) =>
    named.has(name) ? named.get(name) || `{{${name}}}` : segment,
  )
}

const bodyOf = (body: Json.Json | undefined): PostmanRequest["body"] => {
  if (body === undefined || !Json.isObject(body) || body["disabled"] === true) return { problem: "it has no body" }
  const { mode, raw } = body
  if (mode !== undefined && mode !== "raw") return { problem: "its body is not raw text" }
  return { text: textOf(raw) }
}

interface Variable {
  readonly value: string
  readonly isSecret: boolean
}

const variablesIn = ({ variable }: Json.JsonObject): ReadonlyMap<string, Variable> => {
  const values = new Map<string, Variable>()
  for (const entry of variable !== undefined && Json.isArray(variable) ? variable : []) {
    if (!Json.isObject(entry) || entry["disabled"] === true) continue
    const name = textOf(entry["key"] ?? entry["id"])
    if (!/^[A-Za-z_][\w-]*$/.test(name)) continue
    const { value: given } = entry
    const value = typeof given === "string" ? given : given === undefined || given === null ? "" : Json.stringify(given)
    values.set(name, { value, isSecret: entry["type"] === "secret" || isKeyValue(name, value) })
  }
  return values
}

/** Variables in a text, and those in their values. */
const usedNames = (
  mentioned: ReadonlyArray<string>,
  textFor: (name: string) => string | undefined,
): ReadonlySet<string> => {
  const used = new Set<string>()
  const waiting = [...mentioned]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (used.has(name)) continue
    used.add(name)
    for (const inner of namesIn(textFor(name) ?? "")) waiting.push(inner)
  }
  return used
}

const hasAuth = ({ auth }: Json.JsonObject): boolean =>
  auth !== undefined && Json.isObject(auth) && auth["type"] !== "noauth" && auth["type"] !== "inherit"

const hasScript = ({ event }: Json.JsonObject): boolean =>
  event !== undefined &&
  Json.isArray(event) &&
  event.some((entry) => {
    const script = Json.isObject(entry) ? entry["script"] : undefined
    const exec = script !== undefined && Json.isObject(script) ? script["exec"] : undefined
    const lines = exec !== undefined && Json.isArray(exec) ? exec : [exec ?? ""]
    return lines.some((line) => textOf(line).trim() !== "")
  })

/** Of an item or its request. */
const descriptionOf = (item: Json.JsonObject): ReadonlyArray<string> => {
  const { request } = item
  const own =
    item["description"] ?? (request !== undefined && Json.isObject(request) ? request["description"] : undefined)
  const text = own !== undefined && Json.isObject(own) ? textOf(own["content"]) : textOf(own)
  return text.trim() === "" ? [] : text.trim().split(/\r\n|\n|\r/)
}

const textOf = (value: Json.Json | undefined): string => (typeof value === "string" ? value : "")

const wordsOf = (value: Json.Json | undefined): string => textOf(value).replace(/\s+/g, " ").trim()

/** A line and a column from 1; no column where only the line is known. */
type Place = Pick<ConversionProblem, "line" | "column">

/** The place of the next item with a name, in a text of which the items are asked for in their order. */
const placeFinder = (text: string): ((name: string) => Place) => {
  let [at, line, counted, missed] = [0, 1, 0, 0]
  return (name) => {
    // A name may be written with other escapes; each search for one goes through all of the text.
    const found = name === "" || missed > mostMissed ? -1 : text.indexOf(JSON.stringify(name), at)
    if (found < 0) missed++
    if (found < 0) return { line }
    at = found + 1
    for (let end = text.indexOf("\n", counted); end >= 0 && end < found; end = text.indexOf("\n", counted)) {
      line++
      counted = end + 1
    }
    return { line, column: found - counted + 1 }
  }
}

const mostMissed = 20

/** The value of a variable as one line of the language. */
const written = (value: string): string => {
  try {
    const json = Json.parse(value)
    if (Json.isArray(json) || Json.isObject(json)) return Json.stringify(json)
  } catch (error) {
    if (!(error instanceof Json.JsonSyntaxError)) throw error
  }
  return /[\r\n]|^[[{](?!\{)/.test(value) ? JSON.stringify(value) : valueText(value)
}
