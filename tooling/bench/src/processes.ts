/** What other processes of this machine take. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

/** The number of the process that listens on a port. */
export const processOf = (port: number): number =>
  Number(/,pid=(\d+),/.exec(execFileSync("ss", ["-Hltnp", `sport = :${port}`], { encoding: "utf8" }))?.[1])

/** Milliseconds of CPU of a process and of those that it started. */
export const cpuOf = (main: number): number => {
  let ticks = 0
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (fields === undefined || (Number(name) !== main && Number(fields[1]) !== main)) continue
    for (const at of Number(name) === main ? [11, 12, 13, 14] : [11, 12]) ticks += Number(fields[at])
  }
  return ticks * 10
}

/** What follows the name of a process; `undefined` where it has ended. */
const statOf = (pid: string): ReadonlyArray<string> | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}
