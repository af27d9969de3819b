/** In a browser: a server that does not allow the editor's origin is distinguished from one that is away, and one that does works. */
import { match } from "node:assert/strict"
import { createServer, type RequestListener } from "node:http"
import { once } from "node:events"
import { test } from "node:test"
import { promisify } from "node:util"

import { startCountingServer } from "./CountingServer.ts"
import { withFolder } from "./window.ts"

const requestTo = (network: string): string => `### On ${network}
# @network ${network}
# @name ${network}
# @retry 0
eth_getStorageAt ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"]
`

test("the editor in a browser says why a server cannot be called", async () => {
  await using open = await startCountingServer()
  // Answers everyone, and allows no page to read it.
  await using closed = await startServer((_request, response) => response.writeHead(200).end("{}"))
  await using moved = await startServer(({ method, headers: { origin } }, response) => {
    const allowed = { "access-control-allow-origin": origin, "access-control-allow-headers": "content-type" }
    response.writeHead(method === "OPTIONS" ? 204 : 308, { ...allowed, location: `${open.origin}/rpc` }).end()
  })
  const networks = {
    open: { plugin: "evm", url: `${open.origin}/rpc` },
    closed: { plugin: "evm", url: `${closed.origin}/rpc` },
    moved: { plugin: "evm", url: `${moved.origin}/rpc` },
    away: { plugin: "evm", url: "http://127.0.0.1:9/rpc" },
  }
  const files = {
    "web.rpc": Object.keys(networks).map(requestTo).join("\n"),
    "rpc.config.json": JSON.stringify({ networks }),
  }
  await withFolder({ name: "origin-web", extensionHost: "web", files }, async (workbench) => {
    // High enough for four results, as only lines in view can be read.
    await workbench.page.setViewportSize({ width: 1280, height: 1600 })
    await workbench.openFile("web.rpc")
    await workbench.runCommand("dotrpc: Run All Requests in File")
    let texts: ReadonlyArray<string> = []
    await workbench.until("each has its line", async () => {
      texts = await workbench.decorationTexts()
      return texts.length === 4 && texts.every((text) => /^[✓✗]/.test(text))
    })
    const [first, second, third, fourth] = texts
    match(first ?? "", /^✓ /)
    match(second ?? "", /^✗ .*127\.0\.0\.1:\d+ does not allow requests from http:\/\/127\.0\.0\.1:\d+/)
    match(third ?? "", /^✗ .*127\.0\.0\.1:\d+ answered with a redirect, which is not followed/)
    match(fourth ?? "", /^✗ .*could not connect/)
    await workbench.waitForText("Ask the provider to allow this origin (CORS)")
    await workbench.screenshot("refused")
  })
})

/** A server on a free port of this machine. */
const startServer = async (answer: RequestListener) => {
  const server = createServer(answer)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => promisify(server.close.bind(server))(),
  }
}
