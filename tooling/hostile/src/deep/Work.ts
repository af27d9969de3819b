/** How long a process has worked. Only deep runs judge it: what a processor needs depends on what else the machine does. */
import { readFileSync } from "node:fs"

/** Seconds of a processor so far, all threads together; `undefined` once it has ended. Clock ticks are hundredths on Linux. */
export const workOf = (pid: number | undefined): number | undefined => {
  if (pid === undefined) return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const [user, system] = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 13)
    return (Number(user) + Number(system)) / 100
  } catch {
    return undefined
  }
}

/** Seconds that this process has worked so far. */
export const ownWork = (): number => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1_000_000
}
