/** How the values of a log are shown: amounts have units only if the token itself emitted the log, as other contracts count in their own. */
import type { RenderContext } from "@dotrpc/spec"
import type { Log } from "../schemas/Log.ts"
import type { Showing } from "./argument.ts"

export const showingOf = ({ address }: Pick<Log, "address">, { label, units, whole }: RenderContext): Showing => ({
  label,
  whole,
  units: units !== undefined && address.toLowerCase() === units.token ? units : undefined,
})
