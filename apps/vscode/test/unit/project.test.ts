/** Projects made of configuration files, environments and private values. */
import { analyze, defaultConfig } from "@dotrpc/analysis"
import { parse } from "@dotrpc/lang"
import { Redacted } from "effect"
import { describe, expect, test } from "vitest"

import { makeProject } from "../../src/project/Project.ts"
import { foreignRefusal, lengthRefusal } from "../../src/project/refusal.ts"

const project = (text: string, environment?: string) =>
  makeProject({
    configFile: { uri: "file:///rpc.config.json", text },
    environment,
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

describe("the error of a request in a broken project", () => {
  const check = (text: string, configText: string, expected: string, isRestricted = false) => {
    const { workspace } = makeProject({
      configFile: { uri: "file:///rpc.config.json", text: configText },
      isRestricted,
      env: () => undefined,
      secret: () => undefined,
      now: 0,
    })
    const messages = analyze(parse(text), workspace).requests.flatMap(({ errors }) => errors)
    expect(messages.map(({ message }) => message).join()).toContain(expected)
  }
  const call = "eth_getLogs [{}]\n"

  test("names the configuration that has an error", () => {
    const advice = "rpc.config.json has an error, so nothing in it is known: correct it first"
    check(`### A\n# @network main\n${call}`, '{ "networks": { "main": ', `unknown network "main"; ${advice}`)
    check("### A\nlamp_read []\n", "{", advice)
  })

  test("advises to trust a folder that is not trusted, and nothing that cannot help", () => {
    check("### A\nlamp_read []\n", "{}", "if a plugin of this project adds it, trust this folder", true)
    check(`### A\n# @network a\n${call}`, configured, "which is not read: trust this folder", true)
    check('### A\neth_getLogs [{ "address": {{$secret.KEY}} }]\n', "{}", "KEY is not read: trust this folder", true)
    check(`### A\n# @network a\n${call}`, configured, "needs the environment variable HOST, which is not set")
  })
})

describe("files that are not used", () => {
  const configFile = { uri: "file:///a/rpc.config.json", text: configured }
  const fileAt = (path: string) => ({ path })

  test("leave the defaults, and a problem in the configuration that forbids running", () => {
    const { config, problems, workspace } = makeProject({
      configFile,
      refusal: "it is somebody's",
      env: () => "x.example",
      secret: () => "value",
      now: 0,
    })
    expect(problems).toEqual([{ message: "it is somebody's", start: 0, end: 1 }])
    expect(config.networks).toBe(defaultConfig.networks)
    expect(workspace.networks.map(({ network }) => network.id)).not.toContain("a")
  })

  const checkOwners = async (owners: Readonly<Record<string, number>>, expected: string | undefined) => {
    const asked = [fileAt("/a/rpc.config.json"), fileAt("/a/.env")]
    const host = { foreignOwner: ({ path }: { readonly path: string }) => Promise.resolve(owners[path]) }
    expect(await foreignRefusal(asked, host)).toBe(expected)
  }
  const foreign = (name: string) =>
    `${name} belongs to another user (id 1234), who can change where your keys are sent and which code runs: copy the folder, and open the copy`

  test("are those that belong to another user", async () => {
    await checkOwners({}, undefined)
    await checkOwners({ "/a/rpc.config.json": 1234 }, foreign("rpc.config.json"))
    await checkOwners({ "/a/.env": 1234 }, foreign(".env"))
    await checkOwners({ "/other/.env": 1234 }, undefined)
  })

  test("belong to nobody else where files have no owners, as in a browser", async () => {
    expect(await foreignRefusal([fileAt("/a/.env")], {})).toBeUndefined()
  })

  test("are a configuration that would keep the editor waiting", () => {
    expect(lengthRefusal(configFile)).toBeUndefined()
    expect(lengthRefusal(undefined)).toBeUndefined()
    expect(lengthRefusal({ ...configFile, text: " ".repeat(50_001) })).toBe(
      "rpc.config.json is longer than 50,000 characters, the most that an editor reads: divide the project",
    )
  })
})
