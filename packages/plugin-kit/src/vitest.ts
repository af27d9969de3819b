/** The conformance checks as vitest tests. Runs on Node: golden files are read from a folder. */
import { type Plugin, textOfBytes } from "@dotrpc/spec"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { describe, it } from "vitest"
import type { ConformanceOptions, GoldenFile } from "./Check.ts"
import { pluginConformance } from "./Conformance.ts"

export type { ConformanceOptions, GoldenFile } from "./Check.ts"

/** What is checked, and which golden files are replayed. */
export interface DescribeOptions extends Omit<ConformanceOptions, "goldens"> {
  /** A folder of golden files, `*.io`: `new URL("io/", import.meta.url)`. */
  readonly goldens?: URL | undefined
}

/**
 * Registers a test for each conformance check of a plugin.
 *
 * @example
 * ```ts
 * describePlugin(plugin, { goldens: new URL("io/", import.meta.url) })
 * ```
 */
export const describePlugin = (plugin: Plugin, { goldens, ...options }: DescribeOptions = {}): void => {
  const files = goldens === undefined ? [] : readGoldens(goldens)
  describe(`the plugin ${plugin.id} conforms`, () => {
    for (const { name, run } of pluginConformance(plugin, { ...options, goldens: files })) {
      // oxlint-disable-next-line vitest/expect-expect -- a check throws when it fails
      it(name, run)
    }
  })
}

const readGoldens = (folder: URL): ReadonlyArray<GoldenFile> => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".io"))
  if (names.length === 0) throw new Error(`there is no golden file, *.io, in ${folder.pathname}`)
  return names.toSorted().map((name) => ({ name, text: readGolden(new URL(name, folder)) }))
}

const readGolden = (file: URL): string => {
  const stats = statSync(file)
  if (!stats.isFile()) throw new Error(`${file.pathname} is not a regular file`)
  if (stats.size > largestGolden)
    throw new Error(
      `${file.pathname} is larger than ${largestGolden / (1024 * 1024)} MB: record fewer or smaller replies`,
    )
  const text = textOfBytes(readFileSync(file))
  if (typeof text !== "string") throw new Error(`${file.pathname} ${text.problem}`)
  return text
}

/** In bytes: a golden file is read by people as well. */
const largestGolden = 16 * 1024 * 1024
