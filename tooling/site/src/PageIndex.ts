/** What the search of the site looks through: each part of each document that was written, as one script beside the pages. */
import { readFileSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { documentsForUsers, root } from "./Contents.ts"

/** Where a part begins, and what it says. The client, `pageSearch.js`, reads these. */
type Part = readonly [url: string, page: string, heading: string, text: string]

/** Pages for users; those for maintainers are found by their titles. */
export const writePageIndex = (folder: string): void => {
  const pages = documentsForUsers().map((path) => `${relative(root, path).replace(/\.md$/, "")}.html`)
  const parts = ["index.html", ...pages].flatMap((url) => partsOf(readFileSync(join(folder, url), "utf8"), url))
  writeFileSync(join(folder, "assets/pages.js"), `window.sitePages = ${JSON.stringify(parts)}\n`)
}

/** Reads a page as TypeDoc wrote it, so that its anchors are those of the page. */
const partsOf = (page: string, url: string): ReadonlyArray<Part> => {
  const title = textOf(/<title>([^]*?)<\/title>/.exec(page)?.[1] ?? "").replace(/ \| dotrpc$/, "")
  const [, content = ""] = /<div class="tsd-panel tsd-typography">([^]*?)<div class="col-sidebar">/.exec(page) ?? []
  return content.split(/(?=<h[1-4] id=")/).flatMap((part): ReadonlyArray<Part> => {
    const [whole = "", id, heading = ""] = /^<h[1-4] id="([^"]*)"[^>]*>([^]*?)<\/h[1-4]>/.exec(part) ?? []
    const text = textOf(part.slice(whole.length))
    return id === undefined && text === ""
      ? []
      : [[id === undefined ? url : `${url}#${id}`, title, textOf(heading), text]]
  })
}

const entities: Readonly<Record<string, string>> = { amp: "&", gt: ">", lt: "<", quot: '"', "#39": "'" }

const textOf = (html: string): string =>
  html
    .replaceAll(/<button[^]*?<\/button>|<svg[^]*?<\/svg>/g, "")
    // Words of two cells or lines are two words; those of a line stay together.
    .replaceAll(/<\/(?:td|th|p|li|pre|h\d)>|<br\/?>/g, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, " ")
    .trim()
