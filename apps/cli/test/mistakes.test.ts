import { describe, expect, it } from "vitest"
import { dotrpc, startAt } from "./dotrpc.ts"

describe("a mistake on the command line is reported in one line", () => {
  const check = (line: string, said: string, more: ReadonlyArray<string> = []) =>
    it(`of ${[line, ...more].join(" ")}`, async () => {
      const { code, stderr, stdout } = await dotrpc(...line.split(" "), ...more)
      expect([code, stdout, stderr.split("\n").slice(0, 1), stderr.split("\n").length]).toEqual([
        2,
        "",
        [`dotrpc: ${said}`],
        3,
      ])
    })
  check("runn", 'unknown command "runn"; did you mean "run"?')
  const commands =
    "expected one of init, run, watch, call, check, explain, fmt, scan, backfill, query, probe, where, cost, credits, networks, methods, doctor, prices, reconcile, trust, meter, mcp, gateway, lsp, new, import, export"
  check("help zork", `unknown command "zork"; ${commands}`)
  check("zork --dry-run", `unknown command "zork"; ${commands}`)
  check("https://x.example/v3/KEY", `unknown command "https://…"; ${commands}`)
  const runFile = "to run a file, write: dotrpc run FILE"
  check("my.rpc", `unknown command "my.rpc"; ${runFile}`)
  check("my.RPC --dry-run", `unknown command "my.RPC"; ${runFile}`)
  check("README.md", `unknown command "README.md"; ${runFile}`)
  check("saved/my.rpc", `unknown command "saved/…"; ${runFile}`)
  check(".", `unknown command "."; ${runFile}`)
  check("import cur a", 'unknown command "cur"; did you mean "curl"?')
  check("import swagger a", 'unknown command "swagger"; expected one of openrpc, http, curl, cast, postman, viem, io')
  check(
    "import Postman a.json",
    'unknown command "Postman"; copy its requests as curl commands into a file, and write: dotrpc import curl FILE',
  )
  check("new network x", 'unknown command "network"; expected one of plugin')
  check("run a --nmae x", 'unknown flag "--nmae"; did you mean "--name"?')
  check("run", "missing argument: FILE")
  check("trust a b", 'unexpected argument "b"')
  check("trust a b c", 'unexpected arguments "b", "c"')
  check("run a --env", "--env needs a value: name")
  check(
    "run a --format x",
    '--format: expected one of pretty, json, ndjson, junit, tap, value, csv, github, html, got "x"',
  )
  check("run a --parallel 0", '--parallel: expected a whole number, 1 or more, got "0"')
  check("run a --bail --bail", "--bail is given more than once: use it only once")
  check("gateway --port abc", '--port: expected a whole number, got "abc"')
  check("gateway --seed 1.5", '--seed: expected a whole number, got "1.5"')
  const host = "a host, such as mainnet.example or mainnet.example:8443, or http://HOST:PORT where nothing is encrypted"
  for (const [wrong, shown] of [
    ["https://mainnet.example/", "https://…"],
    ["mainnet.example/v3/KEY", "mainnet.example/…"],
    ["KEY@mainnet.example", "…"],
    ["ftp://mainnet.example", "ftp://…"],
    ["*", "*"],
    ["a:99999", "a:99999"],
    ["a b", "a b"],
  ] as const)
    for (const command of ["run a", "scan eth_getLogs []", "credits"])
      check(`${command} --allow-host`, `--allow-host: expected ${host}, got "${shown}"`, [wrong])
  check("run a --allow-host", `--allow-host needs a value: ${host}`, [""])
})

describe("help", () => {
  const check = (line: string, same: string) =>
    it(`is shown by dotrpc ${line}`, async () => {
      const outcome = await dotrpc(...line.split(" "))
      expect(outcome).toEqual(await dotrpc(...same.split(" ")))
      expect(outcome).toMatchObject({ code: 0, stdout: expect.stringMatching(/USAGE/), stderr: "" })
    })
  check("help", "--help")
  check("help run", "run --help")
  check("help import curl", "import curl --help")
})

describe("an entry of DOTRPC_ALLOW_HOSTS that is not a host", () => {
  it("is reported, and not repeated", async () => {
    const env = { DOTRPC_ALLOW_HOSTS: "127.0.0.1, ,https://mainnet.example/v3/KEY" }
    const { stderr } = await startAt({ env }, "run", "good.rpc").outcome
    expect(stderr).toContain(
      "dotrpc: warning: DOTRPC_ALLOW_HOSTS: expected a host, such as mainnet.example or mainnet.example:8443, or http://HOST:PORT where nothing is encrypted in each entry\n",
    )
    expect(stderr).not.toContain("KEY")
  })
})
