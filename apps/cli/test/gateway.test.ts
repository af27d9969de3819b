import { describe, expect, it } from "vitest"
import { dotrpc, start } from "./dotrpc.ts"

describe("the gateway command", () => {
  it("says where it listens in one line, answers with what a call cost, and stops on Ctrl-C", async () => {
    const running = start("gateway", "--port", "0", "--blocks", "20", "--logs", "50")
    await running.printed('"ready":true')
    running.interrupt()
    const { stdout, code } = await running.outcome
    const ready = JSON.parse(stdout) as { port: number; networks: ReadonlyArray<string> }
    expect(stdout.trim().split("\n")).toHaveLength(1)
    expect(ready.networks).toEqual(["evm", "evm-l2", "accounts", "l2"])
    expect(ready.port).toBeGreaterThan(0)
    expect(code).toBe(130)
  })

  it("makes its sample once it listens, so that the first call does not wait for it", async () => {
    const running = start("gateway", "--port", "0", "--blocks", "20", "--logs", "50")
    await running.printed('"ready":true')
    const { port } = JSON.parse(running.soFar()) as { port: number }
    const response = await fetch(`http://127.0.0.1:${port}/evm/v3/local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"jsonrpc":"2.0","id":1,"method":"eth_getLogs","params":[{"fromBlock":"0x0"}]}',
    })
    expect(((await response.json()) as { result: ReadonlyArray<unknown> }).result).toHaveLength(50)
    running.interrupt()
    expect((await running.outcome).code).toBe(130)
  })

  const check = (what: string, args: ReadonlyArray<string>, said: RegExp) =>
    it(what, async () => {
      const { code, stderr } = await dotrpc("gateway", "--port", "0", ...args)
      expect(stderr).toMatch(said)
      expect(code).toBe(2)
    })
  check("is refused on another address without a key", ["--host", "0.0.0.0"], /give at least one key/)
  check("names the line of a chain file that is wrong", ["--chain", "good.rpc"], /good\.rpc: .*line 1/i)
  check("says that a chain file is not there", ["--chain", "absent.ndjson"], /absent\.ndjson: there is no such file/)
  check("explains a balance that is none", ["--daily=-5"], /--daily: "-5"\. Expected: a whole number of credits\n/)
  check(
    "explains a balance that is no number",
    ["--daily", "x"],
    /--daily: "x"\. Expected: a whole number of credits\n/,
  )
  check("is refused with a balance that refuses everything", ["--daily", "0"], /--daily 0 would refuse every call/)
  check("explains an upstream that is not ID=URL", ["--upstream", "evm"], /--upstream needs ID=URL/)
  check(
    "does not repeat an upstream that may hold a key",
    ["--upstream", "evm=node.example/s3cret-key"],
    /^(?![^]*s3cret)[^]*An upstream must be an http:\/\/ or https:\/\/ address/,
  )
  check(
    "names the variable that an upstream's key is to be in",
    ["--upstream", "evm=https://node.example/v3/{{$env.NO_SUCH_KEY}}"],
    /--upstream needs NO_SUCH_KEY, which is not set/,
  )
  check(
    "names the variable that the password of a Redis server is to be in",
    ["--redis", "redis://:{{$secret.NO_SUCH_PASSWORD}}@127.0.0.1"],
    /--redis needs NO_SUCH_PASSWORD, which is not set/,
  )
  check(
    "lists the networks an upstream may answer",
    ["--upstream", "main=http://127.0.0.1:1"],
    /unknown network "main"; known are evm/,
  )
})
