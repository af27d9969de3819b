/** Loading the part of the gateway that needs the EVM library, with the first call that does. */
import type * as Machinery from "../../../evm/machinery.ts"

export type LoadEvm = () => Promise<typeof Machinery>

/** Loads it once; again when that failed. `load` replaces `import()`, which not every host can do. */
export const loadingEvm = (load?: () => Promise<object>): LoadEvm => {
  let loading: Promise<typeof Machinery> | undefined
  const begin = async (): Promise<typeof Machinery> => {
    try {
      // What a host loads is that module, in a file of the host's own.
      return load === undefined ? await import("../../../evm/machinery.ts") : ((await load()) as typeof Machinery)
    } catch (problem) {
      loading = undefined
      throw problem
    }
  }
  return () => (loading ??= begin())
}
