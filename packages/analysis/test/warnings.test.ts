import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { maskKeys, Value } from "../src/index.ts"
import { analyzeText } from "./workspace.ts"

const plugins = { plugins: [TokenAccounts.plugin] }
const config = { networks: { accounts: { plugin: "token-accounts", url: "embedded:accounts" } } }

/** Each warning as `code "the text it covers"`, and the text once its fixes are made. */
const check = (what: string, text: string, expected: ReadonlyArray<string>, fixed = text) =>
  it(what, () => {
    const warnings = analyzeText(text, { ...plugins, config }).diagnostics.filter(
      ({ severity }) => severity === "warning",
    )
    expect(warnings.map(({ code, end, start }) => `${code} ${text.slice(start, end)}`)).toEqual(expected)
    const edits = warnings.flatMap(({ fix }) => fix?.edits ?? []).toReversed()
    expect(edits.reduce((now, edit) => now.slice(0, edit.start) + edit.text + now.slice(edit.end), text)).toBe(fixed)
    for (const { message } of warnings) expect(message).not.toContain(secret)
  })

const secret = "0f3aa9c1d2b84e570f3aa9c1"
const call = `getTokenAccountsByDelegate ["x", { "programId": "y" }, { "encoding": "jsonParsed" }]\n`
const amount = "account.data.parsed.info.tokenAmount"

describe("a deprecated member", () => {
  check(
    "of the request's own result",
    `###\n${call}?? result.value[0].${amount}.uiAmount > 1\n`,
    ["A209 uiAmount"],
    `###\n${call}?? result.value[0].${amount}.uiAmountString > 1\n`,
  )
  check(
    "of another request's result, by a computed index",
    `###\n# @name a\n${call}###\n${call}?? a.result.value[1 + 1].${amount}.uiAmount > 1\n`,
    ["A209 uiAmount"],
    `###\n# @name a\n${call}###\n${call}?? a.result.value[1 + 1].${amount}.uiAmountString > 1\n`,
  )
  check("is none where something else has its name", `###\n${call}?? result.uiAmount == 1\n`, [])
})

describe("a variable that is defined twice in one place", () => {
  check("hides the one above", "@x = 1\n@x = 2\n", ["A403 x"])
  check("hides the one above in a section", `###\n@x = 1\n@x = 2\n${call}`, ["A403 x"])
  check("is none where it is made of the one above", "@x = 1\n@x = x + 1\n", [])
  check("is none where a section replaces one of the file", `@x = 1\n###\n@x = 2\n${call}`, [])
  check("is none in two sections", `###\n@x = 1\n${call}###\n@x = 2\n${call}`, [])
})

describe("a member that a check misspells", () => {
  check(
    "of a list",
    `###\n${call}?? result.value.lenght > 0\n`,
    ["A210 lenght"],
    `###\n${call}?? result.value.length > 0\n`,
  )
  check(
    "of an object",
    `###\n${call}?? result.value[0].acount != null\n`,
    ["A210 acount"],
    `###\n${call}?? result.value[0].account != null\n`,
  )
  check("of a list that is not an object", `###\n${call}?? result.value.account == 1\n`, ["A210 account"])
  check("is none where the provider may have more", `###\n${call}?? result.value[0].somethingElse == 1\n`, [])
})

describe("a secret in the file", () => {
  check("in the address of a comment", `# see https://mainnet.example/v3/${secret}\n`, [`A501 ${secret}`])
  check(
    "in a query or before an @",
    `@a = "https://h.example/x?apikey=${secret}"\n@b = "https://me:${secret}@h.example/"\n`,
    [`A501 ${secret}`, `A501 ${secret}`],
  )
  check("alone before an @", `@a = "https://${secret}@h.example/"\n`, [`A501 ${secret}`])
  check("is none where a user's name is short", `@a = "https://reader2@h.example/"\n`, [])
  check(
    "in a variable that says so",
    `@apiKey = "${secret}"\n`,
    [`A501 "${secret}"`],
    `@apiKey = {{$secret.API_KEY}}\n`,
  )
  check(
    "in a member that says so",
    `###\nm [{ "accessToken": "${secret}" }]\n`,
    [`A501 "${secret}"`],
    `###\nm [{ "accessToken": {{$secret.ACCESS_TOKEN}} }]\n`,
  )
  check("by its shape", `@x = "ghp_${secret}"\n`, [`A501 "ghp_${secret}"`], "@x = {{$secret.X}}\n")
  check(
    "a private key",
    `@privateKey = "0x${"ab".repeat(32)}"\n`,
    [`A501 "0x${"ab".repeat(32)}"`],
    "@privateKey = {{$secret.PRIVATE_KEY}}\n",
  )
  check(
    "is none of these",
    `# https://docs.example/guides/getting-started/v3/intro\n@token = "0x${"ab".repeat(20)}"\n@keys = ["0x${"00".repeat(32)}"]\n@url = "https://h.example/v3/{{$secret.KEY}}"\n@apiKey = {{$secret.API_KEY}}\n`,
    [],
  )
})

describe("a text that is shown", () => {
  const check = (what: string, text: string, expected: string) => it(what, () => expect(maskKeys(text)).toBe(expected))
  const dots = "•".repeat(secret.length)
  check(
    "has no key in it, and everything else in its place",
    `# https://h.example/v3/${secret}\n@apiKey = "${secret}"\n@a = 1\n`,
    `# https://h.example/v3/${dots}\n@apiKey = ••${dots}\n@a = 1\n`,
  )
  check("is the same without one", `@a = "0x${"ab".repeat(20)}"\n`, `@a = "0x${"ab".repeat(20)}"\n`)
})

describe("a check that compares nothing", () => {
  it("fails for the values that its warning lists, and for no others", () => {
    const [, listed = "", passes = ""] =
      /fails only for (.*), and passes for ("0x0");/.exec(
        analyzeText(`###\n${call}?? 1\n`, { ...plugins, config })
          .diagnostics.map(({ message }) => message)
          .join("\n"),
      ) ?? []
    expect(listed.split(/, | and /).map((text) => Value.isTruthy(Json.parse(text)))).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(Value.isTruthy(Json.parse(passes))).toBe(true)
  })
  const own = `###\n# @name a\n${call}`
  check("and is a value of the text", `${own}?? "0x0"\n`, ['A307 "0x0"'])
  check("and is a number", `${own}?? 0x1\n`, ["A307 0x1"])
  check("and computes", `${own}?? credits + 1\n`, ["A307 credits + 1"])
  check("and is part of a longer one", `${own}?? (ms) && credits > 1\n`, ["A307 ms"])
  check("and reads what is never true or false", `${own}?? result.value\n`, ["A307 result.value"])
  check("and is a variable", `${own}@n = 5\n?? n\n`, ["A307 n"])
  check("is fine where it may be true or false", `${own}?? result.value[0].account.executable\n?? !result\n`, [])
  check("is fine where nothing is known of what it reads", `${own}?? result.value[0].other\n`, [])
  check("is not meant by comparisons", `${own}?? credits > 1 && (ms < 5 || result != null)\n`, [])
})

describe("a comparison whose outcome is known before the call", () => {
  const decided = (check: string, expected: string | undefined) =>
    it(`${expected === undefined ? "is not" : "is"} ?? ${check}`, () => {
      const { diagnostics } = analyzeText(`###\n@text = "abc"\n@n = 3\n${call}?? ${check}\n`, { ...plugins, config })
      const warnings = diagnostics.filter(({ severity }) => severity === "warning")
      expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual(
        expected === undefined ? [] : [`A310 this comparison ${expected}`],
      )
    })
  const order = (operator: string, found: string) => `is never true: "${operator}" needs two numbers, found ${found}`
  const length = "compare the length of the array: write .length after it"
  decided('result.value.length > "three"', order(">", "a number and a string; compare two numbers"))
  decided("text <= credits", order("<=", "a string and a number; compare two numbers"))
  decided("result.value > 3", order(">", `an array and a number; ${length}`))
  decided("3 < result.value", order("<", `a number and an array; ${length}`))
  decided("result.value[0] >= 1", order(">=", "an object and a number; compare two numbers"))
  decided("result.value[0].account.executable > 0", order(">", "true or false and a number; compare two numbers"))
  decided("ms > null", order(">", "a number and null; compare two numbers"))
  decided("ms > 1 && (credits < true)", order("<", "a number and true or false; compare two numbers"))
  decided("!(ms > n || ms > text)", order(">", "a number and a string; compare two numbers"))
  decided("result.value == 3", `is never true: one side is an array and the other is a number; ${length}`)
  decided("result.value != n", `is always true: one side is an array and the other is a number; ${length}`)
  decided(
    'result.value[0].account.executable == "true"',
    "is never true: one side is true or false and the other is a string; compare values of the same type",
  )
  decided(
    'result.value.length == "three"',
    "is never true: one side is a number and the other is a string; compare values of the same type",
  )
  decided(
    "(ms > 5) == 1",
    "is never true: one side is true or false and the other is a number; compare values of the same type",
  )
  // Digits in a string are a number.
  decided('result.value.length > "3"', undefined)
  decided('result.value.length == "0x3"', undefined)
  decided("result.value[0].account.owner > 3", undefined)
  decided("result.value != null", undefined)
  decided("null == result.value[0]", undefined)
  decided("result.value[0].somethingElse > 3", undefined)
  decided("result.value == result.value", undefined)
  decided("ms + credits < n * 1000", undefined)
  decided('result.value[0].account.executable == true && result.value[0].pubkey == "abc"', undefined)
})

describe("a budget below the price of one call", () => {
  check("and is the request's own", `###\n# @budget 159\n${call}`, ["A309 159"])
  check("and is the file's", `# @budget 159\n###\n${call}`, ["A309 getTokenAccountsByDelegate"])
  check("is enough when it is the price", `###\n# @budget 160\n${call}`, [])
})

describe("a character that changes the direction of the text", () => {
  const [start, end] = ["\u202E", "\u2069"]
  const own = `###\n# @name a\n`
  check(
    "is written as an escape in a string",
    `${own}@x = "a${start}b${end}"\n${call}`,
    [`A504 ${start}`],
    `${own}@x = "a\\u202eb\\u2069"\n${call}`,
  )
  check(
    "is written as an escape beside a template",
    `${own}@y = 1\n@x = "a${start}{{y}}b${end}"\n${call}`,
    [`A504 ${start}`, `A504 ${end}`],
    `${own}@y = 1\n@x = "a\\u202e{{y}}b\\u2069"\n${call}`,
  )
  check(
    "is removed from a comment",
    `${own}# see ${start}this${end}\n${call}// ${start}\n`,
    [`A504 ${start}`, `A504 ${start}`],
    `${own}# see this\n${call}// \n`,
  )
  check("is left in a title", `### a${start}\n${call}`, [`A504 ${start}`])
  check("is none where the text runs from right to left by itself", `### \u05D0\n# \u05D0 \u200F\n${call}`, [])
})

describe("an address whose checksum is wrong", () => {
  const found = (params: string) =>
    analyzeText(
      `@a = "0x5FbDB2315678afecb367f032d93F642f64180aA3"\n###\neth_getBalance [${params}, "latest"]\n`,
    ).diagnostics.map(({ code, fix, severity }) => `${severity} ${code} ${fix?.edits[0]?.text ?? ""}`)
  const fixed = 'warning A311 "0x5FbDB2315678afecb367f032d93F642f64180aa3"'
  it("is a warning, with the right one as a fix", () =>
    expect(found('"0x5FbDB2315678afecb367f032d93F642f64180aA3"')).toEqual([fixed]))
  it("is found behind a variable", () => expect(found("{{a}}")).toHaveLength(1))
  it("is not one in lower case", () => expect(found('"0x5fbdb2315678afecb367f032d93f642f64180aa3"')).toEqual([]))
})
