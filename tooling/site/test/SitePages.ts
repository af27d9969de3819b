/** The pages of the built site, a server of them, and a real browser that opens them. */
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { launchBrowser } from "@dotrpc/vscode-host"
import { folder } from "../src/Site.ts"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
}

export const files: ReadonlySet<string> = new Set(globSync("**/*.*", { cwd: folder }))
export const pages: ReadonlyArray<string> = [...files].filter((file) => file.endsWith(".html")).toSorted()

/** Pages of names: of classes, functions, interfaces, types and variables. The rest have tables and code. */
export const isOfOneName = (path: string): boolean => /^(classes|functions|interfaces|types|variables)\//.test(path)
export const isOfOneModule = (path: string): boolean => path.startsWith("modules/")

/** What is wrong with pages that are opened in a window of this width. */
export type Look = (
  paths: ReadonlyArray<string>,
  width: number,
  colorScheme: "dark" | "light",
) => Promise<ReadonlyArray<string>>

export interface OpenSite extends AsyncDisposable {
  readonly problemsOf: Look
  /** The links that the search of the first page proposes for some words, to parts of pages or to names of exports, and what is wrong meanwhile. `Enter` opens the first part. */
  readonly found: (
    what: "pages" | "names",
    words: string,
  ) => Promise<{ readonly links: ReadonlyArray<string>; readonly problems: Problems }>
}

type Problems = ReadonlyArray<string>

/** Serves the site on a free port, and starts the browser. */
export const openSite = async (): Promise<OpenSite> => {
  const server = createServer((request, response) => {
    const file = decodeURIComponent(new URL(request.url ?? "/", "http://site").pathname.slice(1))
    if (file === "favicon.ico") return void response.writeHead(204).end()
    if (!files.has(file)) return void response.writeHead(404).end()
    response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
    response.end(readFileSync(join(folder, file)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const browser = await launchBrowser()

  /** A window of its own, and what goes wrong in it. */
  const openWindow = async (width: number, colorScheme: "dark" | "light") => {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme })
    // A page is as slow as the machine that draws it.
    page.setDefaultTimeout(0)
    const problems: Array<string> = []
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
    page.on("pageerror", (error) => problems.push(error.message))
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
        problems.push(`asks for ${request.url()}`)
    })
    return { page, problems }
  }

  /** Opens pages one after the other in a window of its own, and says what is wrong with each. */
  const openAll = async (
    [width, colorScheme]: readonly [number, "dark" | "light"],
    next: () => string | undefined,
    seen: (path: string, problems: ReadonlyArray<string>) => void,
  ): Promise<void> => {
    const { page, problems } = await openWindow(width, colorScheme)
    for (let path = next(); path !== undefined; path = next()) {
      await page.goto(origin + path, { waitUntil: "load" })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      if (wide > 0) problems.push(`is ${wide} pixels wider than ${width}`)
      seen(path, problems.splice(0))
    }
    await page.close()
  }

  return {
    problemsOf: async (paths, width, colorScheme) => {
      const found = new Array<string>()
      const left = [...paths]
      const note = (path: string, problems: ReadonlyArray<string>) =>
        found.push(...problems.map((problem) => `${path}: ${problem}`))
      const windows = Array.from({ length: 2 }, () => openAll([width, colorScheme], () => left.pop(), note))
      await Promise.all(windows)
      return found
    },
    found: async (what, words) => {
      const { page, problems } = await openWindow(1_400, "light")
      await page.goto(`${origin}index.html`, { waitUntil: "load" })
      await page.click("#tsd-search-trigger")
      await page.fill("#tsd-search-input", words)
      const links = page.locator(what === "pages" ? "#page-search-results a" : "#tsd-search-results a")
      await links.first().waitFor()
      const hrefs = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
      if (what === "pages") {
        await page.press("#tsd-search-input", "Enter")
        await page.waitForURL(hrefs[0] ?? "")
      }
      await page.close()
      return { links: hrefs.map((href) => href.slice(origin.length)), problems }
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
