/** Reads `.http` files, as REST Client, JetBrains IDEs and httpYac write them, whose bodies are JSON-RPC. */
import { readAddress, secretName } from "./addresses.ts"
import type { Address, Converted, ConvertedSection, ReadMentioned } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"

/** Every request of the file. What is no JSON-RPC is kept as comments and told. */
export const readHttp = (text: string, readMentioned: ReadMentioned): Converted => {
  const problems: Array<{ line: number; message: string }> = []
  const values = new Map<string, string>()
  const secretNames = new Set<string>()
  const sections: Array<ConvertedSection> = []
  const blocks = splitBlocks(text)
  for (const { lines } of blocks) {
    for (const line of lines) {
      const [, name, value] = /^@([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) values.set(name, value)
    }
  }
  for (const block of blocks) {
    const request = readBlock(block)
    if (request === undefined) {
      const { comments } = leadingLines(block)
      if (comments.length > 0) sections.push({ title: block.title, comments, checks: [] })
      continue
    }
    const { target, headers, comments, name, line } = request
    const problem = (message: string, at = line) => problems.push({ line: at, message })
    const address = readAddress(target, (variable) => values.get(variable))
    for (const used of target.matchAll(/\{\{\s*(\w+)\s*\}\}/g)) {
      const variable = used[1] ?? ""
      if (address?.secrets.includes(secretName(variable)) === true) secretNames.add(variable)
    }
    if (address === undefined) problem("its address cannot be read: no network is written for it")
    const unusual = headers.map((header) => header.split(":", 1)[0]?.trim() ?? "").filter((header) => !isUsual(header))
    if (unusual.length > 0) problem(`headers are not sent by .rpc files; left out: ${unusual.join(", ")}`)
    for (const { at, what } of request.left) problem(`${what} is not taken over`, at)
    const body = readBody(request.body, readMentioned)
    const calls = "problem" in body ? body : readJsonRpc(withNames(body.text))
    const strange = "problem" in body ? undefined : strangeName(body.text)
    if ("problem" in calls || strange !== undefined) {
      const why = strange === undefined && "problem" in calls ? calls.problem : `{{${strange}}} has no meaning here`
      problem(`no call is made of this request: ${why}; it is kept as a comment`)
      const content = request.body
        .map((bodyLine) => bodyLine.text)
        .join("\n")
        .replace(/^\s*\n|\s+$/g, "")
      const kept = [`${request.verb} ${shown(address)}`, ...(content === "" ? [] : content.split("\n"))]
      sections.push({ title: block.title, comments: [...comments, ...kept], checks: [] })
      continue
    }
    calls.forEach((call, index) => {
      sections.push({
        title: block.title || call.method,
        comments: index === 0 ? comments : [],
        ...(name === undefined || index > 0 ? {} : { name }),
        call,
        ...(address === undefined ? {} : { address }),
        checks: [],
      })
    })
  }
  return { variables: variablesOf(values, secretNames, sections), sections, problems }
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
  readonly name?: string
  /** Scripts and references to responses. */
  readonly left: ReadonlyArray<{ readonly at: number; readonly what: string }>
}

const splitBlocks = (text: string): ReadonlyArray<Block> => {
  const blocks: Array<{ title: string; first: number; lines: Array<string> }> = [{ title: "", first: 1, lines: [] }]
  text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\n|\r/)
    .forEach((line, index) => {
      const [, title] = /^###+\s*(.*?)\s*$/.exec(line) ?? []
      if (title === undefined) blocks.at(-1)?.lines.push(line)
      else blocks.push({ title, first: index + 2, lines: [] })
    })
  return blocks
}

/** Comments and names above the line of the request. */
const leadingLines = ({ lines }: Block) => {
  const comments: Array<string> = []
  let name: string | undefined
  let index = 0
  for (; index < lines.length; index++) {
    const line = (lines[index] ?? "").trim()
    const [, directive, value] = /^(?:#|\/\/)\s*@([\w-]+)\s*=?\s*(.*)$/.exec(line) ?? []
    if (directive === "name" && value !== undefined)
      name = value
        .trim()
        .replace(/\W+/g, "_")
        .replace(/^(?=\d)/, "_")
    else if (/^(#|\/\/)/.test(line)) comments.push(line.replace(/^(#+|\/\/)\s?/, ""))
    else if (line !== "" && !/^@[\w-]+\s*=/.test(line)) break
  }
  return { comments, name, index }
}

const readBlock = (block: Block): HttpRequest | undefined => {
  const { lines, first } = block
  const { comments, index: start, name } = leadingLines(block)
  const requestLine = lines[start]
  if (requestLine === undefined) return undefined
  const [, verb = "GET", written = ""] = /^\s*(?:([A-Z]+)\s+)?(.*?)(?:\s+HTTP\/[\d.]+)?\s*$/.exec(requestLine) ?? []
  let target = written
  let index = start + 1
  while (/^\s+[?&]/.test(lines[index] ?? "")) target += (lines[index++] ?? "").trim()
  const headers: Array<string> = []
  for (; index < lines.length && (lines[index] ?? "").trim() !== ""; index++) {
    const line = (lines[index] ?? "").trim()
    if (/^(#|\/\/)/.test(line)) comments.push(line.replace(/^(#+|\/\/)\s?/, ""))
    else headers.push(line)
  }
  const body: Array<BodyLine> = []
  const left: Array<{ at: number; what: string }> = []
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
  return { line: first + start, verb, target, headers, body, comments, ...(name === undefined ? {} : { name }), left }
}

const readBody = (
  lines: ReadonlyArray<BodyLine>,
  readMentioned: ReadMentioned,
): { readonly text: string } | { readonly problem: string } => {
  const text = lines.map((line) => line.text).join("\n")
  const path = /^\s*<@?(?:\s*\w+)?\s+(\S.*?)\s*$/.exec(text)?.[1]
  if (path === undefined) return { text }
  const found = readMentioned(path)
  return found === undefined ? { problem: `its body is in ${path}, which cannot be read` } : { text: found }
}

/** Names of other tools in the words of this language. */
const withNames = (body: string): string =>
  body
    .replace(/\{\{\s*\$(?:processEnv|dotenv|env)[\s.]+%?(\w+)\s*\}\}/g, "{{$env.$1}}")
    .replace(/\{\{\s*\$timestamp\s*\}\}/g, "{{now()}}")
    .replace(/\{\{\s*(\w+)\.response\.body\.(?:\$\.)?([^{}]+?)\s*\}\}/g, "{{$1.$2}}")
    .replace(/\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g, (_, name: string) => `{{${name.replace(/-/g, "_")}}}`)

/** What neither has a meaning here nor can be given one, such as `$guid`. */
const strangeName = (body: string): string | undefined =>
  [...withNames(body).matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)]
    .map(([, expression = ""]) => expression)
    .find((expression) => expression.startsWith("$") && !/^\$env\.\w+$/.test(expression))

/** The variables that calls mention, and those behind them. An address's own are in the configuration. */
const variablesOf = (
  values: ReadonlyMap<string, string>,
  secrets: ReadonlySet<string>,
  sections: ReadonlyArray<ConvertedSection>,
): Converted["variables"] => {
  const plain = new Map([...values].map(([name, value]) => [name.replace(/-/g, "_"), withNames(value)]))
  const mentioned = (text: string) => [...text.matchAll(/\{\{\s*(\w+)[^{}]*\}\}/g)].map(([, name = ""]) => name)
  const used = new Set<string>()
  const follow = (text: string): void => {
    for (const name of mentioned(text)) {
      if (used.has(name)) continue
      used.add(name)
      follow(plain.get(name) ?? "")
    }
  }
  for (const { call } of sections) follow(call?.params ?? "")
  return [...plain]
    .filter(([name]) => used.has(name))
    .map(([name, value]) => ({ name, value: secrets.has(name) ? `$secret.${secretName(name)}` : valueText(value) }))
}

/** The text that `.http` files paste, as the JSON value it would become. */
const valueText = (value: string): string => {
  if (/^(-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?|true|false|null|"([^"\\]|\\.)*")$/.test(value)) return value
  if (/^\{\{[^{}]*\}\}$/.test(value)) return value
  return /^[[{](?!\{)/.test(value) ? value : JSON.stringify(value)
}

const isUsual = (header: string): boolean => /^(content-type|accept|content-length|host|user-agent)$/i.test(header)

const shown = (address: Address | undefined): string => address?.url ?? "an address that could not be read"
