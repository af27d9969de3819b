import { Redacted } from "effect"
import { join } from "node:path"
import { describe, expect, it, vi } from "vitest"
import { openProject, ProjectError, readProject, showProblem } from "../src/node/index.ts"
import { folderWith, lampPlugin } from "./folder.ts"

const addressesOf = async (folder: string, environment?: string) => {
  const { networks } = await openProject(folder, environment === undefined ? {} : { environment })
  return networks.map(({ id, url }) => [id, url === undefined ? "" : Redacted.value(url)])
}

describe("a project", () => {
  it("without a configuration has the embedded networks", async () =>
    expect(await addressesOf(folderWith({}))).toEqual([
      ["evm", "embedded:evm"],
      ["evm-l2", "embedded:evm-l2"],
      ["accounts", "embedded:accounts"],
      ["l2", "embedded:l2"],
    ]))

  it("is found upward, with its own plugins, their networks, and the values of its .env", async () => {
    const folder = folderWith({
      ...lampPlugin(),
      "rpc.config.json": `{ "plugins": ["./lamp.mjs"], "env": ["PLACE"],
        "networks": { "desk": { "plugin": "lamp", "url": "https://{{$env.PLACE}}.example/{{$secret.LAMP_KEY}}" } },
        "environments": { "night": { "networks": { "desk": { "url": "https://night.example" } } } } }`,
      ".env": "PLACE=desk\nLAMP_KEY=a/b\n",
      "scripts/deep/a.txt": "",
    })
    expect(await addressesOf(`${folder}/scripts/deep`)).toEqual([
      ["desk", "https://desk.example/a%2Fb"],
      ["lamp-home", "https://lamps.example"],
    ])
    expect(await addressesOf(folder, "night")).toEqual([
      ["desk", "https://night.example"],
      ["lamp-home", "https://lamps.example"],
    ])
  })

  it("prefers the environment of the process to .env", async () => {
    vi.stubEnv("PROJECT_HOST", "process")
    const config =
      '{ "env": ["PROJECT_HOST"], "networks": { "a": { "plugin": "evm", "url": "https://{{$env.PROJECT_HOST}}.example" } } }'
    const folder = folderWith({ "rpc.config.json": config, ".env": "PROJECT_HOST=file\n" })
    expect(await addressesOf(folder)).toEqual([["a", "https://process.example"]])
    vi.unstubAllEnvs()
  })

  it("has the networks that can be used, and says of the others why not", async () => {
    const config = '{ "networks": { "a": { "plugin": "evm" }, "b": { "plugin": "evm", "url": "embedded:evm" } } }'
    const { networks, workspace } = await openProject(folderWith({ "rpc.config.json": config }))
    expect(networks.map(({ id }) => id)).toEqual(["b"])
    expect(workspace.networks[0]?.problem).toMatch(/network "a" has no endpoint/)
  })
})

describe("a built-in plugin", () => {
  const check = (entries: ReadonlyArray<string>, ids: ReadonlyArray<string>) =>
    it(`is named by its package or by its id: ${entries.join(", ")}`, async () => {
      const folder = folderWith({ "rpc.config.json": JSON.stringify({ plugins: entries }) })
      // Nobody has agreed to code of the project, and none is needed.
      const { problems, withheld, workspace } = await readProject(join(folder, "rpc.config.json"), folder, {
        judge: () => "unknown",
      })
      expect([workspace.plugins.map(({ id }) => id), problems, withheld]).toEqual([ids, [], []])
    })
  check(["evm"], ["evm"])
  check(["l2-events", "@dotrpc/plugin-evm", "token-accounts"], ["l2-events", "evm", "token-accounts"])
})

describe("ABI files that a pattern leads to", () => {
  it("are used, and those that are something else are left out", async () => {
    const folder = folderWith({
      "rpc.config.json": '{ "plugins": ["evm"],\n  "abi": ["./**/*.abi.json"] }',
      "Token.abi.json": '[{ "type": "event", "name": "Paused", "inputs": [] }]',
      "notes.abi.json": "{}",
    })
    const { foreignAbis, problems, workspace } = await readProject(join(folder, "rpc.config.json"), folder)
    expect([problems, workspace.abi.get("evm")?.length]).toEqual([[], 1])
    expect(foreignAbis).toMatchObject([
      {
        message: './notes.abi.json: expected an ABI, a JSON array, or an artifact that has one as "abi"',
        start: 32,
      },
    ])
  })
})

describe("what is wrong is said with its place", () => {
  const check = (
    what: string,
    config: string,
    said: ReadonlyArray<string | RegExp>,
    files: Readonly<Record<string, string>> = {},
  ) =>
    it(what, async () => {
      const folder = folderWith({ ...files, "rpc.config.json": config })
      const { problems } = await readProject(`${folder}/rpc.config.json`, folder)
      const lines = problems.map(showProblem).map((line) => line.replace(/^.*?rpc\.config\.json/, "config"))
      expect(lines).toEqual(said.map((line) => (typeof line === "string" ? line : expect.stringMatching(line))))
      const rejected = await openProject(folder).catch((error: unknown) => error)
      expect(rejected).toBeInstanceOf(ProjectError)
      expect(rejected).toMatchObject({ problems })
    })
  check("of a member", '{\n  "networks": { "a": { "plugin": 5 } }\n}', [
    "config:2:24: networks.a.plugin: expected a string, found 5",
  ])
  check("of a plugin that is not there", '{ "plugins": [\n  "@dotrpc/plugin-evm",\n  "./none.mjs"\n] }', [
    /^config:3:3: plugin "\.\/none\.mjs" was not found: there is no \/.*\/none\.mjs$/,
  ])
  check("of a plugin that comes with dotrpc, misspelt", '{ "plugins": ["@dotrpc/plugin-evn"] }', [
    /^config:1:15: .*did you mean "@dotrpc\/plugin-evm"\?$/,
  ])
  check("of one by its short name, misspelt", '{ "plugins": ["emv"] }', [
    'config:1:15: plugin "emv" is unknown; did you mean "evm"?',
  ])
  check("of the plugin of a network, misspelt", '{ "networks": { "a": { "url": "embedded:evm", "plugin": "emv" } } }', [
    'config:1:57: unknown plugin "emv"; did you mean "evm"?',
  ])
  check(
    "of each of several plugins",
    '{ "plugins": ["./a.mjs", "./b.mjs"] }',
    [
      'config:1:15: plugin "./a.mjs" cannot be loaded: Error: no lamps',
      'config:1:26: plugin "./b.mjs" does not export a plugin: export it as default, or under the name "plugin"',
    ],
    { "a.mjs": 'throw new Error("no lamps")', "b.mjs": "" },
  )
  check(
    "of a plugin that is in the list twice",
    '{ "plugins": ["evm", "./lamp.mjs",\n  "./lamp.mjs"] }',
    ['config:2:3: the plugin "./lamp.mjs" is in the list twice: remove one of them'],
    lampPlugin(),
  )
  check(
    "of two plugins that claim the same, behind one that is not there",
    '{ "plugins": ["./lamp.mjs", "./none.mjs",\n  "./again.mjs"] }',
    [
      /^config:1:29: plugin ".\/none.mjs" was not found/,
      'config:2:3: the id "lamp" is defined by two plugins, "./lamp.mjs" and "./again.mjs": remove one of them',
    ],
    { ...lampPlugin(), "again.mjs": 'export { default } from "./lamp.mjs"\n' },
  )
  check(
    "of a network whose plugin is not in the list",
    '{ "plugins": ["evm"], "networks": { "a": {\n  "plugin": "lamp", "url": "http://127.0.0.1:1" } } }',
    [
      'config:2:13: unknown plugin "lamp"; expected one of evm; add its package or module to "plugins" in rpc.config.json',
    ],
  )

  it("also of a choice", async () => {
    await expect(openProject(folderWith({}), { environment: "prod" })).rejects.toThrow(
      'unknown environment "prod"; none is defined',
    )
  })
})
