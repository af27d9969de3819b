/** The units of tokens, kept in the editor's state for all folders, on the desktop and on the web. */
import type { UnitsMemory } from "@dotrpc/runner"
import { Json, readTokenUnits } from "@dotrpc/spec"
import { Effect } from "effect"
import type * as vscode from "vscode"

/** More tokens than a person works with; beyond it the oldest is dropped and read again. */
const mostTokens = 2_000

const name = "units"

export const keptUnits = (state: Pick<vscode.Memento, "get" | "update">): UnitsMemory => ({
  read: (key) =>
    Effect.sync(() => {
      const text = state.get<Stored>(name, {})[key]
      return typeof text === "string" ? readTokenUnits(Json.parse(text)) : undefined
    }),
  write: (key, units) =>
    Effect.promise(async () => {
      const { [key]: _, ...others } = state.get<Stored>(name, {})
      const all = [...Object.entries(others), [key, JSON.stringify(units)] as const]
      await state.update(name, Object.fromEntries(all.slice(-mostTokens)))
    }),
})

/** By the key of the token, as JSON. */
type Stored = Readonly<Record<string, string>>
