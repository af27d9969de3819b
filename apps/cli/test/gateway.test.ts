import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canary, dotrpc, start, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { spawnAt } from "./process.ts"

describe("the gateway command", () => {
  it("says where it listens in one line, answers with what a call cost, and stops on Ctrl-C", async () => {
    const running = spawnAt({}, "gateway", "--port", "0", "--blocks", "20", "--logs", "50")
    await running.printed('"ready":true')
    running.interrupt()
    const { stdout, code } = await running.outcome
    const ready = JSON.parse(stdout) as { port: number; networks: ReadonlyArray<string>; key: string }
    expect(stdout.trim().split("\n")).toHaveLength(1)
    expect(ready.networks).toEqual(["evm", "evm-l2", "accounts", "l2"])
    expect(ready.port).toBeGreaterThan(0)
    expect(ready.key).toMatch(/^[\w-]{32}$/)
    expect(code).toBe(130)
  })

  it("makes its sample once it listens, so that the first call does not wait for it", async () => {
    const running = start("gateway", "--port", "0", "--blocks", "20", "--logs", "50")
    await running.printed('"ready":true')
    const { key, port } = JSON.parse(running.soFar()) as { port: number; key: string }
    const response = await fetch(`http://127.0.0.1:${port}/evm/v3/${key}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0"}]}',
    })
    expect(((await response.json()) as { result: ReadonlyArray<unknown> }).result).toHaveLength(50)
    running.interrupt()
    expect((await running.outcome).code).toBe(130)
  })

  it("reads keys from a file and from the environment, and repeats none", async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, "keys"), `# of the team\n${canary}-1\n\n  ${canary}-2\n`, { mode: 0o644 })
    const env = { DOTRPC_GATEWAY_KEY: `${canary}-3`, XDG_DATA_HOME: folder }
    const place = { cwd: folder, env }
    const running = startAt(place, "gateway", "--port", "0", "--key-file", "keys", "--blocks", "5", "--logs", "5")
    await running.printed('"ready":true')
    const { port } = JSON.parse(running.soFar()) as { port: number }
    const statusOf = async (key: string) => (await fetch(`http://127.0.0.1:${port}/evm/v3/${key}/credits`)).status
    expect(await Promise.all([`${canary}-1`, `${canary}-2`, `${canary}-3`, "local", "%23"].map(statusOf))).toEqual([
      200, 200, 200, 401, 401,
    ])
    running.interrupt()
    const { stderr, stdout } = await running.outcome
    expect(stdout + stderr).not.toContain(canary)
    expect(stderr).toContain("other users of this machine can read the keys in keys: chmod 600 keys")
    rmSync(folder, { recursive: true })
  })

  it("says the key that everybody knows, and none that somebody chose", async () => {
    const readyWith = async (...args: ReadonlyArray<string>) => {
      const running = start("gateway", "--port", "0", "--balances", "memory", "--blocks", "5", "--logs", "5", ...args)
      await running.printed('"ready":true')
      running.interrupt()
      return JSON.parse((await running.outcome).stdout) as { readonly key?: string }
    }
    expect((await readyWith("--key", "local")).key).toBe("local")
    expect(await readyWith("--key", canary)).not.toHaveProperty("key")
  })

  it("charges by the prices of another provider", async () => {
    const sample = ["--blocks", "5", "--logs", "5", "--balances", "memory"]
    const running = start("gateway", "--port", "0", "--key", "local", "--prices", "alchemy", ...sample)
    await running.printed('"ready":true')
    const { urls } = JSON.parse(running.soFar()) as { readonly urls: Readonly<Record<"evm", string>> }
    const post = async (method: string, params: ReadonlyArray<unknown>) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      return (
        await fetch(urls.evm, { method: "POST", headers: { "content-type": "application/json" }, body })
      ).headers.get("x-credits-cost")
    }
    expect(await post("eth_getLogs", [{ fromBlock: "latest" }])).toBe("60")
    expect(await post("eth_unknown", [])).toBe("0")
    expect(await (await fetch(`${urls.evm}/credits`)).json()).toMatchObject({
      spent: 60,
      byMethod: { eth_getLogs: 60 },
    })
    running.interrupt()
    await running.outcome
  })

  it("holds the upcoming blocks back", async () => {
    const sample = ["--blocks", "20", "--logs", "5", "--balances", "memory"]
    // None comes within the test.
    const running = start("gateway", "--port", "0", ...sample, "--upcoming", "5", "--block-seconds", "600")
    await running.printed('"ready":true')
    const { urls } = JSON.parse(running.soFar()) as { readonly urls: Readonly<Record<"evm", string>> }
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] })
    const reply = await fetch(urls.evm, { method: "POST", headers: { "content-type": "application/json" }, body })
    expect(await reply.json()).toMatchObject({ result: "0xe" })
    running.interrupt()
    await running.outcome
  })

  const checkUrls = (what: string, args: ReadonlyArray<string>, expected: (port: number, key: string) => string) =>
    it(`gives the URL of each network ${what}`, async () => {
      const sample = ["--blocks", "5", "--logs", "5", "--balances", "memory"]
      const running = start("gateway", "--port", "0", ...sample, ...args)
      await running.printed('"ready":true')
      const ready = JSON.parse(running.soFar()) as {
        readonly port: number
        readonly key?: string
        readonly urls: Readonly<Record<string, string>>
      }
      expect(ready.urls["evm-l2"]).toBe(expected(ready.port, ready.key ?? ""))
      // As pasted, with the user's own key where the line does not repeat it.
      const answers = Object.values(ready.urls).map(async (url) => {
        const response = await fetch(`${url.replace(/KEY$/, canary)}/credits`)
        return response.status
      })
      expect(await Promise.all(answers)).toEqual([200, 200, 200, 200])
      running.interrupt()
      const { stderr, stdout } = await running.outcome
      expect(stdout + stderr).not.toContain(canary)
    })
  checkUrls("with the generated key", [], (port, key) => `http://127.0.0.1:${port}/evm-l2/v3/${key}`)
  checkUrls("with the known key", ["--key", "local"], (port) => `http://127.0.0.1:${port}/evm-l2/v3/local`)
  checkUrls("without a key of the user's own", ["--key", canary], (port) => `http://127.0.0.1:${port}/evm-l2/v3/KEY`)
  checkUrls(
    "of this machine where it listens on every address",
    ["--host", "0.0.0.0", "--key", canary],
    (port) => `http://127.0.0.1:${port}/evm-l2/v3/KEY`,
  )

  const check = (what: string, args: ReadonlyArray<string>, said: RegExp) =>
    it(what, async () => {
      const { code, stderr } = await dotrpc("gateway", "--port", "0", ...args)
      expect(stderr).toMatch(said)
      expect(code).toBe(2)
    })
  check("is refused on another address without a key", ["--host", "0.0.0.0"], /give at least one key/)
  check(
    "is refused on another address with a key that everybody knows",
    ["--host", "0.0.0.0", "--key", "local", "--balances", "memory"],
    /everybody knows the key "local"/,
  )
  check(
    "says that a file of keys is not there",
    ["--key-file", "absent"],
    /--key-file: absent cannot be read; write one key/,
  )
  for (const path of ["/dev/zero", "/dev/stdin", "."]) {
    check(`does not read a chain from ${path}`, ["--chain", path], /--chain: .* not a regular file/)
    check(`does not read keys from ${path}`, ["--key-file", path], /--key-file: .*; write one key per line/)
  }
  check("refuses a wildcard in an origin", ["--allow-origin", "https://*.evil.example"], /Expected an origin such as/)
  for (const place of ["", ":memory:", "file:x?mode=memory"])
    check(
      `refuses ${JSON.stringify(place)} as the place of balances`,
      ["--key", "a", "--balances", place],
      /--balances memory/,
    )
  check("refuses to let every page in", ["--allow-origin", "*"], /Expected an origin such as https:\/\/app\.example/)
  check(
    "refuses a host name that is an address",
    ["--host-name", "http://a"],
    /Expected a host name such as gateway\.example/,
  )
  check(
    "names the line of a chain file that is wrong",
    ["--chain", "good.rpc"],
    /^dotrpc: --chain: good\.rpc: line 1 of the chain file: expected[^\n]*[^.\n]\n$/,
  )
  check("says that a chain file is not there", ["--chain", "absent.ndjson"], /absent\.ndjson: there is no such file/)
  check("explains a balance that is not one", ["--daily=-5"], /--daily: expected a whole number of credits, got "-5"\n/)
  check(
    "explains a balance that is not a number",
    ["--daily", "x"],
    /--daily: expected a whole number of credits, got "x"\n/,
  )
  check(
    "explains a sample that cannot be made",
    ["--blocks", "0"],
    /^dotrpc: the number of blocks must be a whole number, 1 or more; got 0\n$/,
  )
  check("is refused with a balance that refuses everything", ["--daily", "0"], /--daily 0 would refuse every call/)
  check(
    "names what does now what --upstream did, and repeats no URL that may hold a key",
    ["--upstream", "evm=http://node.example/s3cret-key"],
    /^(?![^]*s3cret)[^]*dotrpc meter --serve/,
  )
  check(
    "names the variable that the password of a Redis server is to be in",
    ["--redis", "redis://:{{$secret.NO_SUCH_PASSWORD}}@127.0.0.1"],
    /--redis needs NO_SUCH_PASSWORD, which is not set/,
  )
})
