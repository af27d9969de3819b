import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** The heap of this process once garbage collection frees nothing more for a while. */
export const heldMegabytes = async (): Promise<number> => {
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  let least = Number.POSITIVE_INFINITY
  for (let sinceLeast = 0; sinceLeast < 8; sinceLeast++) {
    if (typeof collect === "function") collect()
    const held = process.memoryUsage().heapUsed / 1e6
    if (held < least - 0.1) sinceLeast = 0
    least = Math.min(least, held)
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  return least
}
