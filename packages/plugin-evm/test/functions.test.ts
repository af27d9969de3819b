import { type Abi, Json } from "@dotrpc/spec"
import * as fc from "fast-check"
import * as AbiParameters from "ox/AbiParameters"
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import { describe, expect, it } from "vitest"
import { common } from "../src/abi/decodeLog.ts"
import { eventsOf } from "../src/abi/EventDeclaration.ts"
import { Evm } from "../src/index.ts"
import { hash, holder, token, transferTopic, word } from "./samples/values.ts"

/** Calls a function as an expression does: the value as JSON text, or the problem after an exclamation mark. */
const call = (name: string, args: ReadonlyArray<Json.Json>): string => {
  const found = Evm.plugin.functions.find((entry) => entry.name === name)
  if (found === undefined) return `no function ${name}`
  const result = found.call(args)
  return "value" in result ? Json.stringify(result.value) : `! ${result.problem}`
}

const check = (name: string, args: ReadonlyArray<Json.Json>, expected: string) =>
  it(`${name}(${args.map((arg) => Json.stringify(arg)).join(", ")}) is ${expected}`, () =>
    expect(call(name, args)).toBe(expected))

describe("event gives the topic of a signature", () => {
  const topics: ReadonlyArray<[signature: string, topic: string]> = [
    ["Transfer(address,address,uint256)", transferTopic],
    ["event Transfer(address indexed from, address indexed to, uint256 value)", transferTopic],
    ["event Transfer(address indexed from, address indexed to, uint256 value);", transferTopic],
    ["  event  Transfer (address , address\n, uint value) anonymous ; ", transferTopic],
    ["Approval(address,address,uint256)", "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"],
    ["ApprovalForAll(address,address,bool)", "0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31"],
    ["OwnershipTransferred(address,address)", "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0"],
    ["Deposit(address,uint256)", "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c"],
    [
      "Swap(address,address,int256,int256,uint160,uint128,int24)",
      "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
    ],
    [
      "OrderFulfilled(bytes32,address,address,address,(uint8,address,uint256,uint256)[],(uint8,address,uint256,uint256,address)[])",
      "0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31",
    ],
  ]
  for (const [signature, topic] of topics) check("event", [signature], `"${topic}"`)
  check("event", ["Paused()"], JSON.stringify(Hash.keccak256(Hex.fromString("Paused()"))))
})

describe("event says what is wrong with a signature", () => {
  const wrong = (signature: string, why: string) =>
    check("event", [signature], `! "${signature}" is not an event signature: ${why}`)
  const shape = "expected a name and its argument types, as in Transfer(address,address,uint256)"
  wrong("", shape)
  wrong("Transfer(address", shape)
  wrong("function transfer(address)", 'expected an event, found a declaration of "function"')
  wrong(
    "struct Order { uint256 price; }",
    'expected an event, found a declaration of "struct": write a struct as a tuple, (uint256 price, address maker)',
  )
  wrong("Transfer(address,uint256))", "expected balanced parentheses around the arguments")
  wrong(
    "Transfer(address calldata from)",
    '"address calldata from" is not an argument: expected a type, "indexed" if it is, and a name',
  )
  wrong("1Transfer(address)", shape)
  wrong("Transfer(adress,uint256)", '"adress" is not a type; did you mean "address"?')
  wrong("event Transfer(address from, Token token)", '"Token" is not a type')
  wrong("Transfer(uint7)", '"uint7" is not a type; did you mean "uint8"?')
  wrong("Transfer(address,)", "an argument type is missing beside a comma")
  wrong("Transfer(,address)", "an argument type is missing beside a comma")
  check("event", [], '! event takes one string, such as event("Transfer(address,address,uint256)")')
  check("event", [5], '! event takes one string, such as event("Transfer(address,address,uint256)")')
})

describe("slot gives storage positions", () => {
  const vectors: ReadonlyArray<[args: ReadonlyArray<Json.Json>, position: string]> = [
    [[0], "0x0"],
    [[10], "0xa"],
    [[115792089237316195423570985008687907853269984665640564039457584007913129639935n], hash("ff")],
    [["0x2"], "0x2"],
    [[0, 0], "0xad3228b676f7d3cd4284a5443f17f1962b36e491b30a40b2405849e597ba5fb5"],
    [[1, 0], "0xa6eef7e35abe7026729641147f7915573c7e97b47efa546f5f6e3230263bcb49"],
    [["0x1", "0x0"], "0xa6eef7e35abe7026729641147f7915573c7e97b47efa546f5f6e3230263bcb49"],
    [[1, false], "0xa6eef7e35abe7026729641147f7915573c7e97b47efa546f5f6e3230263bcb49"],
    [
      [1, "0x391694e7e0b0cce554cb130d723a9d27458f9298"],
      "0x6661e9d6d8b923d5bbaab1b96e1dd51ff6ea2a93520fdc9eb75d059238b8c5e9",
    ],
    [["eip1967.implementation"], "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"],
    [["eip1967.admin"], "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103"],
    [["erc7201:openzeppelin.storage.ERC20"], "0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00"],
    [["erc7201:example.main"], "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500"],
    [["eip1967.beacon"], "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50"],
  ]
  for (const [args, position] of vectors) check("slot", args, `"${position}"`)
})

const keccak = (bytes: Hex.Hex): Hex.Hex => Hash.keccak256(bytes)
const uintUint = AbiParameters.from("uint256, uint256")
const intUint = AbiParameters.from("int256, uint256")
const addressUint = AbiParameters.from("address, uint256")
const addressWord = AbiParameters.from("address, bytes32")

describe("slot agrees with another ABI encoder", () => {
  const word = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n })
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => Hex.fromBytes(bytes))

  it("for integer keys", () =>
    fc.assert(
      fc.property(word, word, (base, key) => {
        expect(Evm.slot(base, key)).toBe(keccak(AbiParameters.encode(uintUint, [key, base])))
      }),
    ))
  it("for negative keys", () =>
    fc.assert(
      fc.property(word, fc.bigInt({ min: -(1n << 255n), max: -1n }), (base, key) => {
        expect(Evm.slot(base, key)).toBe(keccak(AbiParameters.encode(intUint, [key, base])))
      }),
    ))
  it("for nested mappings of addresses", () =>
    fc.assert(
      fc.property(word, address, address, (base, owner, spender) => {
        const outer = keccak(AbiParameters.encode(addressUint, [owner, base]))
        const inner = keccak(AbiParameters.encode(addressWord, [spender, outer]))
        expect(Evm.slot(base, owner, spender)).toBe(inner)
        expect(Evm.slot(outer, spender)).toBe(inner)
      }),
    ))
  it("for text keys, whose bytes are not padded", () =>
    fc.assert(
      fc.property(
        word,
        fc.string({ unit: "grapheme" }).filter((text) => !text.startsWith("0x")),
        (base, key) => {
          const bytes = Hex.concat(Hex.fromString(key), Hex.fromNumber(base, { size: 32 }))
          expect(Evm.slot(base, key)).toBe(keccak(bytes))
        },
      ),
    ))
})

describe("element and field lead into arrays and structs", () => {
  const list = "0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563"
  check("element", [0, 0], `"${list}"`)
  check("element", [0, 5, 3], `"${list.slice(0, -2)}72"`)
  check("element", ["0x0", 5n, 3], `"${list.slice(0, -2)}72"`)
  check("field", [3, 2], `"${word("5")}"`)
  check("field", [list, 2], `"${list.slice(0, -2)}65"`)
  check("field", [hash("ff"), 2], `"${word("1")}"`)
  check("element", [0], "! element takes the position of an array and an index, such as element(4, 0)")
  check("element", [0, -1], "! the index of element must be a whole number, 0 or more")
  check("element", [0, 1, 0.5], "! the size of element must be a whole number, 0 or more")
  check("field", [1], "! field takes a position and a number of slots, such as field(slot(6, id), 2)")
  check("field", [1, "2"], "! the offset of field must be a whole number, 0 or more")
  it("a nested path is the same, however it is written", () =>
    expect(Evm.slot(Evm.field(Evm.slot(6, 1), 0), holder)).toBe(Evm.slot(6, 1, holder)))
})

describe("a key with its type", () => {
  check("key", ["bytes", "0x1234"], '{"type":"bytes","value":"0x1234"}')
  check("key", ["bytes", "0x123"], '! key expects whole bytes in hex, found "0x123"')
  check("key", ["bytes4", "0x12"], '! key expects 4 bytes in hex, found "0x12"')
  check("key", ["bytes1", 1], "! key expects 1 byte in hex, found 1")
  check("key", ["address", "0x12"], '! key expects 20 bytes in hex, found "0x12"')
  check("key", ["bool", 1], "! key expects true or false, found 1")
  check("key", ["string", 1], "! key expects text, found 1")
  check("key", ["uint8", 256], "! key expects an integer that uint8 can hold, found 256")
  check("key", ["uint8", -1], "! key expects an integer that uint8 can hold, found -1")
  check("key", ["int8", -129], "! key expects an integer that int8 can hold, found -129")
  const types = 'a type that a mapping may have as its key, such as "bytes", "string" or "bytes4"'
  for (const type of ["byte", "bytes0", "bytes33", "uint7", "uint264", "uint[]", ""])
    check("key", [type, "0x12"], `! key expects ${types}, found ${JSON.stringify(type)}`)
  check("key", ["bytes"], '! key takes a type and a value, such as key("bytes", "0x1234")')

  const sameAs = (typed: Evm.TypedKey, key: Evm.SlotKey) =>
    it(`${typed.type} ${String(typed.value)} is ${String(key)}`, () =>
      expect(Evm.slot(3, typed)).toBe(Evm.slot(3, key)))
  sameAs({ type: "string", value: "alice" }, "alice")
  sameAs({ type: "address", value: holder }, holder)
  sameAs({ type: "bool", value: true }, true)
  sameAs({ type: "uint256", value: 7n }, 7)
  sameAs({ type: "int", value: -7 }, -7)
  sameAs({ type: "bytes32", value: hash("11") as Evm.Hex }, hash("11"))
  sameAs({ type: "bytes4", value: "0xa9059cbb" }, `0xa9059cbb${"0".repeat(56)}`)

  it("of type bytes or string is hashed as it is", () => {
    const slot = Hex.fromNumber(3, { size: 32 })
    for (const value of ["0x", "0x1234", hash("11"), `${hash("11")}11`] as ReadonlyArray<Hex.Hex>)
      expect(Evm.slot(3, { type: "bytes", value })).toBe(keccak(Hex.concat(value, slot)))
    expect(Evm.slot(3, { type: "string", value: "0x1234" })).toBe(keccak(Hex.concat(Hex.fromString("0x1234"), slot)))
  })
})

describe("what is suggested for an argument", () => {
  it("is every event that is decoded without an ABI", () => {
    const entry = Evm.plugin.functions.find(({ name }) => name === "event")
    const texts = entry?.suggest?.(0, { abi: [] }).map(({ text }) => text) ?? []
    expect(texts.toSorted()).toEqual([...new Set(eventsOf(common()).map(({ signature }) => signature))].toSorted())
  })

  const check = (name: string, argument: number, abi: Abi, expected: ReadonlyArray<string>) =>
    it(`${argument} of ${name}: ${expected.join(", ")}`, () => {
      const entry = Evm.plugin.functions.find((candidate) => candidate.name === name)
      expect(entry?.suggest?.(argument, { abi }).map(({ text }) => text) ?? []).toEqual(expected)
    })
  const declared = ["event A(uint256 x)", "event B(address)", "event B(address, uint256)", "event C(bool) anonymous"]
  const abi = Evm.abi(...declared)
  check("event", 0, abi, ["A", "B(address)", "B(address,uint256)"])
  check("event", 0, [...abi, ...abi], ["A", "B(address)", "B(address,uint256)"])
  check("event", 1, abi, [])
  check("units", 1, [], ["wei", "gwei", "ether"])
  check("slot", 0, [], ["eip1967.implementation", "eip1967.admin", "eip1967.beacon", "erc7201:"])
  check("slot", 1, [], [])
  check("key", 0, [], ["bytes", "string", "bytes4", "address", "uint256"])
})

describe("slot says which argument is wrong", () => {
  const first =
    '! slot expects a slot number, a position in hex, "eip1967.implementation", "eip1967.admin", "eip1967.beacon" or "erc7201:NAME" first'
  check("slot", [], "! slot takes a variable's slot and the keys of a mapping, such as slot(0, holder)")
  check("slot", [-1], first)
  check("slot", [1.5], first)
  check("slot", ["balances"], first)
  check("slot", ["0x"], `${first}, found no digits after 0x`)
  check("slot", ["0xzz"], `${first}, found "z" at character 3 of "0xzz"`)
  check(
    "slot",
    [0, `${hash("11")}11`],
    `! key 1 of slot must be at most 32 bytes of hex, found 66 digits; a key of type bytes is written key("bytes", "0x1234")`,
  )
  const anyKey = "must be an integer, true or false, hex, text, or key(type, value)"
  check("slot", [0, holder, null], `! key 2 of slot ${anyKey}`)
  check("slot", [0, 1.5], `! key 1 of slot ${anyKey}`)
  check("slot", [0, { type: "bytes" }], `! key 1 of slot ${anyKey}`)
  check("slot", [0, { type: "bytes", value: "0x1" }], '! key 1 of slot must be whole bytes in hex, found "0x1"')
  check("slot", [0, 1n << 256n], "! key 1 of slot is an integer of more than 256 bits")
})

describe("units gives exact integers", () => {
  check("units", ["1.5", "gwei"], "1500000000")
  check("units", [1.5, "gwei"], "1500000000")
  check("units", [new Json.JsonNumber("1.50"), "gwei"], "1500000000")
  check("units", ["1", "wei"], "1")
  check("units", ["1", "ether"], "1000000000000000000")
  check("units", ["0.1", "ether"], "100000000000000000")
  check("units", [9007199254740993n, "ether"], "9007199254740993000000000000000000")
  check("units", ["0.25", 6], "250000")
  check("units", ["1.500", 1], "15")
  check("units", ["-2", 2], "-200")
  check("units", ["0", 77], "0")
})

describe("units never rounds or guesses", () => {
  const amount = '! units expects a decimal amount such as "1.5", without an exponent, found'
  const unit = '! units expects "wei", "gwei", "ether" or 0 to 77 decimals, found'
  check("units", ["0.5", "wei"], '! 0.5 has 1 decimal, but "wei" takes 0')
  check("units", ["1.2345", 3], "! 1.2345 has 4 decimals, more than 3")
  check("units", ["1e18", "wei"], `${amount} "1e18"`)
  check("units", ["1,5", "gwei"], `${amount} "1,5"`)
  check("units", [".5", "gwei"], `${amount} ".5"`)
  check("units", [null, "gwei"], `${amount} null`)
  check("units", ["1", "finney"], `${unit} "finney"`)
  check("units", ["1", "constructor"], `${unit} "constructor"`)
  check("units", ["1", 78], `${unit} 78`)
  check("units", ["1", 1.5], `${unit} 1.5`)
  check("units", ["1"], '! units takes an amount and a unit, such as units("1.5", "gwei")')

  it("is undone by moving the point back", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 1n << 200n }), fc.integer({ min: 1, max: 77 }), (value, decimals) => {
        const digits = value.toString().padStart(decimals + 1, "0")
        expect(Evm.units(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`, decimals)).toBe(value)
      }),
    ))
})

describe("the typed functions throw what the expressions report", () => {
  it("event", () => expect(() => Evm.event("Transfer(adress)")).toThrow('did you mean "address"?'))
  it("slot", () => expect(() => Evm.slot("balances")).toThrow(TypeError))
  it("units", () => expect(() => Evm.units("0.5", "wei")).toThrow('"wei" takes 0'))
})

describe("conversions", () => {
  it("quantities survive the way to hex and back", () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }), (value) => {
        expect(Evm.quantity(Evm.hex(value))).toBe(value)
      }),
    ))
  it("reads a padded storage value", () => expect(Evm.quantity(`0x${"0".repeat(59)}f4240`)).toBe(1_000_000n))
  it("writes zero with one digit", () => expect(Evm.hex(0)).toBe("0x0"))
  it("refuses an empty quantity", () => expect(() => Evm.quantity("0x")).toThrow('such as "0x1b4"'))
  it("refuses a negative number", () => expect(() => Evm.hex(-1)).toThrow(RangeError))
  it("refuses a number whose digits are lost", () => expect(() => Evm.hex(2 ** 53)).toThrow(RangeError))
  it("reads a timestamp", () => expect(Evm.time("0x6553f100").toISOString()).toBe("2023-11-14T22:13:20.000Z"))
  it("takes an address out of a topic", () =>
    expect(Evm.addressOf(`0x${"0".repeat(24)}${token.slice(2).toUpperCase()}`)).toBe(token))
  it("refuses a topic that is not an address", () =>
    expect(() => Evm.addressOf(hash("11"))).toThrow("padded to 32 bytes"))
})
