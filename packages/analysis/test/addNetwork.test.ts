import { expect, it } from "vitest"
import fc from "fast-check"
import { addNetwork, changeNetwork, defaultConfig, parseConfig } from "../src/index.ts"

const settings = { preset: "ethereum", url: "https://node.example/v3/{{$secret.NODE_KEY}}" }
const line = '"main": { "preset": "ethereum", "url": "https://node.example/v3/{{$secret.NODE_KEY}}" }'

const added = (text: string, builtIn = {}, id = "main"): string | undefined => {
  const edits = addNetwork(text, id, settings, builtIn)
  return edits
    ?.toSorted((left, right) => right.start - left.start)
    .reduce((current, edit) => current.slice(0, edit.start) + edit.text + current.slice(edit.end), text)
}

const check = (what: string, text: string, expected: string | undefined, builtIn = {}) =>
  it(what, () => expect(added(text, builtIn)).toBe(expected))

const own = '"a": { "plugin": "evm", "url": "embedded:evm" }'
check(
  "is the last of several lines",
  `{\n  "networks": {\n    ${own}\n  }\n}\n`,
  `{\n  "networks": {\n    ${own},\n    ${line}\n  }\n}\n`,
)
check(
  "keeps a trailing comma",
  `{\n  "networks": {\n    ${own},\n  },\n}\n`,
  `{\n  "networks": {\n    ${own},\n    ${line},\n  },\n}\n`,
)
check(
  "stays behind comments of the last one",
  `{\n\t"networks": {\n\t\t${own} // mine, { for now\n\t\t/* and, this */\n\t}\n}\n`,
  `{\n\t"networks": {\n\t\t${own}, // mine, { for now\n\t\t/* and, this */\n\t\t${line}\n\t}\n}\n`,
)
check(
  "stays in one line",
  `{ "networks": { ${own} }, "ledger": "file" }`,
  `{ "networks": { ${own}, ${line} }, "ledger": "file" }`,
)
check(
  "takes the line ends of the file",
  `{\r\n  "networks": {\r\n    ${own}\r\n  }\r\n}\r\n`,
  `{\r\n  "networks": {\r\n    ${own},\r\n    ${line}\r\n  }\r\n}\r\n`,
)
check("is the first of none", '{ "networks": {} }', `{ "networks": { ${line} } }`)
check("is the first of none in lines", '{\n  "networks": {\n  }\n}', `{\n  "networks": {\n    ${line}\n  }\n}`)
check(
  "stands in a line of its own before a closing brace",
  `{\n  "networks": {\n    ${own}}\n}`,
  `{\n  "networks": {\n    ${own},\n    ${line}\n  }\n}`,
)
check(
  "begins the networks",
  '{\n  "ledger": "file"\n}\n',
  `{\n  "ledger": "file",\n  "networks": {\n    ${line}\n  }\n}\n`,
)
check("begins the networks of an empty object", "{}", `{ "networks": {\n    ${line}\n  } }`)
check(
  "keeps the built-in networks",
  '{\n  "ledger": "file"\n}\n',
  `{\n  "ledger": "file",\n  "networks": {\n    ${own},\n    ${line}\n  }\n}\n`,
  {
    a: { plugin: "evm", url: "embedded:evm" },
  },
)
check("is not added to a text with an error", '{ "networks": { ', undefined)
check("is not added to a configuration with an error", '{ "networks": 1 }', undefined)
check("does not replace one of the same name", '{ "networks": { "main": {} } }', undefined)
check("is not added to an empty text", "", undefined)

it("leaves all other networks as they are, with every comment and comma in between", () => {
  const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", " // a, {b}\n", "/* , } */", "\n\n  ")
  const config = fc
    .tuple(fc.array(fc.tuple(space, space, space), { maxLength: 3 }), fc.boolean(), space, space, space)
    .map(([members, isTrailing, before, inside, after]) => {
      const written = members.map(
        ([left, middle, right], index) =>
          `${left}"n${index}":${middle}{ "plugin": "evm", "url": "embedded:evm" }${right}`,
      )
      return `${before}{${inside}"networks": {${written.join(",")}${isTrailing && written.length > 0 ? "," : ""}${after}}${inside}}${before}`
    })
  fc.assert(
    fc.property(config, (text) => {
      fc.pre(parseConfig(text).problems.length === 0)
      const before = parseConfig(text).config.networks ?? {}
      const changed = added(text, defaultConfig.networks)
      expect(changed).toBeDefined()
      expect(parseConfig(changed ?? "").problems).toEqual([])
      expect(Object.entries(parseConfig(changed ?? "").config.networks ?? {})).toEqual([
        ...Object.entries(before),
        ["main", settings],
      ])
    }),
  )
})

const checkChange = (what: string, old: string, members: Parameters<typeof changeNetwork>[2], expected: string) =>
  it(`a change ${what}`, () => {
    const text = (inner: string) => `{ "networks": { "n": { "plugin": "evm", "url": "embedded:evm", ${inner} } } }`
    expect(changeNetwork(text(old), "n", members)).toBe(text(expected))
  })
const blockTags = ["latest", "safe"]
checkChange(
  "leaves a list that is the same",
  '"blockTags": [ "safe" , /* a */ "latest"]',
  { blockTags },
  '"blockTags": [ "safe" , /* a */ "latest"]',
)
checkChange(
  "takes the first item",
  '"blockTags": ["pending", "latest", "safe"]',
  { blockTags },
  '"blockTags": ["latest", "safe"]',
)
checkChange(
  "takes the last item",
  '"blockTags": ["latest", "safe", "pending"]',
  { blockTags },
  '"blockTags": ["latest", "safe"]',
)
checkChange(
  "keeps a trailing comma",
  '"blockTags": ["latest", "safe", "pending",]',
  { blockTags },
  '"blockTags": ["latest", "safe", ]',
)
checkChange("takes the only item", '"blockTags": ["pending"]', { blockTags }, '"blockTags": [ "latest", "safe" ]')
checkChange(
  "takes a line, and keeps comments",
  '"blockTags": [\n  // a\n  "pending", // b\n  "latest",\n  "earliest",\n  "safe" // c\n]',
  { blockTags },
  '"blockTags": [\n  // a\n  // b\n  "latest",\n  "safe" // c\n]',
)
checkChange("begins a list", '"spanCap": 7', { blockTags }, '"spanCap": 7, "blockTags": ["latest", "safe"]')
checkChange(
  "merges an object member by member",
  '"methods": { "own": false, /* a */ "eth_x": true // b\n }',
  { methods: { eth_x: false, eth_y: true } },
  '"methods": { "own": false, /* a */ "eth_x": false, // b\n  "eth_y": true\n }',
)

it("a network that a text does not have is not changed", () =>
  expect(changeNetwork('{ "networks": {} }', "n", {})).toBeUndefined())
