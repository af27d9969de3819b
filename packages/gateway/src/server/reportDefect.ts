/** How a defect of the gateway is reported to anyone who runs it. */
import { Effect } from "effect"

/** One line: a message may quote what a caller sent, which must not steer a terminal or begin a line of its own. */
export const reportDefect = (what: string, defect: unknown): Effect.Effect<void> => {
  const said = defect instanceof Error ? `${defect.name}: ${defect.message}` : String(defect)
  const visible = said
    .slice(0, 300)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (letter) => `\\u{${letter.codePointAt(0)?.toString(16) ?? ""}}`)
  return Effect.logError(`${what}: ${visible}; this is a bug in the gateway, please report it`)
}
