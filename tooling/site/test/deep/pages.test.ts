/** Every document in a real browser, in both colors, and some pages of names. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { isOfOneModule, isOfOneName, openSite, type OpenSite, pages } from "../SitePages.ts"

/** Pages of one name each have the same shape as each other; the rest have tables and code. */
const mixed = pages.filter((path) => !isOfOneName(path))
const sample = pages.filter(isOfOneName).filter((_, index) => index % 40 === 0)
/** Text and code are what may be too wide; lists of the names in a module are drawn alike. */
const written = mixed.filter((path, index) => !isOfOneModule(path) || index % 8 === 0)

describe("every page", { retry: 1, timeout: 3_600_000 }, () => {
  let site: OpenSite
  beforeAll(async () => {
    site = await openSite()
  })
  afterAll(() => site[Symbol.asyncDispose]())

  it("has no error in a wide window in light colors", async () =>
    expect(await site.problemsOf([...written, ...sample], 1_400, "light")).toEqual([]))

  it("fits a narrow window in dark colors", async () => expect(await site.problemsOf(mixed, 400, "dark")).toEqual([]))
})
