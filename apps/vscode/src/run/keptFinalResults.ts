/**
 * Results that can never change, such as the block of a date, kept in the editor's state for all folders, on the desktop and on the web. Each is
 * stored under a digest of what was asked and whom.
 */
import type { FinalResults } from "@dotrpc/core"
import { Json } from "@dotrpc/spec"
import { Effect } from "effect"
import type * as vscode from "vscode"

/** More dates than a person asks for; beyond it the oldest is dropped and looked up again. */
const mostResults = 1_000

/** Characters of one result, as JSON. */
const longestResult = 2_000

const name = "finalResults"

/** Another version may have another embedded chain, so its results are not used. What the state has in another form is ignored, and replaced. */
export const keptFinalResults = (
  state: Pick<vscode.Memento, "get" | "update">,
  version: string,
): FinalResults.Memory => {
  const kept = (): ReadonlyArray<readonly [string, string]> => {
    const stored = state.get<unknown>(name)
    if (!isObject(stored) || stored["version"] !== version || !isObject(stored["results"])) return []
    return Object.entries(stored["results"]).flatMap(([key, text]) =>
      typeof text === "string" ? [[key, text] as const] : [],
    )
  }
  return {
    read: (key) =>
      Effect.sync(() => {
        const text = kept().find(([known]) => known === key)?.[1]
        return text === undefined ? undefined : parsed(text)
      }),
    write: (key, result) =>
      Effect.promise(async () => {
        const text = Json.stringify(result)
        if (text.length > longestResult) return
        const all = [...kept().filter(([known]) => known !== key), [key, text] as const]
        await state.update(name, { version, results: Object.fromEntries(all.slice(-mostResults)) })
      }),
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): Json.Json | undefined => {
  try {
    return Json.parse(text)
  } catch {
    // It only saves calls.
    return undefined
  }
}
