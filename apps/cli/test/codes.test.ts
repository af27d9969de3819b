/** docs/codes.md: a section for every code, and examples that do what it says. */
import { problemCodes } from "@dotrpc/analysis"
import { format } from "@dotrpc/lang"
import { diagnosticCodes } from "@dotrpc/lang/docs"
import { internalErrorCode } from "@dotrpc/runner"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Block, type CodeSection, codesPage, readSections } from "../src/CodePage.ts"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { bundledMeter } from "./ownPlugin/bundledMeter.ts"

const sections = readSections(codesPage())

/** Every reason of a failed call by its code, as the source declares it. */
const reasons = new Map(
  [
    ...readFileSync(new URL("../../../packages/spec/src/RpcReason.ts", import.meta.url), "utf8").matchAll(
      /class (\w+) extends Data\.TaggedError\("\1"\)[\s\S]*?readonly code = "(RPC-\d{4})"/g,
    ),
  ].map(([, tag = "", code = ""]) => [code, tag]),
)

describe("the page of codes", () => {
  it("has one section for every code, and no other", () => {
    const codes = [...Object.keys(diagnosticCodes), ...Object.keys(problemCodes), ...reasons.keys(), internalErrorCode]
    expect(reasons.size).toBeGreaterThan(15)
    expect(sections.map(({ code }) => code).toSorted()).toEqual(codes.toSorted())
  })

  it("names each code as the source does", () => {
    for (const { code, kind, summary } of sections) {
      const syntax = diagnosticCodes[code as keyof typeof diagnosticCodes] as
        | (typeof diagnosticCodes)[keyof typeof diagnosticCodes]
        | undefined
      const meaning = problemCodes[code as keyof typeof problemCodes] as string | undefined
      if (syntax !== undefined)
        expect({ code, kind, summary }).toEqual({ code, kind: syntax.severity, summary: syntax.summary })
      else if (meaning !== undefined) expect({ code, summary }).toEqual({ code, summary: meaning })
      else expect({ code, kind }).toEqual({ code, kind: reasons.get(code) ?? "Internal" })
      expect(summary).not.toBe("")
    }
  })

  it("shows each code wrong and right, and ends with what to do", () => {
    for (const { blocks, code } of sections) {
      const marks = blocks.flatMap(({ kind, text }) => (kind === "paragraph" && isMark(text) ? [text] : []))
      expect([code, ...marks]).toEqual(code === internalErrorCode ? [code] : [code, "Wrong:", "Right:"])
      expect([code, blocks[0]?.kind, blocks.at(-1)?.kind]).toEqual([code, "paragraph", "paragraph"])
    }
  })
})

type Files = Readonly<Record<string, string>>

const isMark = (text: string) => text === "Wrong:" || text === "Right:"

const request = "requests.rpc"

/** The files of an example: a fence is the one that the line above it names, or else the requests. */
const filesOf = (blocks: ReadonlyArray<Block>): Files =>
  Object.fromEntries(
    blocks.flatMap((block, index) => {
      if (block.kind !== "fence") return []
      const [, name] = /^`([\w.]+)`:$/.exec(blocks[index - 1]?.text ?? "") ?? []
      if (name === undefined && block.info === "sh") return []
      return [[name ?? request, `${block.text}\n`]]
    }),
  )

/** The configuration of a failed call that shows none, as the page says. */
const mainnet = '{ "networks": { "mainnet": { "plugin": "evm", "url": "https://mainnet.example/rpc" } } }'

/** An example before and after; files that the second does not show stay as they are. */
const examplesOf = ({ blocks, code }: CodeSection): { readonly wrong: Files; readonly right: Files } => {
  const [from, until] = ["Wrong:", "Right:"].map((mark) => blocks.findIndex(({ text }) => text === mark))
  const shown = filesOf(blocks.slice(from, until))
  const wrong = code.startsWith("RPC-") && code in failures ? { "rpc.config.json": mainnet, ...shown } : shown
  return { wrong, right: { ...wrong, ...filesOf(blocks.slice(until)) } }
}

/** Brackets and parts that a page only hints at. */
const longer: Readonly<Record<string, (text: string) => string>> = {
  L003: (text) => text.replace(/\[+/, "[".repeat(501)).replace(/\]+/, "]".repeat(501)),
  L409: (text) => text.replace("1 + 1", `1${" + 1".repeat(500)}`),
}

/** Codes that cannot come alone. */
const besides: Readonly<Record<string, ReadonlyArray<string>>> = {
  // The value is taken for the next key.
  L312: ["L313 error"],
  // The comment reaches to the end of the section, and so past the brackets around it.
  L319: ["L304 error"],
}

interface Given {
  readonly args?: ReadonlyArray<string>
  readonly env?: Files
  readonly files?: () => Promise<Files>
}

/** The plugin of a project, with everything it needs, and without networks of its own. */
const meter = (): Promise<Files> => (builtMeter ??= buildMeter())

let builtMeter: Promise<Files> | undefined

const buildMeter = async (): Promise<Files> => ({
  "bundle.mjs": await bundledMeter(),
  "meter.mjs": 'import { plugin as own } from "./bundle.mjs"\nexport const plugin = { ...own, networks: [] }\n',
})

/** What an example needs besides its files, before and after. */
const given: Readonly<Record<string, { readonly wrong?: Given; readonly right?: Given }>> = {
  A106: { wrong: { args: ["--trust"], files: meter }, right: { args: ["--trust"], files: meter } },
  A206: { right: { env: { FROM_BLOCK: "0x1" } } },
  A315: { wrong: { args: ["--trust"], files: meter }, right: { args: ["--trust"], files: meter } },
  A502: { right: { args: ["--trust"] } },
}

const inFolder = (files: Files): string => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, ".git"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe("the example of a problem", () => {
  const check = async (files: Files, { args = [], env = {}, files: more }: Given = {}) => {
    const place = { cwd: inFolder({ ...files, ...(await more?.()) }), env }
    const { stdout } = await startAt(place, "check", request, "--format", "json", ...args).outcome
    const report = JSON.parse(stdout) as {
      readonly files: ReadonlyArray<{
        readonly diagnostics: ReadonlyArray<{
          readonly code: string
          readonly severity: string
          readonly message: string
        }>
      }>
    }
    const found = report.files.flatMap(({ diagnostics }) => diagnostics)
    // As they follow a place; names such as JSON and HTTP stay as they are.
    for (const { message } of found) expect(message).toMatch(/^(?![A-Z][a-z ])/)
    return [...new Set(found.map(({ code, severity }) => `${code} ${severity}`))]
  }

  const inFiles = sections.filter(({ code }) => /^[AL]/.test(code) && failures[code] === undefined)
  for (const section of inFiles) {
    const { code, kind } = section
    it(code, async () => {
      const { right, wrong } = examplesOf(section)
      const long = longer[code] ?? ((text) => text)
      const found = await check({ ...wrong, [request]: long(wrong[request] ?? "") }, given[code]?.wrong)
      expect(found.toSorted()).toEqual([...(besides[code] ?? []), `${code} ${kind}`].toSorted())
      expect(await check(right, given[code]?.right)).toEqual([])
      for (const [name, text] of Object.entries(right)) if (name.endsWith(".rpc")) expect(format(text)).toBe(text)
    })
  }
})

/** What the server of an example gets: which of the two it is, the path and the body, and how many requests came before. */
interface Asked {
  readonly example: "wrong" | "right"
  readonly path: string
  readonly body: string
  readonly before: number
}

/** A reply: a status and a body, or nothing at all. */
type Reply = readonly [status: number, body: string] | "none"

const rpcError = (code: number, message: string): Reply => [
  200,
  JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } }),
]

/** When the server of an example fails, and how. It answers all other requests. */
const failures: Readonly<Record<string, (asked: Asked) => Reply | undefined>> = {
  "RPC-2001": ({ body }) =>
    body.includes("0x100000") ? rpcError(-32005, "query returned more than 10000 results") : undefined,
  "RPC-2002": ({ before }) => (before === 0 ? [429, "too many requests"] : undefined),
  "RPC-2003": ({ path }) => (path === "/rpc" ? [402, "daily credits used up"] : undefined),
  "RPC-2004": () => undefined,
  "RPC-2005": ({ body }) =>
    body.includes("0x3333") && body.includes("0x1111")
      ? rpcError(-32602, "query contains 3 filters. the current limit is 2")
      : undefined,
  "RPC-2006": ({ body }) => (body.includes('"latest"') ? undefined : rpcError(-32000, "missing trie node")),
  "RPC-2007": ({ body }) => (/"fromBlock":"latest"/.test(body) ? rpcError(-32602, "invalid block range") : undefined),
  "RPC-2008": ({ body }) => (body.includes("0xabab") ? rpcError(-32000, "unknown block") : undefined),
  "RPC-2009": ({ before }) =>
    before === 0 ? rpcError(-32016, "Minimum context slot has not been reached") : undefined,
  "RPC-2010": ({ path }) => (path === "/rpc" ? [401, "unauthorized"] : undefined),
  "RPC-2011": ({ example }) => (example === "wrong" ? "none" : undefined),
  "RPC-2012": ({ before }) => (before === 0 ? [503, "restarting"] : undefined),
  "RPC-2013": ({ path }) => (path === "/website" ? [200, "<html>"] : undefined),
  "RPC-2014": ({ path }) => (path === "/nowhere" ? [404, "not found"] : undefined),
  "RPC-2015": () => undefined,
  "RPC-2016": ({ body }) =>
    body.includes("address") ? undefined : rpcError(-32005, "query returned more than 10000 results"),
  "RPC-2020": () => undefined,
  "RPC-2021": ({ path }) =>
    path === "/rpc"
      ? [
          402,
          '{"x402Version":1,"error":"X-PAYMENT header is required","accepts":[{"scheme":"exact","network":"base","maxAmountRequired":"1000","asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913"}]}',
        ]
      : undefined,
  "RPC-2019": ({ body }) => (body.includes("0x400") ? [200, " ".repeat(65_537)] : undefined),
  // These are problems of a run: `check` needs no secret.
  A207: () => undefined,
  A503: () => undefined,
}

/** Failures that no run of an example can have; the tests of their packages cover them. */
const elsewhere = ["RPC-2017", "RPC-2018", "RPC-2022", "RPC-2023", "RPC-2024", internalErrorCode]

describe("the example of a failed call", () => {
  let failing: (asked: Asked) => Reply | undefined = () => undefined
  let example: Asked["example"] = "wrong"
  const asked: Array<string> = []
  const waiting: Array<ServerResponse> = []
  const node = createServer((incoming, response) => {
    let body = ""
    incoming.on("data", (chunk: Buffer) => (body += chunk.toString()))
    incoming.on("end", () => {
      const reply = failing({ example, path: incoming.url ?? "", body, before: asked.length })
      asked.push(body)
      if (reply === "none") return waiting.push(response)
      const id = /"id":(\d+)/.exec(body)?.[1] ?? "1"
      const result = body.includes("getTokenAccounts")
        ? '{"context":{"slot":1},"value":[]}'
        : body.includes("eth_getStorageAt")
          ? `"0x${"0".repeat(64)}"`
          : body.includes("eth_getBlockRange")
            ? '{"earliest":"0x0","latest":"0x400"}'
            : "[]"
      const [status, text] = reply ?? [200, `{"jsonrpc":"2.0","id":1,"result":${result}}`]
      return response.writeHead(status).end(text.replace('"id":1', `"id":${id}`))
    })
  })
  beforeAll(() => new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve)))
  afterAll(() => {
    for (const response of waiting) response.destroy()
    node.closeAllConnections()
    node.close()
  })

  const port = () => (node.address() as AddressInfo).port

  /** Codes of the requests that failed, with the server instead of the one that the page names. */
  const run = async (files: Files, data: string, ...args: ReadonlyArray<string>) => {
    asked.length = 0
    const here = Object.entries(files).map(([name, text]) => [
      name,
      text
        .replaceAll("https://mainnet.example", `http://127.0.0.1:${port()}`)
        .replaceAll("https://other.example", `http://localhost:${port()}`),
    ])
    const place = {
      cwd: inFolder(Object.fromEntries(here) as Files),
      env: { XDG_DATA_HOME: data, DOTRPC_ALLOW_HOSTS: "" },
    }
    const { stdout } = await startAt(place, "run", request, "--format", "json", ...args).outcome
    const report = JSON.parse(stdout) as {
      readonly files: ReadonlyArray<{
        readonly requests: ReadonlyArray<{ readonly status: string; readonly error?: { readonly id: string } }>
      }>
    }
    const requests = report.files.flatMap((file) => file.requests)
    expect(requests.length).toBeGreaterThan(0)
    return [...new Set(requests.flatMap(({ error, status }) => (status === "ok" ? [] : [error?.id])))]
  }

  for (const section of sections.filter(({ code }) => failures[code] !== undefined)) {
    const { code } = section
    it(code, async () => {
      const { right, wrong } = examplesOf(section)
      const data = temporaryFolder()
      failing = failures[code] ?? (() => undefined)
      example = "wrong"
      expect(await run(wrong, data)).toEqual([code])
      example = "right"
      expect(
        await run(right, data, ...(code === "A503" ? ["--allow-host", `http://localhost:${port()}`] : [])),
      ).toEqual([])
      expect(format(right[request] ?? "")).toBe(right[request])
    })
  }

  it("is run for every reason that a run can have", () => {
    const others = sections.filter(({ code }) => code.startsWith("RPC-") && failures[code] === undefined)
    expect(others.map(({ code }) => code)).toEqual(elsewhere)
  })
})
