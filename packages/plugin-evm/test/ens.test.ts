/** Names of ENS: which calls find them, and what a registry or a resolver of a stranger can make of them. */
import { type Json, type NamesStep, shownName } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { holder, token, word } from "./samples/values.ts"

const asText = (text: string | Uint8Array, length?: number): string => {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")
  const size = (length ?? bytes.length).toString(16)
  return `0x${word("20").slice(2)}${word(size).slice(2)}${hex.padEnd(Math.ceil(hex.length / 64) * 64, "0")}`
}
const resolver = `0x${"5".repeat(40)}`
const names = Evm.plugin.names

/** The answers to the calls that begin with a selector, and what was asked in each round. */
type Answers = Readonly<Record<string, Json.Json | undefined>>
const follow = (step: NamesStep | undefined, rounds: ReadonlyArray<Answers>) => {
  const asked: Array<ReadonlyArray<Json.Json>> = []
  for (const answers of rounds) {
    if (step === undefined || "names" in step) break
    const inputs = step.calls.map(({ params }) => JSON.parse(JSON.stringify(params))[0])
    asked.push(inputs)
    step = step.next(inputs.map(({ input }: { input: string }) => answers[input.slice(0, 10)]))
  }
  return { asked, names: step !== undefined && "names" in step ? step.names : undefined }
}
const account = holder.toLowerCase()
const found = (name: Json.Json | undefined, to: Json.Json | undefined = word(account.slice(2))) => {
  const registry = { "0x0178b8bf": word(resolver.slice(2)) }
  return follow(names?.lookUp([account]), [registry, { "0x691f3431": name }, registry, { "0x3b3b57de": to }]).names
}

describe("names of ENS", () => {
  it("are asked for by the nodes of ENSIP-1", () => {
    const vitalik = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045"
    const { asked } = follow(names?.lookUp([vitalik]), [
      { "0x0178b8bf": word(resolver.slice(2)) },
      { "0x691f3431": asText("vitalik.eth") },
      {},
    ])
    expect(asked).toEqual([
      [
        {
          to: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
          input: expect.stringMatching(/^0x0178b8bf[\da-f]{64}$/),
        },
      ],
      [{ to: resolver, input: expect.stringMatching(/^0x691f3431[\da-f]{64}$/) }],
      [
        {
          to: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
          // The namehash of vitalik.eth, as its documentation has it.
          input: "0x0178b8bfee6c4522aab0003e8d14cd40a6af439055fd2577951148c14b6cea9a53475835",
        },
      ],
    ])
  })

  const check = (title: string, actual: () => unknown, expected: unknown) =>
    it(title, () => expect(actual()).toEqual(expected))

  check("are those that lead back", () => found(asText("treasury.eth")), { [account]: "treasury.eth" })
  check("are not those of another account", () => found(asText("treasury.eth"), word(token.slice(2))), {})
  check("are not those without an account", () => found(asText("treasury.eth"), "0x"), {})
  check("are not an empty text", () => found(asText("")), {})
  check("are not a text with an empty label", () => found(asText("a..eth")), {})
  check("are not bytes that are not text", () => found(asText(Uint8Array.of(0x61, 0xff, 0x2e, 0x61))), {})
  check("are not a text that is shorter than it says", () => found(asText("a.eth", 2 ** 40)), {})
  check("are not a text of 100,000 characters", () => found(asText("a.".repeat(50_000))), {})
  check("are not a name of a thousand labels", () => found(asText("a.".repeat(100) + "eth")), {})
  check("are not an answer of another shape", () => found({ name: "a.eth" }), {})
  check("are not what a refused call says", () => found(undefined), {})
  check(
    "are not asked for where no resolver is",
    () => follow(names?.lookUp([account]), [{ "0x0178b8bf": word("0") }, {}, {}, {}]),
    { asked: [[expect.anything()], [], [], []], names: {} },
  )
  check(
    "belong to mainnet and its test networks",
    () => [1, 11_155_111, 10, undefined].map((chainId) => names?.isOn({ chainId })),
    [true, true, false, false],
  )
  check(
    "belong to addresses but the zero address",
    () => [token.toUpperCase().replace("0X", "0x"), `0x${"0".repeat(40)}`, "USDC"].map((text) => names?.account(text)),
    [token, undefined, undefined],
  )
})

describe("a name", () => {
  const check = (name: string, shown: string | undefined) =>
    it(`${JSON.stringify(name)} is shown as ${String(shown)}`, () => expect(shownName(name)).toBe(shown))

  check("treasury.eth", "treasury.eth")
  check("pay.treasury-2.eth", "pay.treasury-2.eth")
  check("tre\u0430sury.eth", "tre\\u{430}sury.eth")
  check("\u{1f98a}.eth", "\\u{1f98a}.eth")
  check("a\u200db.eth", "a\\u{200d}b.eth")
  check("\u202ehte.yrusaert", "\\u{202e}hte.yrusaert")
  check("Treasury.eth", undefined)
  check("a b.eth", undefined)
  check("a\u0000b.eth", undefined)
  check("a\u001b[2Jb.eth", undefined)
  check("<img>.eth", undefined)
  check("](command:x).eth", undefined)
  check("xn--trsury-3ve.eth", undefined)
  check("0x5fbdb2315678.eth", undefined)
  check("5fbdb2...180aa3", undefined)
  check("eth", undefined)
  check(`${"a".repeat(57)}.eth`, undefined)
})
