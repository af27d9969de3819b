import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { defineMethod, definePlugin, type Plugin, pluginClashes, pluginProblem, Price } from "../src/index.ts"

const method = (plugin: string, name: string) =>
  defineMethod({
    plugin,
    name,
    summary: "",
    docs: "",
    params: Schema.Tuple([]),
    result: Schema.Null,
    price: Price.assumed(1),
    idempotent: true,
    examples: [],
    render: () => ({ total: 0, columns: [], rows: [] }),
  })
const make = (id: string, ...names: ReadonlyArray<string>): Plugin =>
  definePlugin({ id, title: id.toUpperCase(), docs: "", methods: names.map((name) => method(id, name)) })
const good = make("one", "one_call")
const [call] = good.methods

describe("pluginProblem names what keeps a value from being a plugin", () => {
  const check = (value: unknown, said: string | undefined) =>
    it(said ?? "nothing", () => expect(pluginProblem(value)).toBe(said))
  check(good, undefined)
  check(undefined, "it is not an object")
  check(() => good, "it is not an object")
  check({}, "id is missing: expected a string")
  check({ ...good, id: 5 }, "id is not a string")
  check({ ...good, id: "One" }, 'id is "One": expected lower-case letters, digits and "-"')
  check({ ...good, methods: {} }, "methods is not an array")
  check({ ...good, methods: [null] }, "methods[0] is not an object")
  check({ ...good, methods: [{ ...call, render: undefined }] }, "methods[0].render is missing: expected a function")
  check(
    { ...good, methods: [{ ...call, price: { credits: "80", assumed: true } }] },
    "methods[0].price.credits is not a number",
  )
  check({ ...good, methods: [{ ...call, writes: true }] }, undefined)
  check({ ...good, methods: [{ ...call, writes: "yes" }] }, "methods[0].writes is not true or false")
  check({ ...good, methods: [{ ...call, plugin: "two" }] }, 'methods[0].plugin is "two": expected "one"')
  check(
    { ...good, functions: [{ name: "f", signature: "f()", docs: "" }] },
    "functions[0].call is missing: expected a function",
  )
  check({ ...good, functions: [null] }, "functions[0] is not an object")
  check({ ...good, functions: ["f"] }, "functions[0] is not an object")
  check({ ...good, networks: [null] }, "networks[0] is not an object")
  for (const credits of [-80, Number.NaN, Number.POSITIVE_INFINITY])
    check(
      { ...good, methods: [{ ...call, price: { credits, assumed: true } }] },
      `methods[0].price.credits is ${credits}: expected a number of credits, zero or more`,
    )
  for (const rule of [-500, Number.NaN, Number.POSITIVE_INFINITY])
    check(
      { ...good, methods: [{ ...call, settle: { ...call?.settle, ok: rule } }] },
      `methods[0].settle.ok is ${rule}: expected "price" or a number of credits, zero or more`,
    )
  check(
    { ...good, methods: [{ ...call, settle: {} }] },
    'methods[0].settle.ok is missing: expected "price" or a number of credits, zero or more',
  )
  check(
    { ...good, networks: [{ id: "x", plugin: "one", credits: { one_call: "80" } }] },
    'networks[0].credits.one_call is "80": expected a number of credits, zero or more',
  )
  check({ ...good, abi: { example: "event" } }, "abi.declaration is missing: expected a function")
  check({ ...good, networks: [{ id: "x" }] }, "networks[0].plugin is missing: expected a string")
})

describe("pluginClashes lists what two plugins both claim", () => {
  const check = (
    what: string,
    plugins: ReadonlyArray<Plugin>,
    expected: ReturnType<typeof pluginClashes>,
    names?: ReadonlyArray<string>,
  ) => it(what, () => expect(pluginClashes(plugins, names)).toEqual(expected))
  const doubled = { ...good, methods: [...good.methods, ...good.methods, ...good.methods] }
  check("nothing", [good, make("two", "two_call")], [])
  const shared = 'the id "one" is defined by two plugins, "./a.js" and "./b.js": remove one of them'
  check(
    "an id, by the later plugin",
    [make("two"), good, make("one")],
    [{ index: 2, message: shared }],
    ["./two.js", "./a.js", "./b.js"],
  )
  check(
    "a plugin that is there twice",
    [good, good],
    [{ index: 1, message: 'the plugin "ONE" is in the list twice: remove one of them' }],
  )
  check(
    "a method twice in one of them",
    [doubled],
    [{ index: 0, message: 'the method one_call is defined twice by the plugin "ONE"' }],
  )
  check("not a method, as the plugin of a network decides", [good, make("two", "one_call")], [])
})
