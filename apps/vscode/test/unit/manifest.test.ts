/** What the Marketplace and Open VSX want to know of an extension, and refuse or hide it without. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"

import { packedReadme } from "../../packedReadme.ts"
import manifest from "../../package.json" with { type: "json" }

const pathOf = (file: string): string => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const textOf = (file: string): string => readFileSync(pathOf(file), "utf8")

describe("the manifest", () => {
  const check = (title: string, fact: unknown, expected: unknown) => test(title, () => expect(fact).toEqual(expected))

  check("says who publishes what", `${manifest.publisher}.${manifest.name}`, "dotrpc.dotrpc")
  check("has a version that is not a preview", manifest.version, expect.stringMatching(/^\d+\.\d+\.\d+$/))
  check(
    "has a description that fits into a list",
    manifest.description.length,
    expect.toSatisfy((length: number) => length > 20 && length < 145),
  )
  check(
    "is found under categories that galleries know",
    manifest.categories.filter(
      (category) => !["Notebooks", "Other", "Programming Languages", "Testing"].includes(category),
    ),
    [],
  )
  check(
    "has no more keywords than galleries take",
    manifest.keywords.length,
    expect.toSatisfy((count: number) => count > 0 && count <= 30),
  )
  check("is free, under a license that is packed", [manifest.license, manifest.pricing], ["MIT", "Free"])
  check("runs in every editor since a version", manifest.engines.vscode, expect.stringMatching(/^\^\d+\.\d+\.0$/))
  check(
    "is asked for by nothing but its own files",
    manifest.activationEvents.filter((event) => !/rpc/.test(event)),
    [],
  )
  check(
    "packs what galleries show",
    ["README.md", "CHANGELOG.md", "LICENSE", manifest.icon].filter((file) => !manifest.files.includes(file)),
    [],
  )
  check(
    "depends on nothing at run time, so nothing can collect telemetry that is not in its bundles",
    "dependencies" in manifest || "extensionDependencies" in manifest,
    false,
  )
})

test("the icon is a square of at least 128 pixels", () => {
  const png = readFileSync(pathOf(manifest.icon))
  expect(png.subarray(1, 4).toString("latin1")).toBe("PNG")
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  expect(width).toBe(height)
  expect(width).toBeGreaterThanOrEqual(128)
})

test("the license is that of the repository", () => {
  expect(textOf("LICENSE")).toBe(textOf("../../LICENSE"))
})

test("the changelog tells what is new in this version", () => {
  expect(textOf("CHANGELOG.md")).toContain(`\n## ${manifest.version}\n`)
})

describe("the packed README", () => {
  const page = "https://git.example.com/a/dotrpc"
  const shown = '# A\n\n<picture>\n  <source srcset="../../docs/images/a.png">\n</picture>\n\nWords.\n'
  test("has its pictures from the page of the repository", () =>
    expect(packedReadme(shown, page)).toContain(`<source srcset="${page}/raw/HEAD/docs/images/a.png">`))
  test("has no pictures while there is no such page, and everything else", () =>
    expect(packedReadme(shown, undefined)).toBe("# A\n\nWords.\n"))

  test.each([page, undefined])("links to nothing that is not packed (%s)", (page) => {
    const links = [...packedReadme(textOf("README.md"), page).matchAll(/\]\(([^)]+)\)|(?:src|srcset|href)="([^"]+)"/g)]
    expect(links.map(([, link, source]) => link ?? source ?? "").filter((link) => !/^(https:|#)/.test(link))).toEqual(
      [],
    )
  })
})
