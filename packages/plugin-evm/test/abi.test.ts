import { type Abi, Json } from "@dotrpc/spec"
import * as fc from "fast-check"
import * as AbiParameters from "ox/AbiParameters"
import { type AbiEvent, decodeEventLog, encodeAbiParameters, parseAbiItem, toEventSelector } from "viem"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { hash, holder, log, token, transferTopic, word } from "./samples/values.ts"

const reader = Evm.plugin.abi

type Wire = Pick<Evm.Log, "topics" | "data">

/** A log decoded by declarations, as JSON text. */
const decoded = (declarations: ReadonlyArray<string>, wire: Wire): string => {
  const found = Evm.decodeLog(wire, Evm.abi(...declarations))
  return found === undefined ? "unknown" : `${found.event} ${Json.stringify(found.args)}`
}

const check = (title: string, declarations: string | ReadonlyArray<string>, wire: Wire, expected: string) =>
  it(title, () => expect(decoded([declarations].flat(), wire)).toBe(expected))

const data = (types: string, values: ReadonlyArray<unknown>): Evm.Hex =>
  AbiParameters.encode(AbiParameters.from(types), [...values])

const erc20 = "event Transfer(address indexed from, address indexed to, uint256 value)"
const erc721 = "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)"
const from = word(holder.slice(2))
const to = word(token.slice(2))
const huge = (1n << 256n) - 1n

describe("a log is decoded", () => {
  check(
    "by name, with every digit",
    erc20,
    { topics: [transferTopic, from, to], data: word(huge.toString(16)) },
    `Transfer {"from":"${holder}","to":"${token}","value":${huge}}`,
  )
  check(
    "whatever the case of its digits",
    erc20,
    { topics: [`0x${transferTopic.slice(2).toUpperCase()}`, `0x${from.slice(2).toUpperCase()}`, to], data: word("f") },
    `Transfer {"from":"${holder}","to":"${token}","value":15}`,
  )
  const topic = Evm.event("E(int256)")
  check("with negative integers", "E(int256 a)", { topics: [topic], data: `0x${"f".repeat(64)}` }, 'E {"a":-1}')
  check("without names, by position", "E(int256)", { topics: [topic], data: word("7") }, 'E {"arg0":7}')
  it("with integers by their type and never by their value: of more than 53 bits, always a bigint", () => {
    const types = ["uint8", "int48", "uint56", "int64", "uint256", "uint256[]"]
    const wire = { topics: [Evm.event(`E(${types.join(",")})`)], data: data(types.join(","), [1, 2, 3n, 4n, 5n, [6n]]) }
    expect(Object.values(Evm.decodeLog(wire, Evm.abi(`E(${types.join(",")})`))?.args ?? {})).toEqual([
      1,
      2,
      3n,
      4n,
      5n,
      [6n],
    ])
  })
  check(
    "with text, bytes and arrays",
    "E(string s, bytes b, uint8[] list, bytes4 id, bool ok)",
    {
      topics: [Evm.event("E(string,bytes,uint8[],bytes4,bool)")],
      data: data("string, bytes, uint8[], bytes4, bool", ["naïve ☕", "0xABCD", [1, 2, 255], "0x01020304", true]),
    },
    'E {"s":"naïve ☕","b":"0xabcd","list":[1,2,255],"id":"0x01020304","ok":true}',
  )
  check(
    "with tuples by name, also inside arrays",
    "E((uint256 price, (address maker, string memo)[2] parts)[] orders)",
    {
      topics: [Evm.event("E((uint256,(address,string)[2])[])")],
      data: data("(uint256, (address, string)[2])[]", [
        [
          [
            5n,
            [
              [holder, "a"],
              [token, "b"],
            ],
          ],
        ],
      ]),
    },
    `E {"orders":[{"price":5,"parts":[{"maker":"${holder}","memo":"a"},{"maker":"${token}","memo":"b"}]}]}`,
  )
  check(
    "with the hash of what is indexed and has no fixed size",
    "E(string indexed s, uint8[2] indexed p, uint256 v)",
    {
      topics: [Evm.event("E(string,uint8[2],uint256)"), hash("ab"), hash("cd")],
      data: word("1"),
    },
    `E {"s":"${hash("ab")}","p":"${hash("cd")}","v":1}`,
  )
  check(
    "when it is anonymous",
    "event Note(address indexed who, string text) anonymous",
    { topics: [from], data: data("string", ["hi"]) },
    `Note {"who":"${holder}","text":"hi"}`,
  )
  check(
    "with text that is not UTF-8, as its bytes",
    "E(string s, uint256 v)",
    {
      topics: [Evm.event("E(string,uint256)")],
      data: `${word("40")}${word("7").slice(2)}${word("1").slice(2)}ff${"00".repeat(31)}`,
    },
    `E {"s":"0xff","v":7}`,
  )
  check("without arguments", "Paused()", { topics: [Evm.event("Paused()")], data: "0x" }, "Paused {}")
})

describe("events with one topic are distinguished by what is indexed", () => {
  const both = [erc20, erc721]
  check(
    "a transfer of ERC-20",
    both,
    { topics: [transferTopic, from, to], data: word("5") },
    `Transfer {"from":"${holder}","to":"${token}","value":5}`,
  )
  check(
    "a transfer of ERC-721",
    both,
    { topics: [transferTopic, from, to, word("5")], data: "0x" },
    `Transfer {"from":"${holder}","to":"${token}","tokenId":5}`,
  )
})

describe("a log that its declaration does not fit stays raw", () => {
  const one = (type: string) => ({ declared: `E(${type} a)`, topics: [Evm.event(`E(${type})`)] })
  const raw = (title: string, declared: string, wire: Wire) => check(title, declared, wire, "unknown")
  raw("another topic", erc20, { topics: [hash("01"), from, to], data: word("1") })
  raw("too few topics", erc20, { topics: [transferTopic, from], data: word("1") })
  raw("no data", erc20, { topics: [transferTopic, from, to], data: "0x" })
  raw("data that is cut off", erc20, { topics: [transferTopic, from, to], data: "0x0102" })
  raw("an address with something before it", erc20, { topics: [transferTopic, hash("ff"), to], data: word("1") })
  raw("an integer that is too large for its type", one("uint8").declared, {
    topics: one("uint8").topics,
    data: word("12c"),
  })
  raw("a boolean of two", one("bool").declared, { topics: one("bool").topics, data: word("2") })
  raw("bytes4 with more behind them", one("bytes4").declared, { topics: one("bytes4").topics, data: hash("01") })
  raw("an array longer than the data", one("uint256[]").declared, {
    topics: one("uint256[]").topics,
    data: `${word("20")}${word("1000000000000000").slice(2)}`,
  })
  raw("an array of nothing, of any length", one("uint256[0][]").declared, {
    topics: one("uint256[0][]").topics,
    data: `${word("20")}${word("100000000").slice(2)}`,
  })
  raw("an offset that leads back into itself", one("uint256[][]").declared, {
    topics: one("uint256[][]").topics,
    data: `${word("20")}${word("3e8").slice(2)}${word("0").slice(2)}`,
  })
  raw("no topic at all", erc20, { topics: [], data: "0x" })
})

it("never throws, whatever the log holds", () => {
  const bytes = (size: number) =>
    fc.uint8Array({ maxLength: size }).map((found): Evm.Hex => `0x${Buffer.from(found).toString("hex")}`)
  const words = fc
    .array(fc.bigInt({ min: 0n, max: 300n }), { maxLength: 12 })
    .map((list): Evm.Hex => `0x${list.map((value) => word(value.toString(16)).slice(2)).join("")}`)
  const known = Evm.abi("E(string s, (uint8 a, bytes b)[] list, uint256[][] more)", "event Any(bytes all) anonymous")
  const topic = Evm.event("E(string,(uint8,bytes)[],uint256[][])")
  fc.assert(
    fc.property(fc.oneof(bytes(400), words), fc.boolean(), (found, named) => {
      const event = Evm.decodeLog({ topics: named ? [topic] : [], data: found }, known)?.event
      expect([undefined, "E", "Any"]).toContain(event)
    }),
  )
})

describe("another decoder agrees", () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((found): Evm.Hex => `0x${Buffer.from(found).toString("hex")}`)
  const values: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    address,
    uint256: fc.bigInt({ min: 0n, max: huge }),
    int128: fc.bigInt({ min: -(1n << 127n), max: (1n << 127n) - 1n }),
    uint8: fc.integer({ min: 0, max: 255 }),
    bool: fc.boolean(),
    string: fc.string({ unit: "grapheme", maxLength: 40 }),
    bytes: fc.uint8Array({ maxLength: 70 }).map((found): Evm.Hex => `0x${Buffer.from(found).toString("hex")}`),
    bytes32: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((found): Evm.Hex => `0x${Buffer.from(found).toString("hex")}`),
    "uint256[]": fc.array(fc.bigInt({ min: 0n, max: huge }), { maxLength: 5 }),
    "string[2]": fc.tuple(fc.string({ maxLength: 9 }), fc.string({ maxLength: 9 })),
    "(uint256 a, string b)": fc.record({ a: fc.bigInt({ min: 0n, max: huge }), b: fc.string({ maxLength: 9 }) }),
    "(address who, bool[] flags)[]": fc.array(
      fc.record({ who: address, flags: fc.array(fc.boolean(), { maxLength: 3 }) }),
      { maxLength: 3 },
    ),
  }
  const argument = fc
    .constantFrom(...Object.keys(values))
    .chain((type) =>
      fc.record({ type: fc.constant(type), indexed: fc.boolean(), value: values[type] ?? fc.constant(null) }),
    )
  /** Both write integers as text and addresses in lower case here, so that only the values count. */
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_, member: unknown) =>
        typeof member === "bigint" || typeof member === "number" ? `${member}` : member,
      ).toLowerCase(),
    )

  it("on every event of any types, indexed or not", () =>
    fc.assert(
      fc.property(fc.array(argument, { maxLength: 6 }), (args) => {
        let indexedSoFar = 0
        const inputs = args.map(({ indexed, ...rest }) => ({ ...rest, indexed: indexed && ++indexedSoFar <= 3 }))
        const declaration = `event E(${inputs.map(({ indexed, type }, at) => `${type} ${indexed ? "indexed " : ""}p${at}`).join(", ")})`
        // The declaration is only known while the test runs, so the peer's types cannot follow it.
        const event = parseAbiItem(declaration as "event E()") as AbiEvent
        const topics: [Evm.Hex, ...Array<Evm.Hex>] = [
          toEventSelector(event),
          ...inputs.flatMap(({ indexed, type, value }) => {
            if (!indexed) return []
            return /^(string|bytes)$|[\])]$/.test(type) ? hash("ab") : encodeAbiParameters([{ type }], [value])
          }),
        ]
        const wire = {
          topics,
          data: encodeAbiParameters(
            event.inputs.filter((input) => input.indexed !== true),
            inputs.flatMap(({ indexed, value }) => (indexed ? [] : [value])),
          ),
        }
        const theirs: unknown = decodeEventLog({ abi: [event], ...wire }).args ?? {}
        expect(plain(Evm.decodeLog(wire, Evm.abi(declaration))?.args)).toEqual(plain(theirs))
      }),
    ))
})

describe("a declaration that cannot be read", () => {
  const wrong = (text: string, problem: string, part?: string) =>
    it(`${text}: ${problem}`, () => {
      const read = reader?.declaration(text)
      const start = part === undefined ? -1 : text.indexOf(part)
      expect(read).toEqual({ problem, ...(part === undefined ? {} : { start, end: start + part.length }) })
    })
  wrong("event Transfer(adress indexed from)", '"adress" is not a type; did you mean "address"?', "adress")
  wrong("event T(Token token, uint8 x)", '"Token" is not a type', "Token")
  wrong(
    "modifier onlyOwner(address)",
    'expected an event, a function or an error, found a declaration of "modifier"',
    "modifier",
  )
  wrong(
    "function f(uint a) sometimes",
    'expected nothing after the arguments of a function, found "sometimes"',
    "sometimes",
  )
  wrong(
    "error E(uint a) returns (uint)",
    'expected nothing after the arguments of an error, found "returns (uint)"',
    "returns (uint)",
  )
  wrong("function f(uint a) returns (uit b)", '"uit" is not a type; did you mean "uint8"?', "uit")
  wrong("event Transfer", "expected a name and its argument types, as in Transfer(address,address,uint256)")
  wrong("event T(uint a,, uint b)", "an argument type is missing beside a comma")
  wrong(
    "event T(mapping(uint=>uint) x)",
    '"mapping(uint=>uint) x" is not an argument: expected a type, "indexed" if it is, and a name',
    "mapping(uint=>uint) x",
  )
})

describe("a document", () => {
  const event = { type: "event", name: "Paused", inputs: [{ name: "account", type: "address" }] }
  const read = (title: string, document: Json.Json, expected: object) =>
    it(title, () => expect(reader?.document(document)).toEqual(expected))
  const named = { type: "function", name: "f", inputs: [], outputs: [] }
  const error = { type: "error", name: "E", inputs: [] }
  read("that is an ABI gives its events, functions and errors", [named, event, { type: "receive" }, error], {
    abi: [named, event, error],
  })
  read(
    "of Foundry gives those of its abi",
    { abi: [named], bytecode: { object: "0x" }, methodIdentifiers: { "f()": "26121ff0" } },
    { abi: [named] },
  )
  read(
    "of Hardhat gives those of its abi",
    { _format: "hh3-artifact-1", contractName: "C", sourceName: "C.sol", abi: [named], bytecode: "0x" },
    { abi: [named] },
  )
  read(
    "of a compiler gives the events of its abi",
    { contractName: "C", abi: [event], bytecode: "0x" },
    { abi: [event] },
  )
  const noAbi = 'expected an ABI, a JSON array, or an artifact that has one as "abi"'
  read("that is something else is refused", { name: "package" }, { problem: noAbi })
  read("that is a text is refused", "[]", { problem: noAbi })
  read("whose abi is not a list is refused at its place", { abi: {} }, { problem: noAbi, path: ["abi"] })
  read("with items that are not events is refused", [1], {
    problem: 'item 0 of the ABI has no "type" such as "event" or "function"',
    path: [0],
  })
  read(
    "with a misspelled type is refused",
    { abi: [event, { ...event, type: "evnt" }] },
    {
      problem: 'item 1 of the ABI has the type "evnt"; did you mean "event"?',
      path: ["abi", 1, "type"],
    },
  )
  read("with a type of something else is refused", [{ type: "struct" }], {
    problem:
      'item 0 of the ABI has the type "struct"; expected one of function, event, error, constructor, receive, fallback',
    path: [0, "type"],
  })
  read("with an event without a name is refused", [{ type: "event", inputs: [] }], {
    problem: 'item 0 of the ABI: "name" is missing: expected the name of the event',
    path: [0],
  })
  read("with a name that is not a string is refused at the name", [{ type: "function", name: 7, inputs: [] }], {
    problem: 'item 0 of the ABI: "name" is missing: expected the name of the function',
    path: [0, "name"],
  })
  read(
    "with a function that returns an unknown integer is refused",
    [{ type: "function", name: "f", inputs: [], outputs: [{ type: "bool" }, { type: "uint257[]" }] }],
    {
      problem: 'item 0 of the ABI: outputs[1] of function f has the type "uint257[]", which is not a Solidity type',
      path: [0, "outputs", 1, "type"],
    },
  )
  const ofLibrary = { type: "function", name: "g", inputs: [{ name: "self", type: "Lib.Data storage" }], outputs: [] }
  read("of a library keeps the types that only it knows", [ofLibrary], { abi: [ofLibrary] })
  read("without any of them is refused", [{ type: "receive" }], {
    problem: "the ABI declares no event, function or error",
  })
  read("with an event of an unknown type is refused", [{ ...event, inputs: [{ name: "a", type: "uint7" }] }], {
    problem: 'item 0 of the ABI: inputs[0] of event Paused has the type "uint7", which is not a Solidity type',
    path: [0, "inputs", 0, "type"],
  })
  read("with a tuple that has no members is refused", [{ ...event, inputs: [{ name: "a", type: "tuple" }] }], {
    problem:
      'item 0 of the ABI: inputs[0] of event Paused is a tuple without "components": expected an array of its members',
    path: [0, "inputs", 0],
  })
})

describe("the functions of expressions know what is declared", () => {
  const call = (name: string, args: ReadonlyArray<Json.Json>, abi?: Abi): string => {
    const found = Evm.plugin.functions.find((entry) => entry.name === name)
    const result = found?.call(args, abi === undefined ? {} : { abi }) ?? { problem: "no such function" }
    return "value" in result ? Json.stringify(result.value) : `! ${result.problem}`
  }
  const is = (title: string, found: () => string, expected: string) => it(title, () => expect(found()).toBe(expected))
  const known = Evm.abi(erc20, erc721, "Swap(address who)", "Swap(uint256 amount)", "event Note(string text) anonymous")
  const wire: Json.JsonObject = { ...log, data: word("f4240") }

  is("event by its name", () => call("event", ["Transfer"], known), `"${transferTopic}"`)
  is(
    "event by a name that is close",
    () => call("event", ["Transfers"], known),
    '! no event Transfers is declared; did you mean "Transfer"?',
  )
  is(
    "event by a name of two",
    () => call("event", ["Swap"], known),
    '! several events are named Swap: write "Swap(address)" or "Swap(uint256)"',
  )
  is(
    "event by the name of an anonymous one",
    () => call("event", ["Note"], known),
    "! Note is anonymous: its logs have no topic of their own",
  )
  is(
    "event by a name when nothing is declared",
    () => call("event", ["Transfer"]),
    "! no event Transfer is declared: write its argument types, as in Transfer(address,address,uint256), or declare it with # @abi",
  )
  is(
    "decode with what is declared",
    () => call("decode", [wire], known),
    `{"event":"Transfer","signature":"Transfer(address,address,uint256)","args":{"from":"${holder}","to":"${token}","value":1000000}}`,
  )
  is(
    "decode with a declaration of its own",
    () => call("decode", [wire, erc20.replace("value", "amount")]),
    `{"event":"Transfer","signature":"Transfer(address,address,uint256)","args":{"from":"${holder}","to":"${token}","amount":1000000}}`,
  )
  const common = `{"event":"Transfer","signature":"Transfer(address,address,uint256)","args":{"from":"${holder}","to":"${token}","value":1000000}}`
  is("decode of a common event, as the table has it", () => call("decode", [wire]), common)
  is("decode of a common event beside others", () => call("decode", [wire], Evm.abi("Paused()")), common)
  const strange = { ...wire, topics: [`0x${"ab".repeat(32)}`] }
  is(
    "decode of an event that is not known",
    () => call("decode", [strange]),
    `! the event of this log is not known here: declare it with # @abi ${reader?.example}; its topic is ${strange.topics[0]}`,
  )
  is(
    "decode of a log that its declaration does not fit",
    () => call("decode", [{ ...wire, data: "0x" }]),
    `! the event of this log is declared as Transfer(address,address,uint256), which its topics and data do not fit; its topic is ${transferTopic}`,
  )
  is(
    "decode with the declaration of another event",
    () => call("decode", [wire, "Paused(address account)"]),
    `! the event of this log is not the one that is given; its topic is ${transferTopic}`,
  )
  is("decode of something else", () => call("decode", ["0x"], known), "! decode takes a log, such as decode(result[0])")
  is(
    "decode with a bad declaration",
    () => call("decode", [wire, "T(adress)"]),
    '! "T(adress)" is not an event: "adress" is not a type; did you mean "address"?',
  )
})

it("abi throws what a declaration has wrong", () =>
  expect(() => Evm.abi("Transfer(adress from)")).toThrow(
    '"Transfer(adress from)" is not a declaration: "adress" is not a type',
  ))
