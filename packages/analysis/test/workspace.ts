/** A workspace for tests: two plugins, a handful of networks, one secret that is set and one that is not. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { parse } from "@dotrpc/lang"
import { analyze, type Analysis, makeWorkspace, type ProjectConfig, type WorkspaceSources } from "../src/index.ts"

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
  environments: { prod: { vars: { token: "0x00000000000000000000000000000000000000aa" } } },
}

export const workspace = (sources: Partial<WorkspaceSources> = {}) =>
  makeWorkspace({
    plugins: [Evm.plugin, L2Events.plugin],
    config,
    env: (name) => ({ HOME_BLOCK: "0x10", API_KEY: "canary-5e3a" })[name],
    now: 1_700_000_000_000,
    ...sources,
  }).workspace

export const analyzeText = (text: string, sources: Partial<WorkspaceSources> = {}): Analysis =>
  analyze(parse(text), workspace(sources))
