import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isExcepted } from "../src/tunnels.ts"
import { canary, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return (server.address() as AddressInfo).port
}

const node = createServer((request, response) => {
  let body = ""
  request.on("data", (chunk: Buffer) => (body += chunk.toString()))
  request.on("end", () => {
    const { id } = JSON.parse(body) as { readonly id: number }
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: [] }))
  })
})

/** Connects every name to the node, and remembers which it was asked for. */
const proxy = createServer()
let asked: Array<string> = []
proxy.on("connect", (request: IncomingMessage, socket: Socket) => {
  asked.push(`${request.url}`)
  if (request.headers["proxy-authorization"] === undefined && request.url?.startsWith("locked")) {
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n")
    return
  }
  const { port } = node.address() as AddressInfo
  const upstream = connect(port, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection established\r\n\r\n")
    upstream.pipe(socket).pipe(upstream)
  })
  socket.on("error", () => upstream.destroy())
})

let ports: { readonly node: number; readonly proxy: number }
beforeAll(async () => {
  ports = { node: await listen(node), proxy: await listen(proxy) }
})
afterAll(() => {
  node.closeAllConnections()
  proxy.closeAllConnections()
  node.close()
  proxy.close()
})

const none = { HTTP_PROXY: "", HTTPS_PROXY: "", NO_PROXY: "", http_proxy: "", https_proxy: "", no_proxy: "" }

const callTo = async (host: string, env: Readonly<Record<string, string>>, protocol = "http") => {
  asked = []
  const cwd = temporaryFolder()
  const url = `${protocol}://${host}:${ports.node}/v3/{{$secret.CANARY}}`
  writeFileSync(join(cwd, "rpc.config.json"), JSON.stringify({ networks: { evm: { plugin: "evm", url } } }))
  writeFileSync(join(cwd, "a.rpc"), "### a\n# @retry 0\neth_getLogs [{}]\n")
  const outcome = await startAt(
    { cwd, env: { ...none, DOTRPC_ALLOW_HOSTS: `${protocol}://${host}`, ...env } },
    "run",
    "a.rpc",
  ).outcome
  expect(outcome.stdout + outcome.stderr).not.toContain(canary)
  expect(outcome.stdout + outcome.stderr).not.toContain("hidden-word")
  return { ...outcome, asked }
}

describe("a proxy that the environment names", () => {
  const check = (
    what: string,
    host: string,
    env: () => Readonly<Record<string, string>>,
    expected: { readonly code: number; readonly asked: boolean; readonly said: RegExp },
  ) =>
    it(what, async () => {
      const { asked, code, stderr, stdout } = await callTo(host, env())
      expect(stdout + stderr).toMatch(expected.said)
      expect([code, asked]).toEqual([expected.code, expected.asked ? [`${host}:${ports.node}`] : []])
    })
  const at = (port: number) => `http://user:hidden-word@127.0.0.1:${port}`
  const answered = { code: 0, said: /0 logs[^]*1 ok/ }
  check("is used", "node.example", () => ({ HTTP_PROXY: at(ports.proxy) }), { ...answered, asked: true })
  check("may be written without http://", "node.example", () => ({ http_proxy: `127.0.0.1:${ports.proxy}` }), {
    ...answered,
    asked: true,
  })
  check("is not used for this machine", "127.0.0.1", () => ({ HTTP_PROXY: at(ports.proxy) }), {
    ...answered,
    asked: false,
  })
  check(
    "is not used for hosts in NO_PROXY",
    "no-such.invalid",
    () => ({ HTTP_PROXY: at(ports.proxy), NO_PROXY: "*.invalid" }),
    {
      code: 3,
      asked: false,
      said: /could not find the host no-such\.invalid/,
    },
  )
  check("may be the one that nobody answers at", "node.example", () => ({ HTTP_PROXY: at(2) }), {
    code: 3,
    asked: false,
    said: /could not connect to node\.example:\d+ \(ECONNREFUSED\) \(RPC-\d+ \w+\)\n.*the proxy in HTTP_PROXY[^]*\n0 credits/,
  })
  check(
    "may want a password, and nothing is charged",
    "locked.example",
    () => ({ HTTP_PROXY: `127.0.0.1:${ports.proxy}` }),
    {
      code: 3,
      asked: true,
      said: /the proxy answered 407 instead of connecting to locked\.example:\d+ \(RPC-\d+ \w+\)\n.*a user name and a password[^]*\n0 credits/,
    },
  )
  check(
    "does not matter where nothing leaves this machine",
    "127.0.0.1",
    () => ({ HTTPS_PROXY: "socks5://127.0.0.1:1" }),
    {
      ...answered,
      asked: false,
    },
  )
  check(
    "is reported when it is not a proxy",
    "node.example",
    () => ({ HTTPS_PROXY: "socks5://user:hidden-word@127.0.0.1:1" }),
    {
      code: 2,
      asked: false,
      said: /^dotrpc: HTTPS_PROXY is not the URL of a usable proxy: write it as http:\/\/HOST:PORT, /,
    },
  )
})

describe("a proxy that breaks the rules is connected to once, and nothing is charged", () => {
  const check = (what: string, protocol: string, answer: (socket: Socket) => void, said: RegExp) =>
    it(`${what}, for ${protocol}`, async () => {
      let connections = 0
      const hostile = createTcpServer((socket) => {
        connections++
        socket.on("error", () => socket.destroy())
        socket.once("data", () => answer(socket))
      })
      await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", resolve))
      const address = `http://user:hidden-word@127.0.0.1:${(hostile.address() as AddressInfo).port}`
      const env = { HTTP_PROXY: address, HTTPS_PROXY: address }
      const { code, stderr, stdout } = await callTo("node.example", env, protocol)
      hostile.close()
      expect([code, connections]).toEqual([3, 1])
      expect(stdout + stderr).toMatch(said)
      expect(stdout + stderr).toMatch(/\n0 credits/)
    })
  const none = /the proxy could not connect to node\.example:\d+ \(/
  for (const protocol of ["http", "https"]) {
    check("hangs up", protocol, (socket) => socket.destroy(), none)
    check("does not speak HTTP", protocol, (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"), none)
  }
  check("connects and hangs up", "https", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n"), none)
  const page = (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")
  check("connects, answers by itself and hangs up", "http", page, none)
  check("connects, answers by itself and hangs up", "https", page, /secure connection|the proxy could not connect/)
})

it("a tunnel that is not open keeps no program running", async () => {
  const silent = createTcpServer((socket) => socket.on("error", () => socket.destroy()))
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve))
  const program = `
    import { request } from "node:http"
    import { agentsThrough } from ${JSON.stringify(new URL("../src/tunnels.ts", import.meta.url).href)}
    const { http } = agentsThrough({ http: "http://127.0.0.1:${(silent.address() as AddressInfo).port}", https: undefined, except: "" })
    const sent = request({ agent: http, host: "node.example", port: 80 })
    sent.on("error", () => undefined)
    sent.end()
    setTimeout(() => sent.destroy(), 50)`
  const args = ["--conditions=dotrpc-source", "--input-type=module", "--eval", program]
  await expect(promisify(execFile)(process.execPath, args)).resolves.toMatchObject({ stdout: "" })
  silent.close()
})

it.each([
  ["2001:db8::1", "2001:db8::1", true],
  ["2001:db8::1", "[2001:db8::1]", true],
  ["2001:db8::1", "[2001:db8::1]:443", true],
  ["2001:db8::1", "[2001:db8::1]:80", false],
  ["2001:db8::1", "2001:db8::2", false],
  ["node.example.", "node.example", true],
  ["node.example", ".example.", true],
  ["node.example", "a, node.example:443", true],
  ["node.example", "node.example:80", false],
  ["node.example", "ode.example", false],
  ["192.0.2.1", "192.0.2.1", true],
])("%s at port 443 is excepted by NO_PROXY=%s: %s", (host, except, expected) =>
  expect(isExcepted({ host, port: 443 }, except)).toBe(expected),
)
