/** How the values of a log are shown: amounts have units only if the token itself emitted the log, as other contracts count in their own. */
import type { RenderContext } from "@dotrpc/spec"
import type { Log } from "../schemas/Log.ts"
import type { Showing } from "./argument.ts"

export const showingOf = ({ address }: Pick<Log, "address">, { network, units, whole }: RenderContext): Showing => ({
  network,
  whole,
  units: units !== undefined && address.toLowerCase() === units.token ? units : undefined,
})
