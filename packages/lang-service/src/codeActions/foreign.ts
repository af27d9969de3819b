/** Requests of other tools that were pasted into a file: `POST …` with a JSON-RPC body, or a curl command. */
import type { Analysis } from "@dotrpc/analysis"
import type { Span } from "@dotrpc/lang"
import { sectionAt } from "@dotrpc/lang/locate"
import { Redacted } from "effect"
import type { Converted, ConvertedUrl } from "../convert/Converted.ts"
import { readCurl } from "../convert/curl.ts"
import { readHttp } from "../convert/http.ts"
import type { Proposal } from "./CodeAction.ts"

/** The pasted text becomes a call; its URL is left out, as that of a network is in `rpc.config.json`. */
export const foreignActions = (analysis: Analysis, text: string, selected: Span): ReadonlyArray<Proposal> => {
  const section = sectionAt(analysis.tree, selected.start)
  const word = section?.call?.method
  const reader = word === undefined ? undefined : readers.find(({ begins }) => begins.test(word.text))
  if (section === undefined || word === undefined || reader === undefined || selected.start < word.start) return []
  const pasted = text.slice(word.start, section.end).trimEnd()
  const converted = reader.read(pasted)
  const [first, ...others] = converted.sections
  if (first?.call === undefined || others.length > 0) return []
  const isSaid = section.directives.some(({ name }) => name.text === "network")
  const network = networkAt(analysis, first.url) ?? (isSaid ? undefined : newId(analysis, first.url?.host))
  const lineBreak = /\r\n|\r|\n/.exec(text)?.[0] ?? "\n"
  const { comments = [], method, params } = first.call
  const lines = [
    ...comments.map((line) => `# ${line}`),
    ...(network === undefined ? [] : [`# @network ${network}`]),
    `${method} ${params}`.trimEnd(),
  ]
  return [
    {
      title: `Convert this ${reader.what} to a call`,
      kind: "quickfix",
      code: "L002",
      edits: [{ start: word.start, end: word.start + pasted.length, text: lines.join(lineBreak) }],
    },
  ]
}

const readers: ReadonlyArray<{
  readonly begins: RegExp
  readonly what: string
  readonly read: (text: string) => Converted
}> = [
  { begins: /^(GET|POST|PUT)$/, what: "HTTP request", read: (text) => readHttp(text, () => undefined) },
  { begins: /^curl$/, what: "curl command", read: (text) => readCurl(text, () => undefined) },
]

/** The network of the project on the same host, when there is exactly one. */
const networkAt = ({ workspace }: Analysis, url: ConvertedUrl | undefined): string | undefined => {
  const host = hostOf(url?.url)
  const found = workspace.networks.filter(
    ({ network }) => host !== undefined && network.url !== undefined && hostOf(Redacted.value(network.url)) === host,
  )
  return found.length === 1 ? found[0]?.network.id : undefined
}

/** A name that no network has yet, so that the call goes nowhere until somebody says where. */
const newId = ({ workspace }: Analysis, host = "unknown"): string => {
  const taken = new Set(workspace.networks.map(({ network }) => network.id))
  let id = host
  for (let number = 2; taken.has(id); number++) id = `${host}-${number}`
  return id
}

const hostOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).host || undefined : undefined
