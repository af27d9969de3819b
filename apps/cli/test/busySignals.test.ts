/** A signal that arrives while the program works on a result, and so cannot hear it at once. */
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { spawnAt } from "./process.ts"
import { temporaryFolder } from "./folders.ts"
import { bundledMeter } from "./ownPlugin/bundledMeter.ts"

let meter = ""
let paid = 0
const server = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    paid++
    const { id } = JSON.parse(body) as { readonly id: number }
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { value: paid } }))
  })
})
beforeAll(async () => {
  meter = await bundledMeter()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
})
afterAll(() => void server.close())
beforeEach(() => {
  paid = 0
})

/** A project whose plugin sends its own process a signal in one of its functions, and keeps working for a while. */
const project = (functions: string) => {
  const folder = temporaryFolder()
  const wrapped = `import { plugin } from "./meter.mjs"
const longWork = () => {
  process.kill(process.pid, "SIGINT")
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
}
export default { ...plugin, methods: plugin.methods.map((method) => ({ ...method, ${functions} })) }
`
  writeFileSync(join(folder, "meter.mjs"), meter)
  writeFileSync(join(folder, "busy.mjs"), wrapped)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const networks = { home: { plugin: "meter", url } }
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({ plugins: ["./busy.mjs"], networks, ledger: "memory" }),
  )
  return folder
}

interface Report {
  readonly credits: { readonly spent: number }
  readonly files: ReadonlyArray<{
    readonly requests: ReadonlyArray<{ readonly name: string; readonly status: string; readonly credits: number }>
  }>
}

const check = (what: string, functions: string, requests: string, statuses: ReadonlyArray<readonly [string, string]>) =>
  it(what, async () => {
    const folder = project(functions)
    writeFileSync(join(folder, "requests.rpc"), requests)
    const { code, stdout } = await spawnAt({}, "run", join(folder, "requests.rpc"), "--trust", "--format", "json")
      .outcome
    expect([code, paid]).toEqual([130, 1])
    const { credits, files } = JSON.parse(stdout) as Report
    expect(files[0]?.requests.map(({ name, status }) => [name, status])).toEqual(statuses)
    expect(files[0]?.requests.reduce((sum, request) => sum + request.credits, 0)).toBe(credits.spent)
    expect(credits.spent).toBe(7)
  })

describe("after a signal nothing more is sent", () => {
  const rendering = `render: (...args) => { longWork(); return method.render(...args) }`
  const two = '### a\nmeter_read ["main"]\n\n### b\nmeter_read ["main"]\n'
  check("that arrives while a result is drawn", rendering, two, [
    ["a", "ok"],
    ["b", "skipped"],
  ])
  const paging = `pages: { next: (params) => { longWork(); return ["next"] }, join: ([first]) => first }`
  check("that arrives between the pages of a request", paging, '### a\n# @all\nmeter_read ["main"]\n', [
    ["a", "failed"],
  ])
})
