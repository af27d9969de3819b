/** What every bundle leaves out of the EVM library. */
import type { Plugin } from "esbuild"

/**
 * The EVM library imports a state of its own for those who bring none, with tries and databases, of which a few bytes would
 * stay in a bundle, and with them packages that have no license text.
 */
export const withoutStateManager: Plugin = {
  name: "without state manager",
  setup: ({ onLoad }) => {
    onLoad({ filter: /@ethereumjs[\\/]statemanager[\\/]dist[\\/]\w+[\\/]index\.js$/ }, () => ({
      contents: "export class SimpleStateManager {}",
    }))
  },
}
