/** A fixed piece of work, by which machines of different speed are compared. */
import { parse } from "@dotrpc/lang"

const text = Array.from(
  { length: 20_000 },
  (_, index) => `### s${index}\neth_call [{"to": "0x00000000000000000000000000000000000000aa"}, "latest"]\n`,
).join("")

/** How long it takes at best, in milliseconds of the clock that is given. */
export const reference = (now: () => number): number => {
  const times = Array.from({ length: 5 }, () => {
    const start = now()
    const { diagnostics } = parse(text)
    return now() - start + diagnostics.length
  })
  return Math.min(...times)
}
