/** A fixed piece of work, by which machines of different speed are compared. */
import { parse } from "@dotrpc/lang"
import { busyMillis } from "./Watchdog.ts"

/** How many times longer this machine takes than the one on which the limits were chosen; at least one. */
export const slowness = (): number => {
  const times = Array.from({ length: 15 }, () => {
    const start = busyMillis()
    const { diagnostics } = parse(text)
    return busyMillis() - start + diagnostics.length
  })
  return Math.max(1, Math.min(...times) / referenceMillis)
}

/** What the work took there. */
const referenceMillis = 22

const text = Array.from(
  { length: 20_000 },
  (_, index) => `### s${index}\neth_call [{"to": "0x00000000000000000000000000000000000000aa"}, "latest"]\n`,
).join("")
