/** A workspace for tests: two plugins, a handful of networks, one secret that is set and one that is not. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { parse } from "@dotrpc/lang"
import {
  analyze,
  type Analysis,
  makeWorkspace,
  type ProjectConfig,
  readSources,
  type WorkspaceSources,
} from "../src/index.ts"

export const config: ProjectConfig = {
  networks: {
    evm: { plugin: "evm", url: "embedded:evm" },
    "evm-l2": { plugin: "evm", url: "embedded:evm-l2", blockTags: ["latest", "earliest", "pending", "finalized"] },
    both: { plugin: "evm", url: "https://node.example/v3/key", wsUrl: "wss://node.example/ws/v3/key" },
    socket: { plugin: "evm", wsUrl: "wss://node.example/ws/v3/key" },
    wrong: { plugin: "evm", wsUrl: "https://node.example/v3/key" },
    l2: { plugin: "l2-events", url: "embedded:l2", methodWord: "starknet" },
    keyed: { plugin: "evm", url: "https://node.example/v3/{{$secret.MISSING_KEY}}", credits: { eth_getLogs: 60 } },
  },
  env: ["HOME_BLOCK", "NOPE"],
  environments: {
    prod: { vars: { token: "0x00000000000000000000000000000000000000aa" } },
    staging: {
      networks: { evm: { url: "https://staging.example/v3/key", credits: { eth_getLogs: 7 } } },
      vars: { token: "0x00000000000000000000000000000000000000bb" },
    },
  },
}

export const workspace = (sources: Partial<WorkspaceSources> = {}) =>
  makeWorkspace({
    plugins: [Evm.plugin, L2Events.plugin],
    config,
    env: (name) =>
      new Map([
        ["HOME_BLOCK", "0x10"],
        ["API_KEY", "canary-5e3a"],
      ]).get(name),
    now: 1_700_000_000_000,
    ...sources,
  }).workspace

export const analyzeText = (text: string, sources: Partial<WorkspaceSources> = {}): Analysis =>
  analyze(parse(text), workspace(sources))

/** Files by their path, from the folder of the project. The first one is analysed, with those that it imports. */
export const analyzeFiles = async (
  files: Readonly<Record<string, string>>,
  sources: Partial<WorkspaceSources> = {},
): Promise<Analysis> => {
  const home = "file:///project/"
  const texts = new Map(Object.entries(files).map(([path, text]) => [new URL(path, home).href, text]))
  const parsed = new Map([...texts].map(([uri, text]) => [uri, parse(text)]))
  const [first] = parsed
  if (first === undefined) throw new Error("there is no file to analyse")
  const read = await readSources(
    ...first,
    (uri) => Promise.resolve(parsed.get(uri)),
    (uri) => Promise.resolve(texts.get(uri)),
  )
  return analyze(first[1], workspace(sources), { sources: read })
}
