/** Texts that are made to hang or overflow the analysis: each is analysed, and what is too much is reported in its place. */
import { hostileNames, oneOfEachKind } from "@dotrpc/bombs"
import { parse } from "@dotrpc/lang"
import { describe, expect, it } from "vitest"
import { analyze } from "../src/index.ts"
import * as fc from "fast-check"
import { analyzeText, workspace } from "./workspace.ts"

const sources = { uri: "file:///p/main.rpc", files: new Map(), texts: new Map() }

describe("a bomb", () => {
  for (const { name, text } of oneOfEachKind)
    it(`of ${name} is analysed`, () => {
      const bomb = text()
      const { diagnostics } = analyze(parse(bomb), workspace(), { sources })
      expect(diagnostics.filter(({ start, end }) => !(start <= end && end <= bomb.length))).toEqual([])
    })
})

describe("a value that is too large", () => {
  const tooLong = "this value is longer than 1,000,000 characters, or nested more than 512 levels deep"
  const check = (name: string, text: string, line: number, message: string) =>
    it(`is an error where it becomes so: ${name}`, () => {
      const large = analyzeText(text).diagnostics.filter(({ code }) => code === "A211")
      expect(large.map((entry) => text.slice(0, entry.start).split("\n").length)).toContain(line)
      expect(large[0]?.message).toContain(message)
      expect(analyzeText(text).requests.every(({ errors }) => errors.length > 0)).toBe(true)
    })
  const doubled = (first: string, next: (above: string) => string) =>
    `@v1 = ${first}\n${Array.from({ length: 620 }, (_, index) => `@v${index + 2} = ${next(`v${index + 1}`)}\n`).join("")}###\neth_getStorageAt ["{{v621}}", "0x0", "latest"]\n`
  check(
    "a text",
    doubled('"x"', (above) => `"{{${above}}}{{${above}}}"`),
    21,
    tooLong,
  )
  check(
    "a sum of texts",
    doubled('"x"', (above) => `{{${above} + ${above}}}`),
    21,
    "a string may have 1,000,000 characters",
  )
  check(
    "a list",
    doubled("[1]", (above) => `[{{${above}}}, {{${above}}}]`),
    18,
    tooLong,
  )
  check(
    "an object",
    doubled('{"a": 1}', (above) => `{"a": {{${above}}}, "b": {{${above}}}}`),
    17,
    tooLong,
  )
  check(
    "depth",
    doubled("[1]", (above) => `[{{${above}}}]`),
    513,
    tooLong,
  )
  check(
    "a number",
    doubled("{{10}}", (above) => `{{${above} * ${above}}}`),
    15,
    "a number may have 10,000 digits",
  )

  it("is reported once, where it is made, however often it is used", () => {
    const text = `${Array.from({ length: 30 }, (_, index) => (index === 0 ? '@v0 = "x"\n' : `@v${index} = "{{v${index - 1}}}{{v${index - 1}}}"\n`)).join("")}###\neth_getStorageAt ["{{v29}}{{v29}}", "{{v28}}"]\n? v29 + v29 == v28\n`
    expect(analyzeText(text).diagnostics.filter(({ code }) => code === "A211")).toHaveLength(1)
  })

  it("stops what is read of a file of many of them", () => {
    const prelude =
      '@v0 = "0123456789"\n' +
      Array.from({ length: 5 }, (_, index) => `@v${index + 1} = "${`{{v${index}}}`.repeat(10)}"\n`).join("")
    const { diagnostics, requests } = analyzeText(`${prelude}${'###\neth_getStorageAt ["{{v5}}"]\n'.repeat(100)}`)
    expect(diagnostics.some(({ message }) => message.startsWith("the sections above fill in"))).toBe(true)
    expect(requests).toHaveLength(100)
    expect(requests.every(({ errors }) => errors.length > 0)).toBe(true)
  })
})

describe("a misspelt name", () => {
  const unknown = (count: number) =>
    `@known = 1\n###\neth_getStorageAt [${Array.from({ length: count }, () => "{{knwon}}").join(", ")}]\n`
  const messages = (count: number) =>
    new Set(analyzeText(unknown(count)).diagnostics.flatMap(({ code, message }) => (code === "A201" ? [message] : [])))
  it("gets a suggestion", () => {
    expect([...messages(2_000)]).toEqual(['unknown name "knwon"; did you mean "known"?'])
  })
  it("gets none among thousands, which would be compared with every name", () => {
    expect([...messages(2_001)]).toEqual([
      'unknown name "knwon": define it with @knwon = …, or name a request with # @name knwon',
    ])
  })
})

describe("a chain of variables", () => {
  it("may be as long as a file", () => {
    const { diagnostics } = analyzeText(
      `@v0 = "0x00000000000000000000000000000000000000aa"\n${Array.from({ length: 20_000 }, (_, index) => `@v${index + 1} = {{v${index}}}\n`).join("")}###\neth_getStorageAt ["{{v20000}}", "0x0", "latest"]\n`,
    )
    expect(diagnostics).toEqual([])
  })
})

describe("a name that every object has", () => {
  const unknown = (text: string) => analyzeText(text).diagnostics.map(({ code }) => code)
  it("means nothing unless the file defines it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...hostileNames.filter((name) => /^[a-zA-Z_]\w*$/.test(name))), (name) => {
        const params = (value: string) => `###\neth_getStorageAt ["${value}", "0x0", "latest"]\n`
        expect(unknown(params(`{{${name}}}`))).toContain("A201")
        expect(unknown(params(`{{$env.${name}}}`))).toEqual(["A206"])
        expect(unknown(params(`{{$secret.${name}}}`))).toEqual(["A207"])
        expect(unknown(params(`{{${name}(1)}}`))).toEqual(["A204"])
        expect(unknown(`@o = {"a": 1}\n${params(`{{o.${name}}}`)}`)).toContain("A205")
        expect(unknown(`# @network ${name}\n${params("0x00000000000000000000000000000000000000aa")}`)).toContain("A103")
        expect(unknown(`# @env ${name}\n${params("0x00000000000000000000000000000000000000aa")}`)).toContain("A107")
        expect(unknown(`###\n# @ref ${name}\neth_getLogs {}\n`)).toContain("A201")
        expect(unknown(`###\n${name} []\n`)).toEqual(["A101"])
        expect(unknown(`@${name} = "0x00000000000000000000000000000000000000aa"\n${params(`{{${name}}}`)}`)).toEqual([])
      }),
    )
  })
})
