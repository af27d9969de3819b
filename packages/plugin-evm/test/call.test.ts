import type { Abi, Json } from "@dotrpc/spec"
import * as fc from "fast-check"
import { decodeFunctionData, encodeFunctionData, encodeFunctionResult, parseAbi } from "viem"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { holder, token, word } from "./samples/values.ts"

const abi = Evm.abi(
  "function balanceOf(address holder) view returns (uint256)",
  "function fill((uint256 price, address[] makers)[] orders, bytes4 id) external returns (bool ok, uint8)",
  "function get(uint8)",
  "function get(address)",
  "function pair(int128[2] limits, bool open) returns (string, uint256)",
  "error InsufficientBalance(uint256 available, uint256 required)",
  "error Closed()",
)

const entry = Evm.plugin.functions.find(({ name }) => name === "call")

/** What `call` gives: the data, or its problem and the argument that has it. */
const written = (args: ReadonlyArray<Json.Json>, known: Abi): string => {
  const result = entry?.call(args, { abi: known }) ?? { problem: "there is no such function" }
  if ("value" in result) return String(result.value)
  return `! ${result.argument ?? "-"} ${result.problem}`
}

const none: Abi = []

const check = (title: string, args: ReadonlyArray<Json.Json>, expected: string, known = abi) =>
  it(title, () => expect(written(args, known)).toBe(expected))

const balanceOf = `0x70a08231${word(holder.slice(2)).slice(2)}`

describe("call writes the data of a call", () => {
  check("by the signature that an ABI declares", ["balanceOf(address)", holder], balanceOf)
  check("by the name that an ABI declares", ["balanceOf", holder], balanceOf)
  check("by a signature, without an ABI", ["balanceOf(address)", holder], balanceOf, none)
  check(
    "by a whole declaration",
    ["function balanceOf(address a) external view returns (uint256 b)", holder],
    balanceOf,
  )
  check("by a declaration that says more than the ABI", ["function decimals()"], "0x313ce567")
  check("of the overload that takes the number", ["get", 5], `0xf72d0b3b${word("5").slice(2)}`)
  check("of the overload that takes the address", ["get", token], `0xc2bc2efc${word(token.slice(2)).slice(2)}`)
  check(
    "with every digit of a number",
    ["f(uint256)", 2n ** 256n - 1n],
    `${Evm.event("f(uint256)").slice(0, 10)}${"f".repeat(64)}`,
    none,
  )
  check("with a number in hex, as results have it", ["get(uint8)", "0x05"], `0xf72d0b3b${word("5").slice(2)}`)
  const filled = (price: string) =>
    encodeFunctionData({
      abi: parseAbi(["function fill((uint256 price, address[] makers)[] orders, bytes4 id)"]),
      args: [[{ price: BigInt(price), makers: [holder] }], "0x01020304"],
    })
  check(
    "with structs as objects",
    ["fill", [{ makers: [holder], price: 12345678901234567890n }], "0x01020304"],
    filled("12345678901234567890"),
  )
  check("with structs as arrays", ["fill", [[7, [holder]]], "0x01020304"], filled("7"))
  check(
    "with structs as JSON in a string, with every digit",
    ["fill", `[{"price": 12345678901234567891, "makers": ["${holder}"]}]`, "0x01020304"],
    filled("12345678901234567891"),
  )
})

describe("call says what is wrong, and with which argument", () => {
  check(
    "of a name that is close",
    ["balancOf", holder],
    '! 0 no function balancOf is declared; did you mean "balanceOf"?',
  )
  check(
    "of a signature that is close",
    ["balancOf(address)", holder],
    '! 0 no function balancOf(address) is declared; did you mean "balanceOf(address)"?',
  )
  check(
    "of a signature with other types",
    ["balanceOf(uint256)", 1],
    '! 0 no function balanceOf(uint256) is declared; the ABI has "balanceOf(address)"',
  )
  check(
    "of a signature that no ABI declares",
    ["foo(uint256)", 1],
    '! 0 no function foo(uint256) is declared; to call it all the same, write "function foo(uint256)"',
  )
  check(
    "of a name without an ABI",
    ["foo"],
    "! 0 no function foo is declared: write its argument types, as in balanceOf(address), or declare it with # @abi",
    none,
  )
  check(
    "of a type that is misspelt",
    ["foo(adress)", token],
    '! 0 "foo(adress)" is not a function: "adress" is not a type; did you mean "address"?',
  )
  check(
    "of an event",
    ["event Paused()"],
    '! 0 "event Paused()" is not a function: expected a function, found a declaration of "event"',
  )
  check("of no function at all", [1], '! - call takes a function first, such as call("balanceOf(address)", holder)')
  check("of too few arguments", ["balanceOf"], "! - balanceOf(holder: address) takes 1 argument, found 0")
  check("of too many", ["balanceOf", holder, 1], "! - balanceOf(holder: address) takes 1 argument, found 2")
  check(
    "of an address that is too short",
    ["balanceOf", holder.slice(0, -1)],
    '! 1 holder expects an address of 20 bytes (0x and 40 hex digits), found 39 digits in "0xf39fd6e51a…fffb9226"',
  )
  check("of a number that is too large", ["get(uint8)", 256], "! 1 argument 1 expects 0 to 255 for uint8, found 256")
  check(
    "of a negative number",
    ["function f(uint256 amount)", -1],
    "! 1 amount expects 0 to 2^256 - 1 for uint256, found -1",
  )
  check("of a fraction", ["get(uint8)", 1.5], "! 1 argument 1 expects a whole number for uint8, found 1.5")
  check(
    "of an array of another length",
    ["pair", [1], true],
    "! 1 limits expects an array of 2 items for int128[2], found 1",
  )
  check(
    "of an item, with its place",
    ["pair", [1, 2n ** 127n], true],
    "! 1 limits[1] expects -2^127 to 2^127 - 1 for int128, found 170141183460469231731687303715884105728",
  )
  check("of a truth value", ["pair", [1, 2], 1], "! 2 open expects true or false, found 1")
  check(
    "of a member that is misspelt",
    ["fill", [{ price: 1, maker: [] }], "0x01020304"],
    '! 1 orders[0] has no member "maker"; did you mean "makers"?',
  )
  check(
    "of a member that is missing",
    ["fill", [{ price: 1 }], "0x01020304"],
    '! 1 orders[0] expects an object with price, makers: "makers" is missing',
  )
  check(
    "of bytes that are too long",
    ["fill", [], "0x0102030405"],
    '! 2 id expects 4 bytes in hex (0x and 8 digits), found 10 digits in "0x0102030405"',
  )
  const both = Evm.abi("function set(uint8 a)", "function set(uint256 a)")
  check(
    "of two overloads that fit",
    ["set", 1],
    '! 0 several functions are named set: write "set(uint8)" or "set(uint256)"',
    both,
  )
  const library: Abi = [{ type: "function", name: "f", inputs: [{ name: "a", type: "Lib.Data storage" }] }]
  check(
    "of a function whose declaration cannot be read",
    ["f"],
    '! 0 f cannot be called by its ABI: inputs[0] of function f has the type "Lib.Data storage", which is not a Solidity type',
    library,
  )
})

it("call is completed by the functions of the ABI, and its signature by the one that is named", () => {
  expect(entry?.suggest?.(0, { abi })[0]).toEqual({
    text: "balanceOf(address)",
    detail: "balanceOf(holder: address) returns (uint256)",
  })
  expect(entry?.signatureOf?.("pair", { abi })).toBe("call(function, limits: int128[2], open: bool)")
})

it("what call writes is what viem reads", () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`)
  const declaration = "function f((uint256 a, int64[] b, string c)[2] list, bytes d, address e, bool[3] g)"
  const struct = fc.record({
    a: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    b: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), { maxLength: 4 }),
    c: fc.string({ unit: "grapheme" }),
  })
  const bools = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
  const bytes = fc.uint8Array({ maxLength: 70 }).map((value) => `0x${Buffer.from(value).toString("hex")}`)
  fc.assert(
    fc.property(fc.tuple(fc.tuple(struct, struct), bytes, address, bools), (args) => {
      const data = written([declaration, ...args], none)
      const read = decodeFunctionData({ abi: parseAbi([declaration]), data: data as Evm.Hex })
      expect(JSON.stringify(read.args, plain).toLowerCase()).toBe(JSON.stringify(args, plain).toLowerCase())
    }),
  )
})

const plain = (_: string, value: unknown): unknown => (typeof value === "bigint" ? String(value) : value)

const ethCall = Evm.EthCall
const sentTo = (input: string) => ({ params: [{ to: token, input }, "latest"], meanings: [] })

const decodes = (title: string, declaration: string, data: Evm.Hex, expected: Json.Json | undefined) =>
  it(title, () => {
    const known = Evm.abi(declaration)
    const name = /function (\w+)/.exec(declaration)?.[1] ?? ""
    const input = written([name], known)
    expect(ethCall.decode?.(data, { abi: known, sent: sentTo(input) })).toEqual(expected)
  })

describe("the result of eth_call is decoded", () => {
  const words = (...values: ReadonlyArray<string>): Evm.Hex =>
    `0x${values.map((value) => word(value).slice(2)).join("")}`
  decodes("to the value of one output", "function f() returns (uint256 total)", words("2a"), 42n)
  decodes("with every digit", "function f() returns (uint256)", words("f".repeat(64)), 2n ** 256n - 1n)
  decodes("to an object of outputs with names", "function f() returns (uint256 a, bool)", words("5", "1"), {
    a: 5n,
    arg1: true,
  })
  decodes(
    "to every output, of several with one name as well",
    "function f() returns (uint256 a, uint8 a)",
    words("5", "6"),
    {
      a: 5n,
      a_2: 6,
    },
  )
  decodes("to an object of outputs without, by position", "function f() returns (uint256, bool)", words("5", "0"), {
    arg0: 5n,
    arg1: false,
  })
  decodes("to a struct", "function f() returns ((uint112 reserve, address owner) pool)", words("7", holder.slice(2)), {
    reserve: 7n,
    owner: holder,
  })
  decodes(
    "to an array of structs",
    "function f() returns ((uint256 id, string name)[])",
    encodeFunctionResult({
      abi: parseAbi(["function f() returns ((uint256 id, string name)[])"]),
      result: [{ id: 1n, name: "one" }],
    }),
    [{ id: 1n, name: "one" }],
  )
  decodes("not when it is of other types", "function f() returns (bool)", words("2"), undefined)
  decodes(
    "not when offsets lead to the same place",
    "function f() returns (string[])",
    words("20", "2", "40", "40", "1", "61".padEnd(64, "0")),
    undefined,
  )
  decodes(
    "not when an editor would wait for it",
    "function f() returns (uint256[])",
    `0x${word("20").slice(2)}${word("2710").slice(2)}${"0".repeat(64 * 10_000)}`,
    undefined,
  )
  decodes("not when nothing came", "function f() returns (bool)", "0x", undefined)
  it("by the outputs that the call itself declares", () => {
    const result = entry?.call(["f() returns (int8)"]) ?? { problem: "" }
    if ("problem" in result || result.meaning === undefined) throw new Error("the call has no meaning")
    const sent = { params: [{ data: result.value }], meanings: [{ path: [0, "data"], meaning: result.meaning }] }
    expect(ethCall.decode?.(`0x${"f".repeat(64)}`, { sent })).toBe(-1)
  })
  it("of what every token has, without an ABI", () => {
    expect(ethCall.decode?.(words("6"), { sent: sentTo("0x313ce567") })).toBe(6)
  })
})

describe("a result is shown", () => {
  const shown = (title: string, declaration: string, data: Evm.Hex, expected: ReadonlyArray<ReadonlyArray<string>>) =>
    it(title, () => {
      const known = Evm.abi(declaration)
      const table = ethCall.render(data, 10, { abi: known, sent: sentTo(written(["f"], known)) })
      expect([table.columns.map(({ name }) => name), ...table.rows]).toEqual(expected)
    })
  shown("as one value", "function f() returns (uint256)", word("f4240"), [
    ["output", "type", "value"],
    ["", "uint256", "1,000,000"],
  ])
  shown(
    "with the names of outputs",
    "function f() returns (uint256 total, bool)",
    `0x${word("5").slice(2)}${word("1").slice(2)}`,
    [
      ["output", "type", "value"],
      ["total", "uint256", "5"],
      ["arg1", "bool", "true"],
    ],
  )
  const list = encodeFunctionResult({
    abi: parseAbi(["function f() returns ((uint256 id, string name)[])"]),
    result: [
      { id: 1n, name: "one" },
      { id: 2n, name: "two" },
    ],
  })
  shown("as a row for each struct of an array", "function f() returns ((uint256 id, string name)[])", list, [
    ["item", "id", "name"],
    ["0", "1", '"one"'],
    ["1", "2", '"two"'],
  ])
})

describe("the data of a revert says", () => {
  const says = (title: string, data: Json.Json, expected: string | undefined) =>
    it(title, () => expect(ethCall.decodeError?.(data, { abi })?.text).toBe(expected))
  const reason = `0x08c379a0${word("20").slice(2)}${word("5").slice(2)}${"68656c6c6f".padEnd(64, "0")}`
  says("its reason", reason, '"hello"')
  says("its reason inside an object, as some nodes send it", { message: "reverted", data: reason }, '"hello"')
  const hash = word("51")
  const inGanache = { [hash]: { error: "revert", program_counter: 12, return: reason, reason: "hello" }, stack: "…" }
  for (const [node, data] of [
    ["Ganache, by the hash of the transaction", inGanache],
    ["later Ganache", { hash: null, programCounter: 12, result: reason, reason: "hello", message: "revert" }],
    ["Frontier, as a list of numbers", Array.from(Buffer.from(reason.slice(2), "hex"))],
    ["OpenEthereum, after a word", `Reverted ${reason}`],
    ["Frontier, in a word", `Revert("${reason}")`],
    ["TRON, without 0x", reason.slice(2)],
    ["Hardhat, in an object of its own", { message: "Error: VM Exception", txHash: hash, data: reason }],
  ] as const)
    says(`its reason as nodes write it: ${node}`, data, '"hello"')
  says(
    "which of the errors it is that everybody uses",
    `${Evm.event("ERC20InsufficientBalance(address,uint256,uint256)").slice(0, 10)}${[holder.slice(2), "5", "a"].map((value) => word(value).slice(2)).join("")}`,
    `ERC20InsufficientBalance(sender: ${holder.slice(0, 8)}…${holder.slice(-6)}, balance: 5, needed: 10)`,
  )
  says("nothing of a list that is not bytes", [8, 195, 121, 160, 256], undefined)
  says(
    "what the code of a panic means",
    `0x4e487b71${word("11").slice(2)}`,
    "panic 0x11: an arithmetic operation overflowed or underflowed",
  )
  says(
    "that the code of a panic is not known",
    `0x4e487b71${word("99").slice(2)}`,
    "panic 0x99: a panic of a kind that is not known",
  )
  const insufficient = Evm.event("InsufficientBalance(uint256,uint256)").slice(0, 10)
  says(
    "which error of the ABI it is, with its arguments",
    `${insufficient}${word("5").slice(2)}${word("a").slice(2)}`,
    "InsufficientBalance(available: 5, required: 10)",
  )
  says("which error without arguments it is", Evm.event("Closed()").slice(0, 10), "Closed()")
  says("nothing of an error that is not known", "0x01020304", undefined)
  says("nothing of an error whose data does not fit", `${insufficient}${word("5").slice(2)}`, undefined)
  says("nothing when there are no bytes", "0x", undefined)
  says("nothing of other data", { trace: [1] }, undefined)
})

describe("a result says that it is a revert", () => {
  const reason = `0x08c379a0${word("20").slice(2)}${word("5").slice(2)}${"68656c6c6f".padEnd(64, "0")}`
  const remarks = (title: string, result: Json.Json, expected: unknown) =>
    it(title, () => expect(ethCall.remark?.(result, {})).toEqual(expected))
  remarks("of a reason", reason, expect.stringMatching(/reverted.*instead of an error: "hello"$/))
  remarks(
    "of an error without arguments",
    Evm.event("EnforcedPause()").slice(0, 10),
    expect.stringMatching(/EnforcedPause\(\)/),
  )
  remarks("not of words", `0x${reason.slice(10)}`, undefined)
  remarks("not of bytes that are of no known error", "0x01020304", undefined)
  remarks("not of nothing", "0x", undefined)
})

it("the input of a transaction is decoded", () => {
  const known = Evm.abi("function fill(uint256 id, address maker)")
  const input = written(["fill", 7, holder], known)
  const decoded = Evm.GetTransactionByHash.decode?.({ input }, { abi: known })
  expect(decoded).toEqual({ function: "fill", signature: "fill(uint256,address)", args: { id: 7n, maker: holder } })
  expect(Evm.GetTransactionByHash.decode?.(null, { abi: known })).toBeUndefined()
})
