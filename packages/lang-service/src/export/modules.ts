/** Requests as a JavaScript module that calls them with a client library and prints the results. */
import { Json, Visible, wireName } from "@dotrpc/spec"
import { type Endpoint, endpointOf } from "./endpoint.ts"
import type { ExportedCall, LeftOutCall } from "./ExportedCall.ts"
import type { LiteralKeys } from "./LiteralKeys.ts"
import { scriptNames, scriptObstacle, scriptText, scriptValue } from "./script.ts"
import { namesIn, paramTemplate } from "./template.ts"

/** A client library. */
export interface Library {
  /** Why it cannot make a call; `undefined` when it can. */
  readonly obstacle: (call: ExportedCall) => string | undefined
  /** The line that imports what is used, and the names that it takes. */
  readonly imports: { readonly line: string; readonly names: ReadonlyArray<string> }
  /** Lines that make a client of this name. URL, and names and values of headers, are expressions. */
  readonly client: (
    name: string,
    url: string,
    headers: ReadonlyArray<readonly [name: string, value: string]>,
  ) => ReadonlyArray<string>
  /** An expression that makes the call. */
  readonly call: (client: string, method: string, params: Json.Json) => string
}

const arraysOnly = ({ params }: ExportedCall, library: string): string | undefined =>
  Json.isArray(params) ? undefined : `${library} sends params as an array, and these are an object`

/** https://viem.sh/docs/clients/custom */
export const viem: Library = {
  obstacle: (call) =>
    call.method.plugin === "evm"
      ? (arraysOnly(call, "viem") ?? scriptObstacle(call.params, "takes numbers"))
      : "viem calls Ethereum networks only",
  imports: { line: `import { createPublicClient, http } from "viem"`, names: ["createPublicClient", "http"] },
  client: (name, url, headers) => [
    `const ${name} = createPublicClient({ transport: http(${[url, ...optionsWith("fetchOptions", headers)].join(", ")}) })`,
  ],
  call: (client, method, params) =>
    `${client}.request({ method: ${JSON.stringify(method)}, params: ${scriptValue(params)} })`,
}

/** https://docs.ethers.org/v6/api/providers/jsonrpc/ */
export const ethers: Library = {
  obstacle: (call) =>
    call.method.plugin === "evm"
      ? (arraysOnly(call, "ethers") ?? scriptObstacle(call.params, "takes numbers"))
      : "ethers calls Ethereum networks only",
  imports: {
    line: `import { FetchRequest, JsonRpcProvider } from "ethers"`,
    names: ["FetchRequest", "JsonRpcProvider"],
  },
  client: (name, url, headers) =>
    headers.length === 0
      ? [`const ${name} = new JsonRpcProvider(${url})`]
      : [
          `const ${name}Request = new FetchRequest(${url})`,
          ...headers.map(([header, value]) => `${name}Request.setHeader(${header}, ${value})`),
          `const ${name} = new JsonRpcProvider(${name}Request)`,
        ],
  call: (client, method, params) => `${client}.send(${JSON.stringify(method)}, ${scriptValue(params)})`,
}

/** https://github.com/anza-xyz/kit: a function for each method, with the params by position. */
export const kit: Library = {
  obstacle: (call) =>
    call.method.plugin === "token-accounts"
      ? (arraysOnly(call, "@solana/kit") ?? scriptObstacle(call.params, "takes bigints"))
      : "@solana/kit calls Solana networks only",
  imports: { line: `import { createSolanaRpc } from "@solana/kit"`, names: ["createSolanaRpc"] },
  client: (name, url, headers) => [
    `const ${name} = createSolanaRpc(${[url, ...headersObject(headers).map((object) => `{ headers: ${object} }`)].join(", ")})`,
  ],
  call: (client, method, params) =>
    `${client}.${method}(${Json.isArray(params) ? params.map((param) => scriptValue(param)).join(", ") : ""}).send()`,
}

/** `{ "Name": value }`; nothing without headers. */
const headersObject = (headers: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> =>
  headers.length === 0 ? [] : [`{ ${headers.map(([name, value]) => `${name}: ${value}`).join(", ")} }`]

const optionsWith = (member: string, headers: ReadonlyArray<readonly [string, string]>): ReadonlyArray<string> =>
  headersObject(headers).map((object) => `{ ${member}: { headers: ${object} } }`)

/** The module. What is left out is a comment in its place. */
export const scriptOf = (
  library: Library,
  requests: ReadonlyArray<ExportedCall | LeftOutCall>,
  keys: LiteralKeys,
): string => {
  const nameOf = scriptNames(library.imports.names)
  const clients = new Map<string, string>()
  const firsts = new Set<string>()
  const needed = new Set<string>()
  const declared: Array<string> = []
  const clientFor = (call: ExportedCall): string => {
    const endpoint = endpointOf(call, keys)
    const key = `${call.network.id} ${JSON.stringify(endpoint)}`
    const known = clients.get(key)
    if (known !== undefined) return known
    const name = nameOf(call.network.id)
    clients.set(key, name)
    if (endpoint.first !== undefined) firsts.add(endpoint.first)
    const texts = [endpoint.url, endpoint.credentials ?? [], ...endpoint.headers.map(([, value]) => value)]
    for (const needs of namesIn(texts)) needed.add(needs)
    declared.push(...library.client(name, scriptText(endpoint.url), headersOf(endpoint)))
    return name
  }
  const blocks = requests.map((request) => {
    if ("reason" in request) return [`// ${Visible.line(request.label)}: ${leftOutWords(request)}`]
    const client = clientFor(request)
    for (const needs of namesIn([paramTemplate(Json.stringify(request.params))])) needed.add(needs)
    const result = nameOf(request.label)
    const made = library.call(client, wireName(request.method, request.network), request.params)
    return [
      `// ${Visible.line(request.label)}`,
      ...(request.notes ?? []).map((note) => `// ${Visible.line(note)}`),
      `const ${result} = await ${made}`,
      `console.log(${JSON.stringify(result)}, ${result})`,
    ]
  })
  const comments = [
    ...firsts,
    ...(needed.size === 0 ? [] : [`Set ${[...needed].join(", ")} in the environment first.`]),
  ]
  return [
    ...comments.map((line) => `// ${line}`),
    library.imports.line,
    "",
    ...declared,
    ...blocks.flatMap((lines) => ["", ...lines]),
    "",
  ].join("\n")
}

export const leftOutWords = ({ reason }: LeftOutCall): string => `not exported: ${Visible.line(reason)}.`

const headersOf = ({ credentials, headers }: Endpoint): ReadonlyArray<readonly [name: string, value: string]> => [
  ...(credentials === undefined ? [] : [[`"Authorization"`, `"Basic " + btoa(${scriptText(credentials)})`] as const]),
  ...headers.map(([name, value]) => [JSON.stringify(name), scriptText(value)] as const),
]
