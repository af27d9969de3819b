/**
 * The rows of `# @each` that are paid for: kept in the user's data folder for `dotrpc run --resume`, one file for each file
 * of requests. It holds results and digests of calls, and no keys. Each run adds its rows to those of the runs before it, so
 * nothing that was paid for is lost to a run that sends less, or sends it elsewhere.
 *
 * Limits: {@link longest} days, {@link mostCharacters} characters.
 */
import { AtomicFile, readTextFileSync } from "@dotrpc/project/node"
import type { BoundRequest } from "@dotrpc/analysis"
import { mergePaidRows, type RequestReport, type Resumption } from "@dotrpc/runner"
import { Json } from "@dotrpc/spec"
import { createHash } from "node:crypto"
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AnalysedDocument } from "./Documents.ts"
import { fileProblem } from "./fileProblem.ts"
import type { Host } from "./Host.ts"
import { userFile } from "./UserData.ts"

/** The kept rows of one file. */
export interface KeptRows {
  /** By the positions of the requests in the file. */
  readonly read: () => ReadonlyMap<number, Resumption>
  /** Adds what these requests paid for. Gives what is wrong with the file. */
  readonly keep: (reports: ReadonlyArray<RequestReport>) => string | undefined
}

/** `undefined` for a text that is not in a file, and for a file without `# @each`. */
export const keptRowsOf = (
  { analysis, path }: AnalysedDocument,
  host: Host["Service"],
  now: number,
): KeptRows | undefined => {
  if (path === undefined || analysis.requests.every(({ each }) => each === undefined)) return undefined
  const file = userFile(host, join("rows", `${createHash("sha256").update(path).digest("hex").slice(0, 32)}.json`))
  const names = namesOf(analysis.requests)
  const since = now - longest * 24 * 60 * 60 * 1_000
  const read = () => {
    const runs = [...readAll(file, path)].map(([name, run]) => [name, [run]] as const)
    return merged(new Map(runs), since)
  }
  return {
    read: () => {
      const kept = read()
      return new Map(
        [...names].flatMap(([{ index }, name]) => {
          const resumption = kept.get(name)
          return resumption === undefined ? [] : [[index, resumption] as const]
        }),
      )
    },
    keep: (reports) => {
      const runs = new Map([...readAll(file, path)].map(([name, run]) => [name, [run]]))
      for (const { paid, request } of reports) {
        const name = names.get(request) ?? names.get(analysis.requests[request.index] ?? request)
        if (name !== undefined && paid !== undefined) runs.set(name, [...(runs.get(name) ?? []), paid])
      }
      const kept = merged(runs, since)
      try {
        if (kept.size > 0) write(file, path, kept)
        else if (runs.size > 0) rmSync(file, { force: true })
        return undefined
      } catch (error) {
        return `the rows that were paid for cannot be kept: ${file}: ${fileProblem(error)}`
      }
    },
  }
}

/** Days after which an answer is too old to be taken for that of a new run. */
const longest = 7

/** Of all requests of a file together, as JSON. */
const mostCharacters = 64 * 1024 * 1024

const merged = (
  runs: ReadonlyMap<string, ReadonlyArray<Resumption>>,
  since: number,
): ReadonlyMap<string, Resumption> => {
  const limits = { since, mostCharacters: mostCharacters / Math.max(1, runs.size) }
  return new Map(
    [...runs].flatMap(([name, some]) => {
      const paid = mergePaidRows(some, limits)
      return paid === undefined ? [] : [[name, paid] as const]
    }),
  )
}

/** The label of each request, numbered where others have it too: positions change while a file is edited. */
const namesOf = (requests: ReadonlyArray<BoundRequest>): ReadonlyMap<BoundRequest, string> => {
  const counts = new Map<string, number>()
  return new Map(
    requests.map((request) => {
      const count = (counts.get(request.label) ?? 0) + 1
      counts.set(request.label, count)
      return [request, `${request.label}#${count}`]
    }),
  )
}

/** In bytes, as many as the most characters take. */
const largest = 4 * mostCharacters

const readAll = (file: string, path: string): ReadonlyMap<string, Resumption> => {
  try {
    const text = readTextFileSync(file, largest)
    const stored = typeof text === "string" ? Json.parse(text) : null
    if (!Json.isObject(stored) || stored["file"] !== path || !Json.isObject(stored["requests"])) return new Map()
    return new Map(
      Object.entries(stored["requests"]).flatMap(([name, value]) => {
        if (!Json.isObject(value)) return []
        const { point, result } = value
        return point === undefined || result === undefined ? [] : [[name, { point, result }] as const]
      }),
    )
  } catch {
    // There is none, or it was cut off: then all rows are sent.
    return new Map()
  }
}

const write = (file: string, path: string, kept: ReadonlyMap<string, Resumption>): void => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const requests = Object.fromEntries([...kept].map(([name, { point, result }]) => [name, { point, result }]))
  AtomicFile.replace(file, Json.stringify({ file: path, requests }), { private: true })
}
