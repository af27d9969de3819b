/** Projects made of configuration files, environments and private values. */
import { Redacted } from "effect"
import { expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"

const project = (text: string, environment?: string) =>
  makeProject({
    configFile: { uri: "file:///rpc.config.json", text },
    ...(environment === undefined ? {} : { environment }),
    env: (name) => (name === "HOST" ? "x.example" : undefined),
    secret: (name) => (name === "KEY" ? "value" : undefined),
    now: 0,
  })

const configured = `{ "env": ["HOST"], "networks": { "a": { "plugin": "evm", "url": "https://{{$env.HOST}}/v3/{{$secret.KEY}}" } },
  "environments": { "prod": { "vars": { "x": 1 } } } }`

test("without a configuration the embedded networks are there", () => {
  const { workspace, problems } = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const usable = workspace.networks.filter(({ problem }) => problem === undefined)
  expect(usable.map(({ network }) => network.id)).toEqual(["evm", "evm-l2", "accounts", "l2"])
  expect(problems).toEqual([])
})

test("private values go into the addresses", () => {
  const [entry] = project(configured).workspace.networks
  expect(entry?.network.url && Redacted.value(entry.network.url)).toBe("https://x.example/v3/value")
})

test("the chosen environment applies, and one that is gone does not", () => {
  expect(project(configured, "prod").workspace.environment).toBe("prod")
  expect(project(configured, "gone").workspace.environment).toBeUndefined()
})

test("plugins that cannot be used, and those that are left out, are marked where they are written", () => {
  const text = '{ "plugins": ["./a.js", "./b.js"] }'
  const { problems, warnings } = makeProject({
    configFile: { uri: "file:///rpc.config.json", text },
    plugins: {
      plugins: [],
      problems: [{ message: 'plugin "./a.js" is wrong', index: 0 }],
      omitted: [{ message: 'plugin "./b.js" is left out', index: 1 }],
    },
    env: () => undefined,
    secret: () => undefined,
    now: 0,
  })
  const marked = [...problems, ...warnings].map(({ end, message, start }) => [text.slice(start, end), message])
  expect(marked).toEqual([
    ['"./a.js"', 'plugin "./a.js" is wrong'],
    ['"./b.js"', 'plugin "./b.js" is left out'],
  ])
})
