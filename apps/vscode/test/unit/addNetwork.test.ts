/** A pasted URL, the proposals for its network, and the answers of one call. */
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { carriedPlugins } from "@dotrpc/project"
import type { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

import { wanted } from "../../src/networks/commandActions.ts"
import { chainsOf, families, familiesFor } from "../../src/networks/families.ts"
import { cleanUrl, longestUrl, pastedProblem } from "../../src/networks/pastedUrl.ts"
import { freeNetwork, networkAt, networkProblem, proposedSecret, secretProblem } from "../../src/networks/proposals.ts"
import { questionFor } from "../../src/networks/recognise.ts"
import { makeProject } from "../../src/project/Project.ts"

const plugins = [...carriedPlugins.values()]
const key = "canary0a1b2c3d4e5f"

describe("a pasted URL", () => {
  const check = (what: string, pasted: string, expected: string | undefined) =>
    it(what, () => {
      const found = pastedProblem(pasted)
      if (expected === undefined) expect(found).toBeUndefined()
      else expect(found).toContain(expected)
    })
  check("is taken", `https://node.example/v3/${key}`, undefined)
  check("is taken with blanks around it", `  wss://node.example/v3/${key}\n`, undefined)
  check("is taken of this machine over plain http", `http://127.0.0.1:8545/v3/${key}`, undefined)
  check("is taken over plain http without a key", "http://node.example:8545", undefined)
  check("is refused where the key would be unencrypted", `http://node.example/v3/${key}`, "unencrypted")
  check("is refused over ws with a key", `ws://node.example/v3/${key}`, "unencrypted")
  check("is refused over plain http with a password", "http://me:secret@node.example", "unencrypted")
  check("is not nothing", " ", "Paste the URL")
  check("has a scheme", "node.example/v3/x", "begins with https://")
  check("has no other scheme", "ftp://node.example", "begins with https://")
  check("runs no script", "javascript:alert(1)", "begins with https://")
  check("is not an embedded network", "embedded:evm", "begins with https://")
  check("has a host", "https:///v3/x", "begins with https://")
  check("has a port that exists", "https://node.example:99999", "host and port")
  check("has no control characters", "https://node.example/\u001b[2J", "invisible")
  check("has no directions", "https://node.example/\u202e", "invisible")
  check("has no lines", "https://node.example/\nx", "line breaks")
  check("has no names in braces", "https://node.example/{{$secret.KEY}}", "with the key itself")
  check("is not a megabyte", `https://node.example/${"a".repeat(1_000_000)}`, `at most ${longestUrl}`)
  it("is never quoted in its problem", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const problem = pastedProblem(`https://${key}${text}{${key}`)
        expect(problem).toBeDefined()
        expect(problem).not.toContain(key)
      }),
    )
  })
  it("loses its fragment", () => {
    expect(cleanUrl(" HTTPS://Node.example/v3/x#part ")).toBe("https://Node.example/v3/x")
  })
})

describe("names", () => {
  it("of networks are free", () => {
    expect(freeNetwork("ethereum", new Set(["evm"]))).toBe("ethereum")
    expect(freeNetwork("ethereum", new Set(["ethereum", "ethereum-2"]))).toBe("ethereum-3")
  })
  it("of networks fit # @network", () => {
    expect(networkProblem("main-net.1", new Set())).toBeUndefined()
    expect(networkProblem("main", new Set(["main"]))).toContain('already has a network "main"')
    for (const name of ["", "a b", "__proto__", "1a", "a\n", "a".repeat(65)])
      expect(networkProblem(name, new Set())).toContain("A letter")
  })
  const check = (host: string, provider: string | undefined, taken: ReadonlyArray<string>, expected: string) =>
    it(`of secrets: ${expected} at ${host}`, () => {
      const isTaken = (name: string) => taken.includes(name)
      const name = proposedSecret(host, provider, isTaken)
      expect(name).toBe(expected)
      expect(secretProblem(name, isTaken)).toBeUndefined()
    })
  check("eth-mainnet.g.alchemy.com", "alchemy", [], "ALCHEMY_KEY")
  check("eth-mainnet.g.alchemy.com", "alchemy", ["ALCHEMY_KEY"], "ALCHEMY_KEY_2")
  check("api.developer.coinbase.com", "coinbase-cdp", [], "COINBASE_CDP_KEY")
  check("rpc.my-node.example", undefined, [], "MY_NODE_KEY")
  check("1rpc.io", undefined, [], "N1RPC_KEY")
  check("127.0.0.1", undefined, [], "NODE_KEY")
  check("[::1]", undefined, [], "NODE_KEY")
  check("xn--e1afmkfd.example", undefined, [], "XN_E1AFMKFD_KEY")
})

describe("a URL that the configuration has", () => {
  const networks = {
    evm: { url: "embedded:evm" },
    main: { url: "https://node.example/v3/{{$secret.NODE_KEY}}" },
    bare: { url: "https://node.example" },
    socket: { preset: "ethereum", wsUrl: "wss://node.example/ws" },
  }
  const check = (written: string, expected: string | undefined) =>
    it(`${written} is of ${expected ?? "no network"}`, () => expect(networkAt(networks, written)).toBe(expected))
  check("https://node.example/v3/{{$secret.NODE_KEY}}", "main")
  check("https://NODE.example/v3/{{$secret.NODE_KEY}}/", "main")
  check("https://node.example/V3/{{$secret.NODE_KEY}}", undefined)
  check("https://node.example/v3/{{$secret.node_key}}", undefined)
  check("https://node.example/", "bare")
  check("http://node.example/", undefined)
  check("wss://node.example/ws", "socket")
})

describe("one call", () => {
  const check = (plugin: string, result: Json.Json, expected: object | undefined) =>
    it(`of ${plugin} that is answered with ${JSON.stringify(result).slice(0, 20)}`, () => {
      const family = families.find((entry) => entry.plugin === plugin)
      const known = plugins.find(({ id }) => id === plugin)
      if (family === undefined || known === undefined) throw new Error(`no ${plugin}`)
      const chain = family.read(result, known)
      expect(chain && { name: chain.name, ...chain.settings }).toEqual(expected)
    })
  check("evm", "0x1", { name: "ethereum", preset: "ethereum" })
  check("evm", "0x2105", { name: "base", preset: "base" })
  check("evm", "0x7a69", { name: "evm-31337", plugin: "evm", chainId: 31337 })
  check("evm", "0x0", undefined)
  check("evm", `0x${"f".repeat(64)}`, undefined)
  check("evm", "<html>", undefined)
  check("token-accounts", "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d", {
    name: "solana-mainnet",
    preset: "solana-mainnet",
  })
  check("token-accounts", "GH7ome3EiwEr7tu9JuTh2dpYWBJK3z69Xm1ZE3MEE6JC", { name: "solana", plugin: "token-accounts" })
  check("token-accounts", { "solana-core": "1.18" }, undefined)
  check("l2-events", "0x534e5f4d41494e", { name: "starknet-mainnet", preset: "starknet-mainnet" })
  check("l2-events", "0x1", { name: "starknet", plugin: "l2-events", methodWord: "starknet" })
  check("l2-events", 1, undefined)

  const checkLikely = (url: string, expected: string) =>
    it(`is proposed for ${url}`, () => expect(familiesFor(url, plugins)[0]?.method).toBe(expected))
  checkLikely("https://mainnet.infura.io/v3/x", "eth_chainId")
  checkLikely("https://solana-mainnet.g.alchemy.com/v2/x", "getGenesisHash")
  checkLikely("https://mainnet.helius-rpc.com/?api-key=x", "getGenesisHash")
  checkLikely("https://starknet-mainnet.blockpi.network/v1/rpc/x", "starknet_chainId")
  it("is of the plugins that the project has", () => {
    expect(familiesFor("https://x.example", [L2Events.plugin]).map(({ method }) => method)).toEqual([
      "starknet_chainId",
    ])
  })
})

describe("a call that would be sent", () => {
  const real = makeProject({ env: () => undefined, secret: () => undefined, now: 0 })
  const check = (plugin: string, prices: string | undefined, expected: string) =>
    it(`of ${plugin} at ${prices ?? "no provider"} has its price`, () => {
      const family = families.find((entry) => entry.plugin === plugin)
      if (family === undefined) throw new Error(`no ${plugin}`)
      const settings = { url: "https://node.example/v3/x", ...(prices === undefined ? {} : { prices }) }
      expect(questionFor(family, { settings, keys: [] }, real).price).toBe(expected)
    })
  check("evm", "infura", "5 credits")
  check("evm", "alchemy", "0 CU")
  check("token-accounts", "alchemy", "10 CU")
  check("l2-events", "infura", "5 credits")
  check("token-accounts", undefined, "~80 credits")
})

describe("without a call", () => {
  it("every chain of the plugins can be chosen", () => {
    const chains = chainsOf([Evm.plugin])
    expect(chains.map(({ name }) => name)).toContain("ethereum")
    expect(chains.at(-1)).toMatchObject({ settings: { plugin: "evm" }, title: "Another network: EVM chain" })
  })
})

describe("the network or secret that a problem names", () => {
  const check = (code: string, message: string, marked: string, expected: string | undefined) =>
    it(`${code} ${marked}`, () => expect(wanted(code, message, marked)?.name).toBe(expected))
  check("A103", 'unknown network "mainnet"', "mainnet", "mainnet")
  check("A104", 'network "ethereum" has no endpoint: give it a "url"', "eth_getLogs", "ethereum")
  check("A104", 'network "a" needs the secret KEY: set the environment variable KEY', "a", "KEY")
  check("A207", "the secret KEY is not set: export it, put it in .env, or store it in the editor", "KEY", "KEY")
  check("A207", "the secret KEY is not read: trust this folder", "KEY", undefined)
  check("A101", "unknown method", "eth_x", undefined)
  check("A103", "unknown network", "a](command:x)", undefined)
})
