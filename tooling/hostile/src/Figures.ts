/** What each kind of bomb took in a deep run, kept beside the build so that the tables of the documents can be printed from it. */
import { appendFileSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { isDeep } from "@dotrpc/vitest/depth"
import type { Outcome } from "./Command.ts"

const folder = join(import.meta.dirname, "../dist")
const file = join(folder, "figures.ndjson")

export interface Figure {
  readonly group: string
  readonly name: string
  readonly seconds: number
  readonly megabytes: number
}

export const clearFigures = (): void => {
  if (isDeep) rmSync(file, { force: true })
}

export const recordFigure = (
  group: string,
  name: string,
  { megabytes, seconds }: Pick<Outcome, "megabytes" | "seconds">,
): void => {
  if (!isDeep) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(file, `${JSON.stringify({ group, name, seconds, megabytes } satisfies Figure)}\n`)
}

export const readFigures = (): ReadonlyArray<Figure> =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Figure)
