/** Every page of the site, in a real browser: its links work, and nothing is loaded from elsewhere. */
import { globSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { launchBrowser } from "@dotrpc/vscode-host"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { folder } from "../src/Site.ts"

type Browser = Awaited<ReturnType<typeof launchBrowser>>

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
}

const files = new Set(globSync("**/*.*", { cwd: folder }))
const pages = [...files].filter((file) => file.endsWith(".html")).toSorted()

/** What a page has, and whatever is wrong with it alone. */
interface Seen {
  readonly ids: ReadonlySet<string>
  /** To other pages and files of the site. */
  readonly links: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
}

let server: Server
let browser: Browser
let origin = ""
beforeAll(async () => {
  server = createServer((request, response) => {
    const file = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname.slice(1))
    if (file === "favicon.ico") return void response.writeHead(204).end()
    if (!files.has(file)) return void response.writeHead(404).end()
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
    response.end(readFileSync(join(folder, file)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  server.close()
})

/** Opens pages one after the other in a window of its own. */
const openAll = async (
  width: number,
  colorScheme: "dark" | "light",
  next: () => string | undefined,
  seen: (path: string, what: Seen) => void,
): Promise<void> => {
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
  let problems: Array<string> = []
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
  page.on("pageerror", (error) => problems.push(error.message))
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
      problems.push(`asks for ${request.url()}`)
  })
  for (let path = next(); path !== undefined; path = next()) {
    problems = []
    await page.goto(origin + path, { waitUntil: "load" })
    const { ids, links, wide } = await page.evaluate(() => ({
      ids: [...document.querySelectorAll("[id],a[name]")].map((one) => one.id || one.getAttribute("name") || ""),
      links: [...document.querySelectorAll("a[href]")].map((one) => (one as HTMLAnchorElement).href),
      wide: document.documentElement.scrollWidth - window.innerWidth,
    }))
    if (wide > 0) problems.push(`is ${wide} pixels wider than ${width}`)
    seen(path, {
      ids: new Set(ids),
      links: links.filter((link) => link.startsWith(origin)).map((link) => decodeURI(link.slice(origin.length))),
      problems,
    })
  }
  await page.close()
}

const lookAt = async (
  paths: ReadonlyArray<string>,
  width: number,
  colorScheme: "dark" | "light",
): Promise<ReadonlyMap<string, Seen>> => {
  const seen = new Map<string, Seen>()
  const left = [...paths]
  const windows = Array.from({ length: 4 }, () =>
    openAll(
      width,
      colorScheme,
      () => left.pop(),
      (path, what) => seen.set(path, what),
    ),
  )
  await Promise.all(windows)
  return seen
}

const problemsOf = (seen: ReadonlyMap<string, Seen>): ReadonlyArray<string> =>
  [...seen].flatMap(([path, { problems }]) => problems.map((problem) => `${path}: ${problem}`))

describe("the site", { concurrent: false }, () => {
  it("has the documents and a page for each entry of a package", () => {
    const expected = ["index.html", "docs/scripts.html", "modules/_dotrpc_core.html", "modules/_dotrpc_core_Retry.html"]
    expect(expected.filter((path) => !files.has(path))).toEqual([])
    expect(pages.length).toBeGreaterThan(1_000)
  })

  it("has no dead link, no missing anchor and no error, in a wide window in light colors", async () => {
    const seen = await lookAt(pages, 1_400, "light")
    const dead = [...seen].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        const [file = "", anchor] = link.split("#")
        const target = file === "" ? "index.html" : file
        if (!files.has(target)) return `${path}: ${link} is not there`
        return anchor === undefined || anchor === "" || seen.get(target)?.ids.has(anchor) === true
          ? []
          : `${path}: ${link} has no such anchor`
      }),
    )
    expect([...new Set(dead), ...problemsOf(seen)]).toEqual([])
  })

  it("fits a narrow window in dark colors", async () => {
    // Those with tables and code; the others have the same shape as each other.
    const mixed = pages.filter((path) => !/^(classes|functions|interfaces|types|variables)\//.test(path))
    expect(problemsOf(await lookAt(mixed, 400, "dark"))).toEqual([])
  })
})
