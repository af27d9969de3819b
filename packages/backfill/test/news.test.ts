/** What a worker says while its store is away. */
import { expect, it } from "vitest"
import { makeNews } from "../src/internal/news.ts"

const check = (
  what: string,
  troubles: ReadonlyArray<string | undefined>,
  expected: ReadonlyArray<string | undefined>,
) => it(what, () => expect(troubles.map(makeNews("it is back"))).toEqual(expected))

check("is nothing where nothing is wrong", [undefined, undefined], [undefined, undefined])
check("is said once", ["away", "away", "away"], ["away", undefined, undefined])
check("is said again where it is another trouble", ["away", "full", "away"], ["away", "full", "away"])
check(
  "says that it is over, and begins again",
  ["away", "away", undefined, undefined, "away"],
  ["away", undefined, "it is back", undefined, "away"],
)
