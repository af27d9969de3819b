/** `--trace`, against a scripted server. */
import fc from "fast-check"
import { writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

type Reply = (response: ServerResponse, id: string) => void

const result: Reply = (response, id) => response.end(`{"jsonrpc":"2.0","id":${id},"result":[]}`)

const replies = {
  result,
  error: (response, id) => response.end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no"}}`),
  limited: (response) => response.writeHead(429, { "retry-after": "0" }).end("Too Many Requests"),
  broken: (response) => response.writeHead(503).end("restarting"),
  refused: (response) => response.writeHead(400).end("what?"),
  cut: (response) => response.writeHead(200, { "content-length": "100" }).write("{", () => response.destroy()),
  nothing: (response) => void response.destroy(),
} as const satisfies Readonly<Record<string, Reply>>

/** What the server does next; after the last, it answers. */
let script: Array<keyof typeof replies> = []
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk) => (body += String(chunk)))
  request.on("end", () => replies[script.shift() ?? "result"](response, /"id":(\d+)/.exec(body)?.[1] ?? "0"))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => void server.close())

const key = "Zq7xK2mP9vT4wB1n"

const run = async (does: typeof script, text: string, ...more: ReadonlyArray<string>) => {
  script = [...does]
  const cwd = temporaryFolder()
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const networks = {
    node: { plugin: "evm", url: `http://${host}/{{$secret.NODE_KEY}}` },
    evm: { plugin: "evm", url: "embedded:evm" },
  }
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks }))
  writeFileSync(join(cwd, "a.rpc"), text)
  const outcome = await startAt({ cwd, env: { NODE_KEY: key } }, "run", "a.rpc", "--trace", ...more).outcome
  const lines = outcome.stderr.split("\n").filter((line) => /^\d{4}-/.test(line))
  const shown = lines.map((line) =>
    line
      .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, "TIME")
      .replaceAll(host, "HOST")
      .replaceAll(/waited [\d,]+ ms, /g, "")
      .replaceAll(/[\d,]+ ms/g, "N ms"),
  )
  return { ...outcome, lines: shown }
}

const logs = "### logs\n# @network node\neth_getLogs [{}]\n"

describe("--trace", () => {
  const check = (what: string, does: typeof script, text: string, expected: ReadonlyArray<string>) =>
    it(what, async () => expect((await run(does, text)).lines).toEqual(expected))

  check("shows where an attempt went, what came back and what it cost", [], logs, [
    "TIME logs: eth_getLogs on node (HOST), attempt 1 of 5: HTTP 200, 36 bytes, N ms, 255 credits of 255 reserved; ok",
  ])
  check("shows each attempt of a call, and why it waits between them", ["broken"], logs, [
    "TIME logs: eth_getLogs on node (HOST), attempt 1 of 5: HTTP 503, 10 bytes, N ms, 0 credits of 255 reserved; Transport: HTTP 503: restarting",
    "TIME logs: pausing N ms: HTTP 503: restarting",
    "TIME logs: eth_getLogs on node (HOST), attempt 2 of 5: HTTP 200, 36 bytes, N ms, 255 credits of 255 reserved; ok",
  ])
  check("knows how many attempts a request allows", ["nothing"], logs.replace("eth_", "# @retry 0\neth_"), [
    expect.stringMatching(/attempt 1 of 1: N ms, 255 credits of 255 reserved; Transport: /),
  ])
  check("counts no bytes of a reply that broke off", ["cut"], logs.replace("eth_", "# @retry 0\neth_"), [
    expect.stringMatching(/attempt 1 of 1: HTTP 200, N ms, 255 credits of 255 reserved; Transport: /),
  ])
  check("shows what a limit refused", [], logs.replace("eth_", "# @budget 100\neth_"), [
    "TIME logs: eth_getLogs on node (HOST), attempt 1 of 5: not sent, 0 credits of 255 reserved; BudgetRefused: refused: the call needs 255 credits, and # @budget of 100 has 100 left. Nothing was sent.",
  ])
  check(
    "names no host of the embedded gateway",
    [],
    '### a\n# @network evm\neth_getLogs [{"fromBlock":"0x1","toBlock":"0x2"}]\n',
    [
      expect.stringMatching(
        /^TIME a: eth_getLogs on evm \(in this process\), attempt 1 of 5: HTTP 200, [\d,]+ bytes, N ms, 255 credits of 255 reserved; ok$/,
      ),
    ],
  )

  it("shows a call that is not sent, because the same one is in flight", async () => {
    const { lines } = await run([], `${logs}\n${logs.replace("logs", "again")}`, "--parallel", "2")
    expect(lines).toEqual([
      "TIME again: eth_getLogs on node, not sent, 0 credits: the same call is in flight",
      expect.stringMatching(/^TIME logs: .*, 255 credits of 255 reserved; ok$/),
    ])
  })
  it("leaves stdout to the report", async () => {
    const { lines, stdout } = await run([], logs, "--format", "json")
    expect(lines).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, credits: { spent: 255 } })
  })
  it("shows nothing in a dry run, which sends nothing", async () =>
    expect((await run([], logs, "--dry-run")).lines).toEqual([]))
  it("shows the calls of a scan", async () => {
    const place = { cwd: temporaryFolder() }
    writeFileSync(join(place.cwd, "rpc.config.json"), '{"networks":{"evm":{"plugin":"evm","url":"embedded:evm"}}}')
    const params = '[{"fromBlock":"0x0","toBlock":"0x5"}]'
    const { stderr, stdout } = await startAt(place, "scan", "eth_getLogs", params, "--trace").outcome
    expect(stderr).toMatch(
      /^\d{4}-\S+Z scan: eth_getLogs on evm \(in this process\), attempt 1 of 5: .*; ok\n\d+ items/,
    )
    for (const line of stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("logIndex")
  })

  it("accounts for every credit that a run is charged, and shows no key, whatever the server does", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...(Object.keys(replies) as Array<keyof typeof replies>)), { maxLength: 4 }),
        async (does) => {
          const text = [1, 2, 3].map(
            (n) => `### r${n}\n# @network node\n# @retry 1\neth_getLogs [{"fromBlock":"0x${n}"}]\n`,
          )
          const { lines, stderr, stdout } = await run(does, text.join("\n"), "--format", "json")
          const charged = lines.map((line) => Number(/ (\d+) credits of/.exec(line)?.[1] ?? 0))
          const report = JSON.parse(stdout) as { readonly credits: { readonly spent: number } }
          expect(charged.reduce((sum, credits) => sum + credits, 0)).toBe(report.credits.spent)
          expect(stderr).not.toContain(key)
        },
      ),
      { numRuns: 15 },
    ))
})
