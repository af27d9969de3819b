/** How the values of a log are shown: amounts in units only where the token itself wrote the log, as others count in their own. */
import type { RenderContext } from "@dotrpc/spec"
import type { Log } from "../schemas/Log.ts"
import type { Showing } from "./argument.ts"

export const showingOf = ({ address }: Pick<Log, "address">, { units, whole }: RenderContext): Showing => ({
  whole,
  units: units !== undefined && address.toLowerCase() === units.token ? units : undefined,
})
