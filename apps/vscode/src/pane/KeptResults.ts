/**
 * The last results of this workspace, in the editor's storage, so that they survive a reload of the window.
 *
 * Invariant: no more than {@link mostKept} are kept, and the list names only files that were written.
 */
import { Json } from "@dotrpc/spec"

import type { HistoryFiles } from "../history/HistoryFiles.ts"
import { type Moved, movedUri } from "../results/Results.ts"
import { type KeptPlace, type KeptResult, keptResult } from "./KeptResult.ts"

/** Requests whose last results are kept. */
export const mostKept = 20

export class KeptResults {
  readonly #files: HistoryFiles
  /** Files by the identity of their requests, the latest first. */
  #listed: ReadonlyArray<Listed> = []
  #last: Promise<unknown> = Promise.resolve()
  #count = 0

  constructor(files: HistoryFiles) {
    this.#files = files
  }

  /** The results of earlier windows, the latest first; those that cannot be read are left out. */
  load(): Promise<ReadonlyArray<KeptResult>> {
    return this.#inTurn(async () => {
      this.#listed = await this.#readList()
      this.#count = Math.max(0, ...this.#listed.map(({ file }) => file))
      const found = await Promise.all(
        this.#listed.map(async ({ file, request }) => {
          try {
            return [{ ...keptResult(await this.#files.read(nameOf(file))), uri: uriIn(request) }]
          } catch {
            return []
          }
        }),
      )
      return found.flat()
    })
  }

  /** Keeps the text of a result, which replaces the previous one of the same request. */
  keep(place: KeptPlace, label: string, text: string): Promise<void> {
    return this.#inTurn(async () => {
      const request = identityOf(place, label)
      const file = ++this.#count
      await this.#files.write(nameOf(file), text)
      const others = this.#listed.filter((listed) => listed.request !== request)
      await this.#write([{ request, file }, ...others].slice(0, mostKept))
    })
  }

  /** Follows a file or a folder that has another name. */
  move(moved: Moved): Promise<void> {
    return this.#inTurn(async () => {
      const listed = this.#listed.map(({ file, request }) => ({ file, request: movedKey(request, moved) ?? request }))
      await this.#write(listed)
    })
  }

  /** Removes all of them. */
  clear(): Promise<void> {
    return this.#inTurn(() => this.#write([]))
  }

  /** The list first, so that it never names a file that is gone. */
  async #write(listed: ReadonlyArray<Listed>): Promise<void> {
    const gone = this.#listed.filter((before) => !listed.some(({ file }) => file === before.file))
    this.#listed = listed
    await this.#files.write(listFile, Json.stringify(listed.map((entry) => ({ ...entry }))))
    await Promise.allSettled(gone.map(({ file }) => this.#files.remove(nameOf(file))))
  }

  async #readList(): Promise<ReadonlyArray<Listed>> {
    try {
      const list = Json.parse(await this.#files.read(listFile))
      return Json.isArray(list) ? list.flatMap(listedOf).slice(0, mostKept) : []
    } catch {
      // Nothing was kept yet.
      return []
    }
  }

  #inTurn<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    const done = this.#last.then(act)
    this.#last = done.catch(() => undefined)
    return done
  }
}

interface Listed {
  readonly request: string
  readonly file: number
}

/** The identity of a request in every window: its file, and its name or title. */
export const identityOf = ({ name, uri }: KeptPlace, label: string): string => JSON.stringify([uri, name ?? label])

/** The identity after a move; `undefined` if it is the same. */
export const movedKey = (key: string, moved: Moved): string | undefined => {
  const uri = movedUri(uriIn(key), moved)
  return uri === undefined ? undefined : JSON.stringify([uri, ...partsOf(key).slice(1)])
}

const uriIn = (key: string): string => partsOf(key)[0] ?? ""

const partsOf = (key: string): ReadonlyArray<string> => {
  try {
    const parts: unknown = JSON.parse(key)
    return Array.isArray(parts) ? parts.map(String) : []
  } catch {
    // Of a page that kept something else.
    return []
  }
}

const listFile = "results.json"

const nameOf = (file: number): string => `result-${file}.json`

const listedOf = (entry: Json.Json): ReadonlyArray<Listed> =>
  Json.isObject(entry) &&
  typeof entry["request"] === "string" &&
  typeof entry["file"] === "number" &&
  Number.isSafeInteger(entry["file"])
    ? [{ request: entry["request"], file: entry["file"] }]
    : []
