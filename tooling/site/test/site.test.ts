/** The site in a real browser: the links of every page lead somewhere, pages fit, and nothing is loaded from elsewhere. */
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

/** What a page has. */
interface Marks {
  readonly ids: ReadonlyArray<string>
  /** To other pages and files of the site. */
  readonly links: ReadonlyArray<string>
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

/** Reads every page as the browser does, without running its scripts: there are some 1,600. */
const readAll = async (): Promise<ReadonlyMap<string, Marks>> => {
  const page = await browser.newPage()
  await page.goto(`${origin}index.html`)
  const read = await page.evaluate(
    async ({ origin, paths }) => {
      const found = new Array<readonly [string, Marks]>()
      for (const path of paths) {
        const text = await (await fetch(origin + path)).text()
        const read = new DOMParser().parseFromString(text, "text/html")
        const links = [...read.querySelectorAll("a[href]")].map(
          (link) => new URL(link.getAttribute("href") ?? "", origin + path).href,
        )
        found.push([
          path,
          {
            ids: [...read.querySelectorAll("[id],a[name]")].map((one) => one.id || one.getAttribute("name") || ""),
            links: links.filter((link) => link.startsWith(origin)).map((link) => decodeURI(link.slice(origin.length))),
          },
        ])
      }
      return found
    },
    { origin, paths: pages },
  )
  await page.close()
  return new Map(read)
}

/** Opens pages one after the other in a window of its own, and says what is wrong with each. */
const openAll = async (
  width: number,
  colorScheme: "dark" | "light",
  next: () => string | undefined,
  seen: (path: string, problems: ReadonlyArray<string>) => void,
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
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (wide > 0) problems.push(`is ${wide} pixels wider than ${width}`)
    seen(path, problems)
  }
  await page.close()
}

/** What is wrong with pages that are opened. */
const problemsOf = async (
  paths: ReadonlyArray<string>,
  width: number,
  colorScheme: "dark" | "light",
): Promise<ReadonlyArray<string>> => {
  const found = new Array<string>()
  const left = [...paths]
  const windows = Array.from({ length: 2 }, () =>
    openAll(
      width,
      colorScheme,
      () => left.pop(),
      (path, problems) => found.push(...problems.map((problem) => `${path}: ${problem}`)),
    ),
  )
  await Promise.all(windows)
  return found
}

/** Pages of one name each have the same shape as each other; the rest have tables and code. */
const isOfOneName = (path: string): boolean => /^(classes|functions|interfaces|types|variables)\//.test(path)
const mixed = pages.filter((path) => !isOfOneName(path))
const sample = pages.filter(isOfOneName).filter((_, index) => index % 40 === 0)
const isOfOneModule = (path: string): boolean => path.startsWith("modules/")
/** Text and code are what may be too wide; lists of the names in a module are drawn alike. */
const written = mixed.filter((path, index) => !isOfOneModule(path) || index % 8 === 0)

describe("the site", { concurrent: false }, () => {
  it("has the documents and a page for each entry of a package", () => {
    const expected = ["index.html", "docs/scripts.html", "modules/_dotrpc_core.html", "modules/_dotrpc_core_Retry.html"]
    expect(expected.filter((path) => !files.has(path))).toEqual([])
    expect(pages.length).toBeGreaterThan(1_000)
  })

  it("has no dead link and no missing anchor", async () => {
    const read = await readAll()
    const ids = new Map([...read].map(([path, marks]) => [path, new Set(marks.ids)]))
    const dead = [...read].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        const [file = "", anchor] = link.split("#")
        const target = file === "" ? "index.html" : file
        if (!files.has(target)) return `${path}: ${link} is not there`
        return anchor === undefined || anchor === "" || ids.get(target)?.has(anchor) === true
          ? []
          : `${path}: ${link} has no such anchor`
      }),
    )
    expect([...new Set(dead)]).toEqual([])
  })

  it("has no error in a wide window in light colors", async () =>
    expect(await problemsOf([...written, ...sample], 1_400, "light")).toEqual([]))

  it("fits a narrow window in dark colors", async () => expect(await problemsOf(mixed, 400, "dark")).toEqual([]))
})
