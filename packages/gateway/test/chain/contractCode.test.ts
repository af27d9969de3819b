import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { compiledSource } from "../../contracts/compiled.ts"
import { contractCode } from "../../src/chain/generate/contracts/code.ts"
import { createdCode, creationOf } from "../../src/chain/generate/contracts/creation.ts"

test("the code of the contracts is what Solidity's compiler makes of their sources", () => {
  const file = new URL("../../src/chain/generate/contracts/code.ts", import.meta.url)
  expect(contractsIn(readFileSync(file, "utf8"))).toEqual(contractsIn(compiledSource()))
})

const check = (what: string, data: `0x${string}`, expected: string | undefined) =>
  test(`the code that ${what} creates`, () => expect(createdCode(data)).toBe(expected))

check(
  "a compiled contract",
  contractCode.Ledger.create,
  `0x${contractCode.Ledger.create.slice(2 + 2 * contractCode.Ledger.start)}`,
)
check("code wrapped as it is", creationOf("0x6001"), "0x6001")
check("any other data", "0x6080604052", undefined)

/** Names and code, however the file is formatted. */
function contractsIn(source: string): string {
  return source.slice(source.indexOf("export const contractCode")).replaceAll(/\s|,/g, "")
}
