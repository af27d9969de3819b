/** How a defect of the gateway is reported to its operator. */
import { Visible } from "@dotrpc/spec"
import { Effect } from "effect"

/** One line: a message may quote what a caller sent, which must not steer a terminal or begin a line of its own. */
export const reportDefect = (what: string, defect: unknown): Effect.Effect<void> => {
  const said = defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect)
  return Effect.logError(`${what}: ${Visible.line(said.slice(0, 300))}; this is a bug in the gateway, please report it`)
}
