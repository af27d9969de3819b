/** `cast` commands as saved requests: what they ask a node for, and why the others are comments. */
import { analyze, makeWorkspace } from "@dotrpc/analysis"
import { isSyntaxError, parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { Json } from "@dotrpc/spec"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exportFile, exportRequests, readCast, writeRequests } from "../src/index.ts"

const key = "0f3aa9c1d2b84e57"
const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const hash = `0x${"ab".repeat(32)}`

/** However the formatter breaks its lines. */
const plain = (call: string) => call.replace(/\s+/g, "")

const imported = (text: string) => {
  const converted = readCast(text)
  const { networks, text: written } = writeRequests(converted, () => ({ plugin: "evm" }))
  expect(JSON.stringify([written, networks, converted.problems])).not.toContain(key)
  expect(parse(written).diagnostics.filter(isSyntaxError)).toEqual([])
  const problems = converted.problems.map(({ line, message }) => `${line}: ${message}`)
  const calls = parse(written).tree.sections.flatMap(({ call }) =>
    call === undefined ? [] : [written.slice(call.start, call.end)],
  )
  return { calls, networks: networks.map(({ url }) => url), problems, written }
}

describe("a cast command", () => {
  const check = (command: string, expected: string) =>
    it(command, () => {
      const { calls, problems } = imported(`cast ${command}\n`)
      expect([calls.map(plain), problems]).toEqual([[plain(expected)], []])
    })
  check(`balance ${token}`, `eth_getBalance ["${token}", "latest"]`)
  check(`balance ${token} --block 436 --ether`, `eth_getBalance ["${token}", "0x1b4"]`)
  check(`balance -b finalized ${token}`, `eth_getBalance ["${token}", "finalized"]`)
  check(`nonce ${token} --block ${hash}`, `eth_getTransactionCount ["${token}", { "blockHash": "${hash}" }]`)
  check(`code ${token}`, `eth_getCode ["${token}", "latest"]`)
  check(`storage ${token} 2`, `eth_getStorageAt ["${token}", "0x2", "latest"]`)
  check("block", 'eth_getBlockByNumber ["latest", false]')
  check("block 0x1b4 --full --json", 'eth_getBlockByNumber ["0x1b4", true]')
  check(`block ${hash}`, `eth_getBlockByHash ["${hash}", false]`)
  check(`tx ${hash}`, `eth_getTransactionByHash ["${hash}"]`)
  check(`receipt ${hash}`, `eth_getTransactionReceipt ["${hash}"]`)
  check(
    `call -f ${token} ${token} 0x313ce567 -j 4`,
    `eth_call [{ "from": "${token}", "to": "${token}", "data": "0x313ce567" }, "latest"]`,
  )
  check("block-number", "eth_blockNumber []")
  check("chain-id", "eth_chainId []")
  check("rpc eth_blockNumber", "eth_blockNumber []")
  check(`rpc eth_getBalance ${token} latest`, `eth_getBalance ["${token}", "latest"]`)
  check(`rpc eth_getBlockByNumber 0x1 false`, 'eth_getBlockByNumber ["0x1", false]')
  check(`rpc --raw eth_getBlockByNumber '["0x1", false]'`, 'eth_getBlockByNumber ["0x1", false]')
  check(
    `call ${token} 'balanceOf(address)(uint256)' ${token}`,
    `eth_call [{ "to": "${token}", "data": {{call("balanceOf(address) returns (uint256)", "${token}")}} }, "latest"]`,
  )
  check(
    `call --from ${token} ${token} 'f(uint8[])' '[1,2]' --block safe`,
    `eth_call [{ "from": "${token}", "to": "${token}", "data": {{call("f(uint8[])", "[1,2]")}} }, "safe"]`,
  )
  check(`call ${token} 0x313ce567`, `eth_call [{ "to": "${token}", "data": "0x313ce567" }, "latest"]`)
  check(
    `logs --from-block 1 --to-block latest --address ${token} 'Transfer(address,address,uint256)' ${token}`,
    `eth_getLogs [\n  {\n    "fromBlock": "0x1",\n    "toBlock": "latest",\n    "address": "${token}",\n    "topics": [{{event("Transfer(address,address,uint256)")}}, "0x${"0".repeat(24)}${token.slice(2)}"]\n  }\n]`,
  )

  const comment = (command: string, reason: string) =>
    it(`${command} is a comment with the reason`, () => {
      const { calls, problems, written } = imported(`cast ${command}\n`)
      expect(calls).toEqual([])
      expect(problems).toEqual([expect.stringContaining(reason)])
      expect(written).toMatch(/^# cast \S+: this command cannot be converted: /)
      expect(written).toContain(reason)
    })
  comment(`send ${token} 'f()' --private-key ${key}`, "cast send is not one of the commands that can be converted")
  comment("balance vitalik.eth", "a name cannot be converted to an address without a node")
  comment(`call ${token} balanceOf`, "its signature is not written with types, such as balanceOf(address)")
  comment(`call ${token} 'f((uint8,bytes))' '(1,0x)'`, "an array or a struct must be JSON")
  comment(`call ${token} 'f()' --trace`, "the option --trace has no counterpart in dotrpc")
  comment("balance $(cast wallet address)", "it contains the output of another command")
  comment(`storage ${token}`, "it names no single storage slot by its number")
  comment(`storage ${token} 2 3`, "it has more arguments than the call takes")
  comment(`call ${token} 'f()' --private-key ${key}`, "the option --private-key has no counterpart in dotrpc")
  comment(`call ${token} 'f()' --block.number 7`, "the option --block.number has no counterpart in dotrpc")
  comment("rpc --raw eth_call '{'", "its params are not an array or an object in JSON")

  it("leaves the key of its URL out, and turns comments into titles", () => {
    const text = `# The newest block\ncast block --rpc-url https://mainnet.example/v3/${key}\n`
    const { networks, written } = imported(text)
    expect(networks).toEqual(["https://mainnet.example/v3/{{$secret.MAINNET_KEY}}"])
    expect(written).toContain("### The newest block\neth_getBlockByNumber")
  })
  it("does not copy options that may be keys", () => {
    const { problems } = imported(`cast block --rpc-headers 'Authorization: ${key}' --jwt-secret ${key}\n`)
    expect(problems).toEqual([expect.stringContaining("headers are not imported: Authorization")])
  })
})

describe("what a script sets", () => {
  const check = (title: string, script: string, expected: Partial<ReturnType<typeof imported>>) =>
    it(title, () => {
      expect(imported(script)).toMatchObject(expected)
    })
  check(
    "is a variable where its value is an address",
    `TOKEN=${token}\nETH_RPC_URL=https://h.example\ncast code $TOKEN\n`,
    {
      written: `# @network h\n@TOKEN = "${token}"\n\n### eth_getCode\neth_getCode ["{{TOKEN}}", "latest"]\n`,
      problems: [],
    },
  )
  check(
    "is filled in where a call writes it in another way",
    `export B=436\ncast block "$B"\ncast call ${token} 'f(uint8)' $B\n`,
    {
      calls: [
        'eth_getBlockByNumber ["0x1b4", false]',
        `eth_call [\n  { "to": "${token}", "data": {{call("f(uint8)", "436")}} },\n  "latest"\n]`,
      ],
      problems: [],
    },
  )
  check("is the network of each call without one", `ETH_RPC_URL=https://mainnet.example/v3/${key}\ncast chain-id\n`, {
    networks: ["https://mainnet.example/v3/{{$secret.MAINNET_KEY}}"],
    problems: [],
  })
  check("is a secret where it looks like a key", `OWN=${key}${key}\ncast rpc own_method $OWN\n`, {
    calls: ['own_method ["{{$secret.OWN}}"]'],
    problems: ["1: the value of OWN looks like a key and is not copied: set it as a secret"],
  })
  check("is a secret where its name says so", `API_KEY=0x${key.repeat(4)}\ncast rpc own_method $API_KEY\n`, {
    calls: ['own_method ["{{$secret.API_KEY}}"]'],
  })
  check("is an argument of a function", `TOKEN=${token}\nHOLDER=${token}\ncast call $TOKEN 'f(address)' $HOLDER\n`, {
    written: `# @network eth-rpc-url\n@TOKEN = "${token}"\n@HOLDER = "${token}"\n\n### eth_call\neth_call [{ "to": "{{TOKEN}}", "data": {{call("f(address)", HOLDER)}} }, "latest"]\n`,
    problems: [],
  })
  check(
    "stays a variable of the environment in an argument and in a URL, where it does not set it",
    "cast call $TOKEN 'f(address)' $HOLDER --rpc-url $URL\n",
    {
      calls: ['eth_call [{ "to": "{{$env.TOKEN}}", "data": {{call("f(address)", $env.HOLDER)}} }, "latest"]'],
      networks: ["{{$env.URL}}"],
      problems: [],
    },
  )
  check("cannot be a part of an argument", `cast call ${token} 'f(string)' "to $NAME"\n`, {
    problems: [expect.stringContaining("a part of an argument is a variable, or it contains a line break")],
  })
  check("is left to the environment where it does not set it", "cast code $TOKEN\n", {
    calls: ['eth_getCode ["{{$env.TOKEN}}", "latest"]'],
  })
  check("from a command is imported as that command", `BAL=$(cast balance ${token} | cut -c 1)\ncast block $BAL\n`, {
    calls: [`eth_getBalance ["${token}", "latest"]`],
    problems: [
      "1: the value of BAL is not copied: it contains the output of another command, which is not known without running it",
      '1: "cut" is not a cast command; it is left out',
      "2: this command cannot be converted: the value of BAL is known only while the script runs; its name is kept as a comment",
    ],
  })
  check(
    "in a loop is known only while it runs",
    "for a in 1 2; do cast balance $a; done\nif true; then cast chain-id; fi\n",
    {
      calls: ["eth_chainId []"],
      problems: [
        '1: "for" is not a cast command; it is left out',
        "1: this command cannot be converted: the value of a is known only while the script runs; its name is kept as a comment",
        '2: "true" is not a cast command; it is left out',
      ],
    },
  )
  check("cast find-block", "cast find-block 1700000000\n", { calls: ["evm_blockAt [1700000000]"], problems: [] })
})

describe("a request that was exported as a cast command", () => {
  const { workspace } = makeWorkspace({
    plugins: [Evm.plugin],
    config: { networks: { evm: { plugin: "evm", url: "https://mainnet.example/rpc" } } },
    now: 0,
  })
  it("is the same when it is imported again", () => {
    const calls = Evm.plugin.methods.flatMap(({ composite, examples, name, writes }) =>
      writes === true || composite !== undefined
        ? []
        : examples.map(({ params }) => `${name} ${Json.stringify(params)}`),
    )
    const analysis = analyze(parse(calls.map((call) => `###\n${call}\n`).join("\n")), workspace)
    const exported = exportFile(
      exportRequests(analysis, () => ({ url: "https://mainnet.example/rpc" })),
      "cast",
    )
    const again = imported(exported.text)
    expect(again.problems).toEqual([])
    expect(again.calls.map(plain)).toEqual(calls.map(plain))
  })
  it("never throws, and never breaks the language, whatever the text", () => {
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(
          "cast",
          "rpc",
          "call",
          "logs",
          "balance",
          "--block",
          "--raw",
          token,
          hash,
          "'",
          '"',
          "\n",
          "$X",
          "`a`",
          "### x",
          "{{",
        ),
        fc.string(),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(words, (parts) => {
        expect(imported(`cast ${parts.join(" ")}`).written).toMatch(/\n$/)
      }),
    )
  })
  it("keeps a key of its URL to itself, and leaves the words of a text with too many of them out", () => {
    const commands = (keyOf: (index: number) => string) =>
      Array.from(
        { length: 3_000 },
        (_, index) => `# see https://h/${keyOf(index)}\ncast block latest --rpc-url http://h/${keyOf(index)}\n`,
      ).join("")
    expect(readCast(commands(() => key)).sections).toHaveLength(3_000)
    const { problems, sections } = readCast(commands((index) => `${key}${index}`))
    expect(JSON.stringify(sections)).not.toContain(key)
    expect(problems[0]?.message).toContain("its titles and comments are left out")
  })
})
