import { expect, it } from "vitest"
import { makeNameless } from "../src/internal/socket/nameless.ts"

/** What becomes of the calls in flight: `add 3` is a message after call 3 was sent, `open 1 2 / 1` says who is left, and how many were given up. */
const check = (steps: ReadonlyArray<string>, expected: ReadonlyArray<string>) =>
  it(steps.join(", "), () => {
    const nameless = makeNameless<number>()
    const claims: Array<string> = []
    for (const [index, step] of steps.entries()) {
      const [verb, ...words] = step.split(" ")
      if (verb === "add") nameless.add(index, Number(words[0]))
      if (verb !== "open") continue
      const slash = words.indexOf("/")
      const ids = (slash < 0 ? words : words.slice(0, slash)).map(Number)
      const claim = nameless.claimed(ids, slash < 0 ? 0 : Number(words[slash + 1]))
      claims.push(claim === undefined ? "nobody" : `${claim.ids.join(" ")}${claim.isCertain ? " certainly" : ""}`)
    }
    expect(claims).toEqual(expected)
  })

check(["open 1"], ["nobody"])
check(["add 1", "open 1"], ["1 certainly"])
check(["add 1", "open 1", "open 2"], ["1 certainly", "nobody"])
check(["add 3", "open 1 2 3", "open 2 3", "open 3"], ["nobody", "nobody", "3"])
check(["add 3", "add 3", "open 1 2 3", "open 1 3"], ["nobody", "1 3"])
check(["add 2", "open 1 2", "open 2 3 4"], ["nobody", "2"])
check(["add 2", "open 1 2", "open 3 4", "add 4", "open 4"], ["nobody", "", "4 certainly"])
check(["add 1", "open 1 / 1", "open 1"], ["nobody", "1"])
