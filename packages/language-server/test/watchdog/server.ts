/**
 * The server in a process of its own, as an editor starts it, with a probe of how long its thread was busy at a time.
 *
 * Invariant: counts the processor time of this thread alone, so that whatever else the machine does is left out.
 */
import { createConnection } from "vscode-languageserver/node"
import { serve } from "../../src/index.ts"
import { makeHost } from "../host.ts"
import { reference } from "./reference.ts"

let last = busyMillis()
let longest = 0

/** Ticks between two tasks of the thread. */
const tick = (): void => {
  const now = busyMillis()
  longest = Math.max(longest, now - last)
  setTimeout(tick, 1)
  last = busyMillis()
}

process.on("message", (question) => {
  // The tick that is due counts what came before this.
  setTimeout(() => {
    const answer = question === "reference" ? reference(busyMillis) : longest
    longest = 0
    last = busyMillis()
    process.send?.(answer)
  }, 5)
})
process.on("disconnect", () => process.exit())
setTimeout(tick, 1)
serve(createConnection(process.stdin, process.stdout), makeHost({}), { quietMillis: 0 })

function busyMillis(): number {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}
