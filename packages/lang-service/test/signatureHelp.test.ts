import { expect, it } from "vitest"
import { signatureHelp } from "../src/index.ts"
import { openAt } from "./cursor.ts"

/** The label with the active parameter in brackets of its own. */
const check = (what: string, marked: string, expected: string | undefined) =>
  it(what, () => {
    const { document, position } = openAt(marked)
    const found = signatureHelp(document, position)
    const active = found?.active === undefined ? undefined : found.parameters[found.active]
    const shown =
      found === undefined || active === undefined
        ? found?.label
        : `${found.label.slice(0, active.start)}«${found.label.slice(active.start, active.end)}»${found.label.slice(active.end)}`
    expect(shown).toBe(expected)
  })

check("the argument of a function", "@x = hex(|)", "hex(«integer»)")
check("the argument of a function that is not closed", "###\neth_getLogs [{{hex(|", "hex(«integer»)")
check("the second argument", "@x = slot(1, |)", "slot(variable, «key…»)")
check("a later argument of one that repeats", "@x = slot(1, 2, 3|)", "slot(variable, «key…»)")
check("the inner of two calls", "@x = slot(hex(|), 2)", "hex(«integer»)")
check("the outer one behind the inner", "@x = slot(hex(1), |)", "slot(variable, «key…»)")
const declared = "# @abi function transfer(address to, uint256 amount) returns (bool)\n"
check(
  "the arguments of the contract's function that is called",
  `${declared}@x = call("transfer", "0x", |)`,
  "call(function, to: address, «amount: uint256»)",
)
check(
  "the first of them, in a call that is not closed",
  `${declared}###\neth_call [{ "data": {{call("transfer", |`,
  "call(function, «to: address», amount: uint256)",
)
check("the arguments of any function", `@x = call("nothing", |)`, "call(function, «argument…»)")
check("a function without parameters", "@x = now(|)", "now()")
check("an argument too many", "@x = hex(1, |)", "hex(integer)")
check("nothing after a call", "@x = hex(1)|", undefined)
check("nothing for an unknown function", "@x = nothing(|)", undefined)
check(
  "the first position of params",
  "###\neth_getStorageAt [|",
  "eth_getStorageAt [«address», storage position, block]",
)
check(
  "a later one",
  '###\neth_getStorageAt ["0x1", "0x0", "|"]',
  "eth_getStorageAt [address, storage position, «block»]",
)
check(
  "one on a line of its own",
  '###\r\neth_getStorageAt [\r\n  "🎈",\r\n  |',
  "eth_getStorageAt [address, «storage position», block]",
)
check(
  "the position around an object",
  '###\ngetTokenAccountsByDelegate ["a", { "mint": "|"',
  "getTokenAccountsByDelegate [delegate, «accountDetails», config]",
)
check(
  "a position too many",
  '###\neth_getTransactionReceipt ["0x1", |]',
  "eth_getTransactionReceipt [transaction hash]",
)
check("nothing for params by name", '###\nl2_getEvents { "filter": { | } }', undefined)
check("nothing after the params", "###\neth_getLogs [{}] |", undefined)
check("nothing in a title", "### [|", undefined)

it("says what is expected at each position, and the price", () => {
  const { document, position } = openAt("###\neth_getStorageAt [|]")
  const found = signatureHelp(document, position)
  expect(found?.documentation).toBe("The value at a storage position of an address · 80 credits")
  expect(found?.parameters.map((parameter) => parameter.documentation)).toEqual([
    "an address of 20 bytes (0x and 40 hex digits)",
    'a storage position of at most 32 bytes in hex such as "0x0"',
    'one of the tags latest, earliest, pending, safe, finalized, or a block number in hex such as "0x1b4"',
  ])
})
