/** Writes what was read from another tool as saved requests. */
import { format, isSyntaxError, parse } from "@dotrpc/lang"
import type { ConvertedCall, ConvertedUrl, Converted, ConvertedSection } from "./Converted.ts"

/** A network that the requests need, for `rpc.config.json`. */
export interface WrittenNetwork {
  readonly id: string
  readonly plugin: string
  readonly methodWord?: string | undefined
  readonly jsonrpc?: "1.0" | undefined
  /** Absent where it is not known: the network cannot be used until somebody writes it. */
  readonly url?: string | undefined
  readonly secrets: ReadonlyArray<string>
}

/** The text of requests that were made from another format. */
export interface WrittenRequests {
  readonly text: string
  /** How many calls it has. */
  readonly calls: number
  readonly networks: ReadonlyArray<WrittenNetwork>
  /** Requests that could not be written as such, and are kept as comments. */
  readonly problems: ReadonlyArray<string>
}

/** Which networks answer a method, and by which word in its name. */
export type Family = Pick<WrittenNetwork, "methodWord" | "plugin">

/** A network that is there already, as the configuration has it. */
export type ConfiguredNetwork = Partial<Omit<WrittenNetwork, "id" | "secrets">>

/**
 * `familyOf` tells which plugin a method belongs to. Of the networks that are there already, those with the same address are used, and no name of
 * another one is given to a new one.
 */
export const writeRequests = (
  converted: Converted,
  familyOf: (method: string) => Family,
  configured: ReadonlyMap<string, ConfiguredNetwork> = new Map(),
): WrittenRequests => {
  const problems: Array<string> = []
  const byUrl = networksOf(converted.sections, familyOf, configured)
  const [main] = byUrl.values()
  const networks = [...byUrl.values()].filter(({ id }) => !configured.has(id))
  const prelude = [
    ...(main === undefined ? [] : [`# @network ${main.id}`]),
    ...converted.variables.map(({ name, value }) => `@${name} = ${value}`),
  ]
  const names = new Set<string>()
  const parts = converted.sections.map((section) => {
    const { call, url } = section
    const network = call && url && byUrl.get(keyOf(networkFor(call, url, familyOf), url.host))
    const id = section.network ?? (network === main ? undefined : network?.id)
    const here = id === undefined ? [] : [`# @network ${id}`]
    const name = section.name === undefined || names.has(section.name) ? undefined : section.name
    if (name !== undefined) names.add(name)
    const written = writeSection(section, name, here)
    if (section.call === undefined || isRight(written)) return written
    problems.push(`"${titleOf(section)}" is not a valid request here; it is kept as a comment`)
    return writeSection(
      { ...section, comments: [...section.comments, ...written.split("\n")], checks: [] },
      undefined,
      [],
    )
  })
  const text = format([prelude.join("\n"), ...parts].filter((part) => part !== "").join("\n\n") + "\n")
  return { text, calls: parse(text).tree.sections.filter(({ call }) => call !== undefined).length, networks, problems }
}

/** Comments must not read as directives, and a title is one line. */
const writeSection = (
  section: ConvertedSection,
  name: string | undefined,
  directives: ReadonlyArray<string>,
): string => {
  const { call, checks } = section
  const comments = [...section.comments, ...(call?.comments ?? [])]
  const title = titleOf(section)
  const remarks = comments.map((line) => (line.trim() === "" ? "#" : `# ${line.replace(/^(\s*)@/, "$1(at) ")}`))
  if (call === undefined && title === "") return remarks.join("\n")
  return [
    `### ${title || call?.method || ""}`.trimEnd(),
    ...remarks,
    ...(name === undefined ? [] : [`# @name ${name}`]),
    ...directives,
    ...(call === undefined ? [] : [`${call.method} ${call.params}`.trimEnd()]),
    ...checks.map((check) => `?? ${check}`),
  ].join("\n")
}

/** Free of keys, so it can be cut. Each call of a batch repeats it. */
const titleOf = ({ title }: ConvertedSection): string => {
  const line = title
    .slice(0, 10 * longestTitle)
    .replace(/\s+/g, " ")
    .trim()
  // Half of a character is not one.
  return line.length > longestTitle
    ? `${line
        .slice(0, longestTitle)
        .replace(/[\uD800-\uDBFF]$/, "")
        .trimEnd()}…`
    : line
}

const longestTitle = 200

const isRight = (section: string): boolean => {
  const { diagnostics, tree } = parse(section)
  return tree.sections.length === 1 && tree.sections[0]?.call !== undefined && !diagnostics.some(isSyntaxError)
}

/** One for each URL and plugin, the first of each host by the host's own name. */
const networksOf = (
  sections: ReadonlyArray<ConvertedSection>,
  familyOf: (method: string) => Family,
  configured: ReadonlyMap<string, ConfiguredNetwork>,
): ReadonlyMap<string, WrittenNetwork> => {
  const networks = new Map<string, WrittenNetwork>()
  const ids = new Set(configured.keys())
  const known = new Map(
    [...configured].flatMap(([id, network]) => (network.url === undefined ? [] : [[keyOf(network), id]])),
  )
  const numbers = new Map<string, number>()
  for (const { url, call } of sections) {
    if (url === undefined || call === undefined) continue
    const network = networkFor(call, url, familyOf)
    const key = keyOf(network, url.host)
    if (networks.has(key)) continue
    const there = known.get(key)
    if (there !== undefined) {
      networks.set(key, { ...network, id: there, secrets: url.secrets })
      continue
    }
    let id = url.host
    let number = numbers.get(id) ?? 2
    while (ids.has(id)) id = `${url.host}-${number++}`
    numbers.set(url.host, number)
    ids.add(id)
    networks.set(key, { ...network, id, secrets: url.secrets })
  }
  return networks
}

const networkFor = (
  { jsonrpc, method }: ConvertedCall,
  { url }: ConvertedUrl,
  familyOf: (method: string) => Family,
): Family & Pick<WrittenNetwork, "jsonrpc" | "url"> => ({ ...familyOf(method), jsonrpc, url })

/** Of networks without an address, the names make the difference. */
const keyOf = ({ jsonrpc, methodWord, plugin, url }: ConfiguredNetwork, host?: string): string =>
  JSON.stringify([plugin, methodWord, jsonrpc, url, url === undefined ? host : undefined])
