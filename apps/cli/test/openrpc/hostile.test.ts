/** OpenRPC documents that are made to hang or overflow anyone who imports them: each becomes a package, or is refused in words. */
import { describe, expect, it } from "vitest"
import { linearPattern } from "../../src/openrpc/linearPattern.ts"
import { hostileDocuments, hostilePatterns, saidOf } from "./hostileDocuments.ts"

describe("a hostile document", () => {
  it.each(hostileDocuments)("$what", ({ text, warnings }) =>
    expect(saidOf(text())).toEqual(warnings.map((warning) => expect.stringMatching(warning))),
  )
})

describe("a hostile pattern is refused:", () => {
  it.each(Object.entries(hostilePatterns))("%s", (_, source) => expect(linearPattern(source)).toBeUndefined())
})
