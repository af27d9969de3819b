/** The two clocks of the machine that a process runs on. */
import type { Clock } from "effect"
import type { ClockReading } from "./AgreedTime.ts"

/** Reads both clocks. A clock that is not the machine's, such as one of a test, stands for all there are. */
export const readingOf = (clock: Clock.Clock): ClockReading => {
  const wall = clock.currentTimeMillisUnsafe()
  const isReplaced = !isOfMachine(clock)
  const found = isReplaced ? undefined : (machine ??= findMachine())
  const uptime = found === undefined ? elapsedOf(clock) : found.uptime() * 1_000
  return { wall, uptime: Math.round(uptime), boot: found?.boot ?? "", isReplaced }
}

/** Milliseconds since some moment in the past, which no correction of the wall clock can turn back. */
export const elapsedOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1_000_000

/** Whether a clock runs with the machine: its wall time may be wrong, but its seconds are the machine's. */
const isOfMachine = (clock: Clock.Clock): boolean => {
  const nanos = processOf()?.hrtime?.bigint?.()
  return nanos === undefined || Math.abs(elapsedOf(clock) - Number(nanos) / 1_000_000) < 1_000
}

interface Machine {
  readonly boot: string
  /** Seconds. */
  readonly uptime: () => number
}

let machine: Machine | undefined

const findMachine = (): Machine | undefined => {
  const modules = processOf()?.getBuiltinModule
  const os = modules?.("node:os") as { readonly uptime: () => number } | undefined
  const fs = modules?.("node:fs") as { readonly readFileSync: (path: string, encoding: "latin1") => string } | undefined
  if (os === undefined || fs === undefined) return undefined
  try {
    return { boot: fs.readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim(), uptime: os.uptime }
  } catch {
    // Only Linux names its starts.
    return { boot: "", uptime: os.uptime }
  }
}

const processOf = () => (globalThis as { readonly process?: Process | undefined }).process

interface Process {
  readonly hrtime?: { readonly bigint?: (() => bigint) | undefined } | undefined
  readonly getBuiltinModule?: ((id: string) => unknown) | undefined
}
