/** The links of every page lead somewhere, and one page of each kind in a real browser fits and loads nothing from elsewhere. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { documentsForUsers } from "../src/Contents.ts"
import { folder } from "../src/Site.ts"
import { files, isOfOneModule, isOfOneName, openSite, type OpenSite, pages } from "./SitePages.ts"

/** What a page has. */
interface Marks {
  readonly ids: ReadonlySet<string>
  /** To other pages and files of the site. */
  readonly links: ReadonlyArray<string>
}

const site = "http://site/"

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#x27": "'" }
const decoded = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)

/** Reads a page as it was written: TypeDoc escapes what is not a tag, and puts all values in quotes. */
const marksOf = (path: string): Marks => {
  const text = readFileSync(join(folder, path), "utf8").replaceAll(/<(script|style)\b.*?<\/\1>/gs, "")
  const values = (attribute: RegExp) => [...text.matchAll(attribute)].map(([, value = ""]) => decoded(value))
  return {
    ids: new Set(values(/<[^>]*\s(?:id|name)="([^"]*)"/g)),
    links: values(/<a\b[^>]*\shref="([^"]*)"/g)
      .map((link) => new URL(link, site + path).href)
      .filter((link) => link.startsWith(site))
      .map((link) => decodeURI(link.slice(site.length))),
  }
}

describe("the site", () => {
  it("has every document for users in one text", () => {
    const whole = readFileSync(join(folder, "llms-full.txt"), "utf8")
    const missing = documentsForUsers().filter((path) => !whole.includes(readFileSync(path, "utf8")))
    expect(missing).toEqual([])
  })

  it("has the documents and a page for each entry of a package", () => {
    const expected = [
      "index.html",
      "docs/scripts.html",
      "docs/commands/run.html",
      "modules/_dotrpc_core.html",
      "modules/_dotrpc_core_Retry.html",
    ]
    expect([...expected, "llms.txt", "llms-full.txt"].filter((path) => !files.has(path))).toEqual([])
    expect(pages.length).toBeGreaterThan(1_000)
  })

  it("lists documents, commands, modules, tests and decisions under headings of their own", () => {
    const list = readFileSync(join(folder, "modules.html"), "utf8")
    const headings = ["Documents", "Commands", "Modules", "Tests", "Decisions"].map((name) => list.indexOf(`>${name}<`))
    expect(headings).toEqual(headings.toSorted((left, right) => left - right))
    expect(Math.min(...headings)).toBeGreaterThan(0)
  })

  it("has no dead link and no missing anchor", () => {
    const marks = new Map(pages.map((path) => [path, marksOf(path)]))
    const links = [...marks.values()].flatMap(({ links }) => links)
    // A reader that finds no links finds no dead ones.
    expect(links.length).toBeGreaterThan(10 * pages.length)
    const dead = [...marks].flatMap(([path, { links }]) =>
      links.flatMap((link) => {
        const [file = "", anchor] = link.split("#")
        const target = file === "" ? "index.html" : file
        if (!files.has(target)) return `${path}: ${link} is not there`
        return anchor === undefined || anchor === "" || marks.get(target)?.ids.has(anchor) === true
          ? []
          : `${path}: ${link} has no such anchor`
      }),
    )
    expect([...new Set(dead)]).toEqual([])
  })
})

/** The folder of a page of names or of a module; documents have a kind by the folder that they are in. */
const kindOf = (path: string): string =>
  isOfOneName(path) || isOfOneModule(path) ? (path.split("/")[0] ?? "") : path.split("/").slice(0, -1).join("/")

/** Pages that others are shaped like: the start, the longest tables, and the first page of each kind. */
const chosen = new Set(["index.html", "docs/codes.html", "docs/reliability.html"])
for (const [, [first]] of Map.groupBy(pages, kindOf)) if (first !== undefined) chosen.add(first)

describe("one page of each kind", { retry: 1 }, () => {
  let site: OpenSite
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site[Symbol.asyncDispose]())

  it("has no error in a wide window", async () =>
    expect(await site.problemsOf([...chosen], 1_400, "light")).toEqual([]))
  it.each([
    ["a field of the configuration", "reserveForInteractive", "docs/configuration.html"],
    ["a flag", "--allow-writes", "docs/commands/run.html"],
    ["a code", "A105", "docs/codes.html#a105"],
    ["words in any order", "snapshot CI", "docs/checks.html#snapshots"],
  ])("finds %s, without asking another host", async (_, words, page) => {
    const { links, problems } = await site.found("pages", words)
    expect(links).toContain(page)
    expect(problems).toEqual([])
  })
  it("finds an export by its name", async () =>
    expect((await site.found("names", "layerMetered")).links).toContain(
      "functions/_dotrpc_core_RpcClient.layerMetered.html",
    ))
  it("fits a narrow window", async () => expect(await site.problemsOf([...chosen], 400, "light")).toEqual([]))
})
