/** What a library says while a command runs, as the command's own warnings are said. */
import { Logger, References } from "effect"
import type { Output } from "./Output.ts"

export const warnings = ({ stderr }: Pick<Output["Service"], "stderr">): Logger.Logger<unknown, void> =>
  Logger.make(({ fiber, message }) => {
    const { module } = fiber.getRef(References.CurrentLogAnnotations)
    // Effect's cluster warns about runners and shards, which users do not know; a worker reports a store that does not answer.
    if (typeof module === "string" && module.startsWith("effect/cluster/")) return
    const words = (Array.isArray(message) ? message : [message]).map(String).join(" ")
    stderr.line(`dotrpc: warning: ${words}`)
  })
