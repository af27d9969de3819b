/** `dotrpc init`, `doctor`, `networks` and `methods`: how a project begins, and what it lacks. */
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { canary, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

const inFolder = (files: Readonly<Record<string, string>> = {}) => {
  const cwd = temporaryFolder()
  const env = { HOME: temporaryFolder() }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return {
    run: (...args: ReadonlyArray<string>) => startAt({ cwd, env }, ...args).outcome,
    /** At a terminal, where a person answers each question once it is asked; `undefined` ends the input. */
    ask: async (...answers: ReadonlyArray<readonly [question: string, answer: string | undefined]>) => {
      const stdin = new PassThrough()
      const running = startAt({ cwd, env, stdin, isTerminal: true }, "init")
      for (const [question, answer] of answers) {
        await running.printed(question)
        if (answer === undefined) stdin.end()
        else stdin.write(`${answer}\n`)
      }
      return running.outcome
    },
    git: (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd }),
    read: (name: string) => readFileSync(join(cwd, name), "utf8"),
    path: (name: string) => join(cwd, name),
  }
}

describe("dotrpc init", () => {
  const check = (url: string, written: string, env: string) =>
    it(`writes ${written}`, async () => {
      const { path, read, run } = inFolder()
      const { code, stderr, stdout } = await run("init", "--url", url, "--network", "mainnet", "--yes")
      expect([code, stderr]).toEqual([0, ""])
      expect(JSON.parse(read("rpc.config.json")).networks.mainnet.url).toBe(written)
      expect(read(".env")).toBe(env)
      expect(stdout + read("rpc.config.json")).not.toContain(canary)
      if (process.platform !== "win32") expect(statSync(path(".env")).mode & 0o077).toBe(0)
      expect(read(".gitignore")).toBe(".env\n")
    })
  check(
    `https://eth-mainnet.g.alchemy.com/v2/${canary}`,
    "https://eth-mainnet.g.alchemy.com/v2/{{$secret.ALCHEMY_KEY}}",
    `ALCHEMY_KEY=${canary}\n`,
  )
  check(
    `https://node.example.com/ext/bc/C/rpc?apikey=${canary}`,
    "https://node.example.com/ext/bc/C/rpc?apikey={{$secret.EXAMPLE_KEY}}",
    `EXAMPLE_KEY=${canary}\n`,
  )
  check(
    `https://node.example.com/rpc?apikey=abc`,
    "https://node.example.com/rpc?apikey={{$secret.EXAMPLE_KEY}}",
    "EXAMPLE_KEY=abc\n",
  )

  const keep = (url: string, written: string, ...values: ReadonlyArray<string>) =>
    it(`takes every key out of ${url}`, async () => {
      const { read, run } = inFolder()
      expect(await run("init", "--url", url, "--network", "mainnet", "--yes")).toMatchObject({ code: 0, stderr: "" })
      const shown = JSON.parse(read("rpc.config.json")).networks.mainnet.url
      expect(shown.replace(/\{\{\$secret\.EXAMPLE_KEY(?:_(\d))?\}\}/g, "<$1>")).toBe(written)
      expect(read(".env").trim().split("\n")).toEqual(
        values.map((value, index) => `EXAMPLE_KEY${index === 0 ? "" : `_${index + 1}`}=${value}`),
      )
      expect((await run("networks", "--format", "json")).stdout).toContain('"problem": null')
    })
  keep("https://user:pw@node.example.com/", "https://user:<>@node.example.com/", "pw")
  keep("https://user:p:w@node.example.com/", "https://user:<>@node.example.com/", "p:w")
  keep("https://ab1@node.example.com/", "https://<>@node.example.com/", "ab1")
  keep("https://node.example.com/?x=1&k9y=1", "https://node.example.com/?x=1&<>=1", "k9y")
  keep("https://node.example.com/?12345", "https://node.example.com/?<>", "12345")
  keep("https://node.example.com/?apikey=12345", "https://node.example.com/?apikey=<>", "12345")
  keep("https://node.example.com/?API_KEY=1&b=2", "https://node.example.com/?API_KEY=<>&b=2", "1")
  keep("https://node.example.com/?access-token=main", "https://node.example.com/?access-token=<>", "main")
  keep("https://node.example.com/v3/12345", "https://node.example.com/v3/<>", "12345")
  keep("https://node.example.com/v3/abcdef/", "https://node.example.com/v3/<>/", "abcdef")
  keep("https://node.example.com/v1/ab?token=cd", "https://node.example.com/v1/<>?token=<2>", "ab", "cd")

  it("names what it wrote as JSON, without a key", async () => {
    const { read, run } = inFolder()
    const url = `https://node.example.com/v3/${canary}`
    const { code, stderr, stdout } = await run("init", "--url", url, "--network", "main", "--yes", "--format", "json")
    expect([code, stderr, JSON.parse(stdout)]).toEqual([
      0,
      "",
      {
        version: 1,
        network: "main",
        plugin: "evm",
        files: ["rpc.config.json", ".env", "first.rpc"],
        secrets: ["EXAMPLE_KEY"],
      },
    ])
    expect(read("rpc.config.json")).toContain("{{$secret.EXAMPLE_KEY}}")
  })
  it("leaves the words of a route", async () => {
    const { read, run } = inFolder()
    await run("init", "--url", "https://node.example.com/v1/mainnet?chain=1", "--yes")
    expect(read("rpc.config.json")).toContain('"https://node.example.com/v1/mainnet?chain=1"')
  })

  it("asks at a terminal, and again where the answer is no URL", async () => {
    const { ask, read } = inFolder()
    const { code, stderr } = await ask(
      ["URL of your endpoint", "node.example"],
      ["expected the URL of a server", `https://node.example/v3/${canary}`],
      ["Name of the network [mainnet]", ""],
      ["Price sheet, or none [none]", ""],
    )
    expect(code).toBe(0)
    expect(stderr.match(/URL of your endpoint/g)).toHaveLength(2)
    expect(JSON.parse(read("rpc.config.json")).networks.mainnet.url).toContain("/v3/{{$secret.")
  })
  it("takes empty answers for what it proposes", async () => {
    const { ask, read } = inFolder()
    expect((await ask(["URL of your endpoint", ""], ["Name of the network [evm]", ""])).code).toBe(0)
    expect(Object.keys(JSON.parse(read("rpc.config.json")).networks)).toEqual(["evm"])
  })
  it("writes nothing where the input ends", async () => {
    for (const answers of [
      [["URL of your endpoint", undefined]],
      [
        ["URL of your endpoint", "https://node.example/"],
        ["Name of the network", undefined],
      ],
    ] as const) {
      const { ask, path } = inFolder()
      const { code, stderr } = await ask(...answers)
      expect([code, existsSync(path("rpc.config.json"))]).toEqual([2, false])
      expect(stderr).toContain("the input has ended: nothing is written")
    }
  })

  it.runIf(process.platform !== "win32")("lets nobody else read an .env that was there", async () => {
    for (const before of ["OTHER=1\n", `EXAMPLE_KEY=${canary}\n`]) {
      const { path, run } = inFolder({ ".env": before })
      chmodSync(path(".env"), 0o644)
      await run("init", "--url", `https://node.example.com/v3/${canary}`, "--yes")
      expect(statSync(path(".env")).mode & 0o777).toBe(0o600)
    }
  })
  it("puts no key into a file that git shares", async () => {
    const { git, path, read, run } = inFolder({ ".env": "A=1\n" })
    git("init", "-q")
    git("add", ".env")
    const { code, stderr } = await run("init", "--url", `https://node.example/v3/${canary}`, "--yes")
    expect([code, read(".env"), existsSync(path("rpc.config.json"))]).toEqual([2, "A=1\n", false])
    expect(stderr).toContain("git rm --cached .env")
  })
  for (const name of ["rpc.config.json", ".env", ".gitignore"])
    it.runIf(process.platform !== "win32")(`leaves nothing behind where ${name} cannot be written`, async () => {
      const { path, run } = inFolder()
      symlinkSync(path("nowhere"), path(name))
      const { code, stderr } = await run("init", "--url", `https://node.example/v3/${canary}`, "--yes")
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${name} cannot be written`)])
      for (const other of ["rpc.config.json", ".env", ".gitignore", "nowhere"])
        expect([other, existsSync(path(other))]).toEqual([other, false])
    })

  it("proposes the prices of the provider, and the network that the host names", async () => {
    const { read, run } = inFolder()
    await run("init", "--url", "https://base-sepolia.g.alchemy.com/v2/0123456789abcdef", "--yes")
    expect(JSON.parse(read("rpc.config.json")).networks["base-sepolia"].prices).toBe("alchemy")
  })

  it("needs no endpoint, and what it writes runs", async () => {
    const { run } = inFolder()
    expect(await run("init", "--yes")).toMatchObject({ code: 0, stdout: expect.stringContaining("wrote first.rpc\n") })
    expect(await run("run", "first.rpc")).toMatchObject({ code: 0 })
    expect(await run("doctor")).toMatchObject({ code: 0 })
  })

  it("keeps another value of .env, and gives the key a name of its own", async () => {
    const { read, run } = inFolder({ ".env": "EXAMPLE_KEY=other" })
    await run("init", "--url", `https://node.example.com/v3/${canary}`, "--yes")
    expect(read(".env")).toBe(`EXAMPLE_KEY=other\nEXAMPLE_KEY_2=${canary}\n`)
  })

  const refuse = (
    title: string,
    args: ReadonlyArray<string>,
    said: string,
    files: Readonly<Record<string, string>> = {},
  ) =>
    it(`refuses ${title}, and writes nothing`, async () => {
      const { path, run } = inFolder(files)
      const { code, stderr, stdout } = await run("init", ...args, "--yes")
      expect([code, stdout]).toEqual([2, ""])
      expect(stderr).toContain(said)
      expect(stderr).not.toContain(canary)
      expect(existsSync(path(".env"))).toBe(false)
    })
  refuse("what is not a URL", ["--url", canary], "expected the URL of a server")
  refuse("a key in the open", ["--url", `http://node.example/${canary}`], "unencrypted")
  refuse("an empty URL, as of a variable that is not set", ["--url", ""], "--url: it is empty")
  refuse("an empty name", ["--url", "https://node.example/", "--network", " "], "--network: it is empty")
  refuse("a name of two words", ["--url", "https://node.example/", "--network", "a\nb"], "without blanks")
  refuse("a named network without a URL", ["--network", "mainnet"], "--network: expected --url")
  refuse("a WebSocket", ["--url", `wss://node.example/${canary}`], '"wsUrl"')
  refuse("what no server is sent", ["--url", `https://node.example/#${canary}`], "leave out #")
  refuse("a plugin that the built-in endpoint does not speak", ["--plugin", "l2-events"], "--plugin: expected --url")
  refuse("an unknown plugin", ["--plugin", "evn"], "expected one of evm")
  refuse("an unknown price sheet", ["--url", "https://node.example/", "--prices", "alchmy"], "alchmy")
  refuse("a folder with a configuration", [], "stays as it is", { "rpc.config.json": "{}" })
})

describe("dotrpc doctor", () => {
  const config = (url: string) => JSON.stringify({ networks: { mainnet: { plugin: "evm", url, prices: "alchemy" } } })
  const check = (title: string, files: Readonly<Record<string, string>>, code: number, said: string) =>
    it(title, async () => {
      const outcome = await inFolder(files).run("doctor")
      expect([outcome.code, outcome.stderr]).toEqual([code, ""])
      expect(outcome.stdout).toContain(said)
      expect(outcome.stdout).not.toContain(canary)
    })
  const keyed = "https://node.example/v3/{{$secret.NODE_KEY}}"
  check(
    "finds nothing where all is well",
    { "rpc.config.json": config(keyed), ".env": `NODE_KEY=${canary}` },
    0,
    "✓ networks",
  )
  check(
    "says that a balance has no limit",
    {
      "rpc.config.json": JSON.stringify({
        networks: { mine: { plugin: "evm", url: "https://node.example/", prices: "quicknode" } },
      }),
    },
    0,
    "file: no limit",
  )
  check(
    "finds a key in the configuration",
    { "rpc.config.json": config(`https://node.example/v3/${canary}`) },
    0,
    "! keys          rpc.config.json:1:71: the file contains a URL with a key",
  )
  check(
    "finds a password of the ledger in the configuration",
    { "rpc.config.json": JSON.stringify({ ledger: `redis://user:${canary}@redis.example`, networks: {} }) },
    0,
    "the file contains a URL with a key: write $secret.REDIS_PASSWORD",
  )
  const preset = JSON.stringify({ networks: { a: { preset: "nosuch" } } })
  for (const [title, files, args] of [
    ["is wrong", { "rpc.config.json": '{ "networks": 7 }' }, []],
    ["has an unknown preset", { "rpc.config.json": preset }, []],
    ["is not there", {}, ["--config", "nope.json"]],
  ] as const)
    it(`says once, and of no network, that a configuration ${title}`, async () => {
      const { code, stdout } = await inFolder(files).run("doctor", ...args)
      expect([code, stdout.match(/^✗/gm)?.length, /networks  /.test(stdout)]).toEqual([2, 1, false])
      expect(stdout).toContain(title === "is not there" ? "name a file that is there" : "correct the file")
    })
  it("says once that the ledger cannot be written", async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, "rpc.config.json"), config("https://node.example/"))
    writeFileSync(join(cwd, "file"), "")
    const env = { XDG_DATA_HOME: join(cwd, "file") }
    const { code, stderr, stdout } = await startAt({ cwd, env }, "doctor").outcome
    expect([code, stderr]).toEqual([1, ""])
    expect(stdout).toMatch(/^✗ ledger .*cannot/m)
  })
  check("says which secret is missing", { "rpc.config.json": config(keyed) }, 1, "NODE_KEY")
  check("says where a configuration is wrong", { "rpc.config.json": '{ "networks": 7 }' }, 2, "rpc.config.json:1:")
  check("says how to begin where there is none", {}, 0, "dotrpc init writes one")
})

it("dotrpc networks shows where each is, and what it lacks, and no key", async () => {
  const url = "https://node.example/v3/{{$secret.NODE_KEY}}"
  const files = { "rpc.config.json": JSON.stringify({ networks: { mainnet: { plugin: "evm", url } } }) }
  const { stdout } = await inFolder(files).run("networks", "--format", "json")
  expect(JSON.parse(stdout)).toEqual([
    {
      id: "mainnet",
      plugins: ["evm"],
      hosts: ["node.example"],
      prices: null,
      chainId: null,
      problem: expect.stringContaining("NODE_KEY"),
    },
  ])
})

it("dotrpc networks shows no place of what has none, and each network in one row", async () => {
  const networks = { "a\nb": { plugin: "evm", url: "embedded:evm" }, c: { preset: "ethereum" } }
  const { stdout } = await inFolder({ "rpc.config.json": JSON.stringify({ networks }) }).run("networks")
  const rows = stdout.split("\n").filter((line) => /^ {4}\S/.test(line))
  expect(rows).toHaveLength(3)
  expect(rows[1]).toMatch(/^ {4}a␊b .* inside dotrpc/)
  expect(rows[2]).toMatch(/^ {4}c /)
  expect(rows[2]).not.toContain("inside dotrpc")
})

it("a network that a project without a configuration cannot have leads to dotrpc init", async () => {
  const args = ["eth_getLogs", "[{}]", "--network", "mainnet"]
  for (const command of [
    ["scan", ...args, "--dry-run"],
    ["credits", "--network", "mainnet"],
  ]) {
    const { code, stderr } = await inFolder().run(...command)
    expect([code, stderr]).toEqual([2, expect.stringMatching(/unknown network "mainnet"; .*; dotrpc init writes/)])
    const { stderr: configured } = await inFolder({
      "rpc.config.json": JSON.stringify({ networks: { a: { plugin: "evm", url: "embedded:evm" } } }),
    }).run(...command)
    expect(configured).not.toContain("dotrpc init")
  }
})

describe("dotrpc methods", () => {
  it("lists those of a word, with prices", async () => {
    const { stdout } = await inFolder().run("methods", "getlogs", "--format", "json")
    const [logs] = JSON.parse(stdout)
    expect(logs).toMatchObject({ name: "eth_getLogs", price: "255 credits", networks: ["evm", "evm-l2"] })
  })
  it("proposes the nearest for an unknown one", async () =>
    expect(await inFolder().run("methods", "eth_getLgs")).toMatchObject({
      code: 2,
      stderr: 'dotrpc: no method has "eth_getLgs"; did you mean "eth_getLogs"?\n',
    }))
})
