/** A page of somebody else's in a real browser that tries to spend the credits of a gateway on this machine. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { launchBrowser } from "@dotrpc/vscode-host"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Gateway, startGateway } from "../src/Gateway.ts"
import { makeProject, type Project } from "../src/Project.ts"

const evil = "evil.example"
const rebound = "rebound.example"

let browser: Browser
let pages: Server
let project: Project
beforeAll(async () => {
  // A browser that keeps pages from this machine by itself would hide what the gateway does.
  const without = [
    "LocalNetworkAccessChecks",
    "BlockInsecurePrivateNetworkRequests",
    "PrivateNetworkAccessSendPreflights",
  ]
  browser = await launchBrowser({ names: [evil, rebound], without })
  pages = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<!doctype html><title>a page</title>"),
  )
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve))
  project = makeProject({})
})
afterAll(async () => {
  await browser.close()
  pages.closeAllConnections()
  pages.close()
  project[Symbol.dispose]()
})

/** A page may take as long as the machine makes it: the test itself ends what hangs. */
const newPage = async (): Promise<Page> => {
  const page = await browser.newPage()
  page.setDefaultTimeout(0)
  return page
}

const originOfPages = (name: string): string => `http://${name}:${(pages.address() as AddressInfo).port}`
const call = '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'

/** What a page tries; it knows everything, even the key. Says what it got to read. */
type Attempt = (target: { readonly url: string; readonly socket: string; readonly call: string }) => Promise<string>

const attempts: Readonly<Record<string, Attempt>> = {
  "a fetch of JSON": async ({ call, url }) =>
    (await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: call })).text(),
  "a fetch of text, which browsers send unasked": async ({ call, url }) =>
    (await fetch(url, { method: "POST", body: call })).text(),
  "a fetch whose reply it does not want": async ({ call, url }) =>
    (await fetch(url, { method: "POST", mode: "no-cors", body: call })).text(),
  "a fetch with a type that is nearly JSON": async ({ call, url }) =>
    (
      await fetch(url, {
        method: "POST",
        mode: "no-cors",
        headers: { "content-type": "text/plain;application/json" },
        body: call,
      })
    ).text(),
  "a fetch without a type": async ({ call, url }) =>
    (await fetch(url, { method: "POST", mode: "no-cors", body: new Blob([call]) })).text(),
  "a beacon": async ({ call, url }) => String(navigator.sendBeacon(url, call)),
  "a form": async ({ call, url }) => {
    const form = document.createElement("form")
    form.method = "post"
    form.enctype = "text/plain"
    form.action = url
    form.target = "inside"
    const frame = document.createElement("iframe")
    frame.name = "inside"
    const input = document.createElement("input")
    // As text the form is `NAME=VALUE`, which can be made into JSON.
    input.name = call.replace("[]}", '[],"x":"')
    input.value = '"}'
    form.append(input)
    document.body.append(frame, form)
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve))
    form.submit()
    await loaded
    return ""
  },
  "a picture": async ({ url }) => {
    const image = new Image()
    const done = new Promise((resolve) => {
      image.addEventListener("error", resolve)
      image.addEventListener("load", resolve)
    })
    image.src = `${url}/credits`
    await done
    return ""
  },
  "a script": async ({ url }) => {
    const script = document.createElement("script")
    const done = new Promise((resolve) => {
      script.addEventListener("error", resolve)
      script.addEventListener("load", resolve)
    })
    script.src = `${url}/credits`
    document.body.append(script)
    await done
    return ""
  },
  "a look at the balance": async ({ url }) => (await fetch(`${url}/credits`)).text(),
  "a WebSocket": ({ call, socket }) =>
    new Promise((resolve) => {
      const webSocket = new WebSocket(socket)
      webSocket.addEventListener("open", () => webSocket.send(call))
      webSocket.addEventListener("message", ({ data }) => resolve(String(data)))
      webSocket.addEventListener("error", () => resolve(""))
      webSocket.addEventListener("close", () => resolve(""))
    }),
  "a worker": ({ call, url }) =>
    new Promise((resolve) => {
      const code = `fetch(${JSON.stringify(url)}, { method: "POST", body: ${JSON.stringify(call)} }).then((r) => r.text()).then(postMessage, () => postMessage(""))`
      const worker = new Worker(URL.createObjectURL(new Blob([code])))
      worker.addEventListener("message", ({ data }) => resolve(String(data)))
    }),
  "a page in a box": ({ call, url }) =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe")
      frame.setAttribute("sandbox", "allow-scripts")
      frame.srcdoc = `<script>fetch(${JSON.stringify(url)}, { method: "POST", body: ${JSON.stringify(call)} }).then((r) => r.text()).then((t) => parent.postMessage(t, "*"), () => parent.postMessage("", "*"))</script>`
      addEventListener("message", ({ data }) => resolve(String(data)))
      document.body.append(frame)
    }),
}

describe("a page of another origin", { retry: 1 }, () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(["--key", "local"], project.place)
  })
  afterAll(() => gateway.stop())

  const targetOf = (host: string) => ({
    url: `http://${host}:${gateway.port}/evm/v3/local`,
    socket: `ws://${host}:${gateway.port}/evm/ws/v3/local`,
    call,
  })

  /** Tries everything from one page, and says what it got to read or to spend. */
  const gainedBy = async (page: Page, host: string): Promise<ReadonlyArray<string>> => {
    const gained: Array<string> = []
    for (const [name, attempt] of Object.entries(attempts)) {
      const read = await page.evaluate(attempt, targetOf(host)).catch(() => "")
      if (/"result"|"remaining"/.test(read)) gained.push(`${name} read ${read}`)
      const spent = await gateway.spent()
      if (spent > 0) gained.push(`${spent} credits are spent after ${name}`)
    }
    return gained
  }

  it("reads and spends nothing, whatever it tries", async () => {
    const page = await newPage()
    await page.goto(originOfPages(evil))
    expect(await gainedBy(page, "127.0.0.1")).toEqual([])
    await page.close()
  })

  it("reads and spends nothing from a name that it made this machine's", async () => {
    const page = await newPage()
    // Its own page is shown once more by that name; everything else there is the gateway.
    await page.route(`http://${rebound}:${gateway.port}/page`, (route) =>
      route.fulfill({ contentType: "text/html", body: "<!doctype html><title>a page</title>" }),
    )
    await page.goto(`http://${rebound}:${gateway.port}/page`)
    expect(await gainedBy(page, rebound)).toEqual([])
    await page.close()
  })
})

describe("a page of an origin that is allowed", { retry: 1 }, () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway(["--key", "local", "--allow-origin", originOfPages(evil)], project.place)
  })
  afterAll(() => gateway.stop())

  const read = async (origin: string): Promise<string> => {
    const page = await newPage()
    try {
      await page.goto(origin)
      const target = { url: `${gateway.origin}/evm/v3/local`, socket: "", call }
      return await page.evaluate(attempts["a fetch of JSON"]!, target).catch(() => "")
    } finally {
      await page.close()
    }
  }

  it("may call", async () => {
    expect(await read(originOfPages(evil))).toMatch(/"result":"0x3e7"/)
    expect(await gateway.spent()).toBe(80)
  })
  it("is the only one that may", async () => {
    expect(await read(originOfPages(rebound))).toBe("")
    expect(await gateway.spent()).toBe(80)
  })
})
