/** Reads `.http` files, as REST Client, JetBrains IDEs and httpYac write them, whose bodies are JSON-RPC. */
import type { Converted, ConvertedSection, ConvertedUrl, ReadMentioned } from "./Converted.ts"
import { callsIn } from "./jsonRpc.ts"
import { isKeyValue, withoutKeys } from "./keys.ts"
import { mentionedBody } from "./mentioned.ts"
import { type Named, namesIn, plainName, valueText, withNames } from "./names.ts"
import { headersAreLeft, isUsualHeader, keysOf, readUrl, secretName, secretVariables, shownUrl } from "./urls.ts"

/** Every request of the file. What is not JSON-RPC is kept as comments and reported. */
export const readHttp = (text: string, readMentioned: ReadMentioned): Converted => {
  const blocks = splitBlocks(text)
  const read: ReadFile = {
    ...variablesIn(blocks),
    problems: [],
    sections: [],
    mentioned: [],
  }
  for (const block of blocks) {
    const request = readBlock(block)
    if (request === undefined) keepComments(read, block)
    else convertRequest(read, block.title, request, readMentioned)
  }
  const { keys, problems, secretNames, sections } = read
  const variables = new Map([...read.values].map(([name, value]) => [plainName(name), withNames(value)]))
  problems.push(...undefinedNames(read, variables))
  problems.sort((left, right) => left.line - right.line)
  return withoutKeys({ variables: variablesOf(variables, secretNames, sections), sections, problems }, keys)
}

/** What was read of a file so far. */
interface ReadFile {
  /** Its variables, as written. */
  readonly values: ReadonlyMap<string, string>
  /** Variables that are keys, or used as one. */
  readonly secretNames: Set<string>
  readonly keys: Set<string>
  readonly problems: Array<{ readonly line: number; readonly message: string }>
  readonly sections: Array<ConvertedSection>
  readonly mentioned: Array<{ readonly name: string; readonly line: number }>
}

const variablesIn = (blocks: ReadonlyArray<Block>): Pick<ReadFile, "keys" | "secretNames" | "values"> => {
  const values = new Map<string, string>()
  const secretNames = new Set<string>()
  const keys = new Set<string>()
  for (const line of blocks.flatMap(({ lines }) => lines)) {
    const [, name, value] = /^@([\w-]+)\s*=(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    values.set(name, value.trim())
    if (!isKeyValue(name, value.trim())) continue
    secretNames.add(plainName(name))
    keys.add(value.trim())
  }
  return { values, secretNames, keys }
}

/** A block without a request. */
const keepComments = ({ problems, sections }: ReadFile, block: Block): void => {
  const { comments, left } = leadingLines(block)
  for (const { at, what } of left) problems.push({ line: at, message: `${what} is not imported` })
  if (comments.length > 0) sections.push({ title: block.title, comments, checks: [] })
}

const convertRequest = (read: ReadFile, title: string, request: HttpRequest, readMentioned: ReadMentioned): void => {
  const { comments, left, line, name, verb } = request
  const problem = (message: string, at = line) => read.problems.push({ line: at, message })
  const url = urlOf(read, request, problem)
  for (const { at, what } of left) problem(`${what} is not imported`, at)
  const found = callsIn(readBody(request.body, readMentioned))
  if ("problem" in found) {
    problem(`this request cannot be converted: ${found.problem}; it is kept as a comment`)
    const content = request.body
      .map(({ text }) => text)
      .join("\n")
      .replace(/^\s*\n|(?<!\s)\s+$/g, "")
    const kept = [`${verb} ${shownUrl(url)}`, ...(content === "" ? [] : content.split("\n"))]
    read.sections.push({ title, comments: [...comments, ...kept], checks: [] })
    return
  }
  for (const unknown of found.mentioned) read.mentioned.push({ name: unknown, line })
  found.calls.forEach((call, index) => {
    read.sections.push({
      title: title || call.method,
      comments: index === 0 ? comments : [],
      ...(name === undefined || index > 0 ? {} : { name }),
      call,
      url,
      checks: [],
    })
  })
}

/** The URL of a request, whose keys and secrets are noted, and what of its headers is lost. */
const urlOf = (
  { keys, secretNames, values }: ReadFile,
  { headers, target: written }: HttpRequest,
  problem: (message: string) => void,
): ConvertedUrl => {
  const host = hostIn(headers)
  const target = /^\/(?!\/)/.test(written) && host !== undefined ? schemeOf(host) + host + written : written
  const valueOf = (variable: string) => values.get(variable)
  const url = readUrl(target, valueOf)
  for (const key of keysOf(target, valueOf)) keys.add(key)
  for (const variable of secretVariables(target, url)) secretNames.add(variable)
  for (const words of url.problems) problem(words)
  const isElsewhere = host !== undefined && url.url !== undefined && !target.includes(host)
  const unusual = headers
    .map((header) => header.split(":", 1)[0]?.trim() ?? "")
    .filter((header) => !isUsualHeader(header) || (isElsewhere && /^host$/i.test(header)))
  if (unusual.length > 0) problem(headersAreLeft(unusual.join(", ")))
  return url
}

/** Names in calls that neither a variable nor a request has. */
const undefinedNames = (
  { mentioned, sections }: ReadFile,
  variables: ReadonlyMap<string, Named>,
): ReadFile["problems"] => {
  const requests = new Set(sections.flatMap(({ name }) => name ?? []))
  return mentioned.flatMap(({ line, name }) => {
    const [strange] = variables.get(name)?.strange ?? []
    if (strange === undefined && (variables.has(name) || requests.has(name))) return []
    const what =
      strange === undefined ? "is not defined in this file" : `stands for {{${strange}}}, which has no meaning here`
    return [{ line, message: `{{${name}}} ${what}: add a line @${name} = … to the output` }]
  })
}

interface Block {
  readonly title: string
  /** The line of the file that the first of these is, from 1. */
  readonly first: number
  readonly lines: ReadonlyArray<string>
}

interface BodyLine {
  readonly text: string
  readonly line: number
}

interface HttpRequest {
  readonly line: number
  readonly verb: string
  readonly target: string
  readonly headers: ReadonlyArray<string>
  readonly body: ReadonlyArray<BodyLine>
  readonly comments: ReadonlyArray<string>
  readonly name?: string | undefined
  /** Scripts, settings and references to responses. */
  readonly left: ReadonlyArray<Left>
}

interface Left {
  readonly at: number
  readonly what: string
}

const splitBlocks = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<{ title: string; first: number; lines: Array<string> }> = [{ title: "", first: 1, lines: [] }]
  text.split(/\r\n|\n|\r/).forEach((line, index) => {
    const [, title] = /^###+([^]*)$/.exec(line) ?? []
    if (title === undefined) blocks.at(-1)?.lines.push(line)
    else blocks.push({ title: title.trim(), first: index + 2, lines: [] })
  })
  return blocks
}

/** Comments, names and scripts above the line of the request. */
const leadingLines = ({ first, lines }: Block) => {
  const comments: Array<string> = []
  const left: Array<Left> = []
  let inScript = false
  let name: string | undefined
  let index = 0
  for (; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim()
    if (inScript || /^<\s/.test(line)) {
      if (!inScript) left.push({ at: first + index, what: "a script" })
      inScript = (inScript || /^<\s*\{%/.test(line)) && !line.includes("%}")
      continue
    }
    const [, directive, value] = /^(?:#|\/\/)\s*@([\w-]+)(.*)$/.exec(line) ?? []
    if (directive === "name" && value !== undefined)
      name = value
        .trim()
        .replace(/^=\s*/, "")
        .replace(/\W+/g, "_")
        .replace(/^(?=\d)/, "_")
    else if (/^(#|\/\/)/.test(line)) {
      if (directive !== undefined) left.push({ at: first + index, what: `@${directive}` })
      comments.push(line.replace(/^(#+|\/\/)\s?/, ""))
    } else if (line !== "" && !/^@[\w-]+\s*=/.test(line)) break
  }
  return { comments, name, index, left }
}

const readBlock = (block: Block): HttpRequest | undefined => {
  const { lines, first } = block
  const { comments, index: start, left: before, name } = leadingLines(block)
  const requestLine = lines[start]
  if (requestLine === undefined) return undefined
  const [, verb = "GET", written = ""] = /^(?:([A-Z]+)(?:\s+|$))?(.*)$/.exec(requestLine.trim()) ?? []
  let target = written.replace(/(?<!\s)\s+HTTP\/[\d.]+$/, "")
  let index = start + 1
  while (/^\s+[?&]/.test(lines[index] ?? "")) target += (lines[index++] ?? "").trim()
  const headers: Array<string> = []
  for (; index < lines.length && (lines[index] ?? "").trim() !== ""; index++) {
    const line = (lines[index] ?? "").trim()
    if (/^(#|\/\/)/.test(line)) comments.push(line.replace(/^(#+|\/\/)\s?/, ""))
    else headers.push(line)
  }
  const body: Array<BodyLine> = []
  const left: Array<Left> = [...before]
  let inScript = false
  for (; index < lines.length; index++) {
    const line = lines[index] ?? ""
    const at = first + index
    if (inScript || /^\s*[<>]\s*\{%/.test(line)) {
      if (!inScript) left.push({ at, what: "a script" })
      inScript = !line.includes("%}")
    } else if (/^\s*(<>|>>!?|>)\s/.test(line)) left.push({ at, what: "a file for the response" })
    else if (/^\?\?\s/.test(line)) left.push({ at, what: "an assertion" })
    else body.push({ text: line, line: at })
  }
  return { line: first + start, verb, target, headers, body, comments, name, left }
}

const readBody = (
  lines: ReadonlyArray<BodyLine>,
  readMentioned: ReadMentioned,
): { readonly text: string } | { readonly problem: string } => {
  const text = lines.map((line) => line.text).join("\n")
  const path = /^<@?(?:\s*\w+)?\s+(\S.*)$/.exec(text.trim())?.[1]
  if (path === undefined) return { text }
  const found = mentionedBody(path, readMentioned, (content) => withNames(content).text)
  return "problem" in found ? { problem: `its body ${found.problem}` } : found
}

/** The variables that calls mention, and those behind them. A URL's own are in the configuration. */
const variablesOf = (
  values: ReadonlyMap<string, Named>,
  secrets: ReadonlySet<string>,
  sections: ReadonlyArray<ConvertedSection>,
): Converted["variables"] => {
  const plain = new Map([...values].flatMap(([name, { strange, text }]) => (strange.length > 0 ? [] : [[name, text]])))
  const used = new Set<string>()
  // A chain of variables may be as long as the file, so this is not recursive.
  const texts = sections.map(({ call }) => call?.params ?? "")
  for (let text = texts.pop(); text !== undefined; text = texts.pop())
    for (const name of namesIn(text)) {
      if (used.has(name)) continue
      used.add(name)
      texts.push(plain.get(name) ?? "")
    }
  return [...plain]
    .filter(([name]) => used.has(name))
    .map(([name, value]) => ({ name, value: secrets.has(name) ? `$secret.${secretName(name)}` : valueText(value) }))
}

/** The host of a request whose own line has only a path. */
const hostIn = (headers: ReadonlyArray<string>): string | undefined =>
  headers.flatMap((header) => /^host\s*:\s*(\S+)$/i.exec(header)?.[1] ?? []).at(0)

/** As the tools decide it. */
const schemeOf = (host: string): string => (/:(?:443|8443)$/.test(host) ? "https://" : "http://")
