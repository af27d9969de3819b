/** Which hosts get which secrets: a server that writes down what it is sent, and never gets what it was not allowed. */
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { canary, type Outcome, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { binary, processEnvironment } from "./process.ts"

interface Recorder {
  readonly server: Server
  readonly host: string
  readonly heard: Array<string>
}

const recorder = async (): Promise<Recorder> => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      heard.push(`${request.url ?? ""} ${body}`)
      response.end(`{"jsonrpc":"2.0","id":${/"id":(\d+)/.exec(body)?.[1] ?? "1"},"result":[]}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

let good: Recorder
let evil: Recorder
beforeAll(async () => {
  good = await recorder()
  evil = await recorder()
})
afterAll(() => {
  good.server.close()
  evil.server.close()
})

const call = (network: string, params = "[{}]") =>
  `### ${network}\n# @network ${network}\n# @name ${network}\neth_getLogs ${params}\n`

/** A project with a key, and a machine that has not seen it. */
const place = (files: Readonly<Record<string, string>> = {}, env: Readonly<Record<string, string>> = {}) => {
  const folder = temporaryFolder()
  const data = temporaryFolder()
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text)
  }
  const networks = (host: string) =>
    JSON.stringify({
      env: ["LISTED"],
      networks: {
        keyed: { plugin: "evm", url: `http://${host}/v3/{{$secret.KEY}}` },
        open: { plugin: "evm", url: `http://${host}/rpc` },
      },
    })
  write({ "rpc.config.json": networks(good.host), ".env": `KEY=${canary}\n`, "a.rpc": call("keyed"), ...files })
  evil.heard.length = 0
  const dotrpc = (...args: ReadonlyArray<string>): Promise<Outcome> =>
    startAt({ cwd: folder, env: { XDG_DATA_HOME: data, DOTRPC_ALLOW_HOSTS: "", CI: "", ...env } }, ...args).outcome
  return { folder, data, write, dotrpc, turnTo: (host: string) => write({ "rpc.config.json": networks(host) }) }
}

describe("a secret belongs to the host it was first sent to", () => {
  it("which is said once, and recorded without its value", async () => {
    const { data, dotrpc } = place()
    const first = await dotrpc("run", "a.rpc")
    expect(first.stderr).toBe(`dotrpc: KEY belongs to ${good.host} from now on\n`)
    expect(first.code).toBe(0)
    expect(good.heard.at(-1)).toContain(canary)
    const again = await dotrpc("run", "a.rpc")
    expect(again.stderr).toBe("")
    const file = join(data, "dotrpc/secret-hosts.json")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, "utf8")).toContain(`http://${good.host}`)
    expect(readFileSync(file, "utf8")).not.toContain(canary)
  })

  it("for one command only where that cannot be recorded, which is said", async () => {
    const { data, dotrpc } = place()
    const lock = join(data, "dotrpc/secret-hosts.json.lock")
    mkdirSync(lock, { recursive: true })
    for (const _ of ["first", "again"]) {
      const { code, stderr } = await dotrpc("run", "a.rpc")
      expect([code, stderr]).toEqual([
        0,
        `dotrpc: warning: KEY belongs to ${good.host} for this command only: ${join(data, "dotrpc/secret-hosts.json")} cannot be written: ${lock} is in the way, which is not a regular file: move it away, then try again\n`,
      ])
    }
    expect(readdirSync(join(data, "dotrpc"))).not.toContain("secret-hosts.json")
  })

  it("and to no other one", async () => {
    const { dotrpc, turnTo } = place()
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    const { code, stdout } = await dotrpc("run", "a.rpc", "--format", "json")
    expect(code).toBe(2)
    expect(evil.heard).toEqual([])
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ ok: false, credits: { spent: 0 } })
    expect(report.files[0].requests).toMatchObject([{ status: "failed", calls: 0, credits: 0, error: { id: "A503" } }])
    expect(report.files[0].requests[0].error.message).toBe(
      `KEY belongs to ${good.host}, and this would send it to ${evil.host}; if it may go to ${evil.host}, add --allow-host http://${evil.host}`,
    )
  })

  const checkRefused = (what: string, files: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
    it(`not ${what}`, async () => {
      const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
      const { dotrpc, turnTo, write } = place({ ".env": `KEY=${address}\n` })
      await dotrpc("run", "a.rpc")
      turnTo(evil.host)
      write(files)
      const { code, stderr, stdout } = await dotrpc(...(args.length > 0 ? args : ["run", "a.rpc"]))
      expect(stdout + stderr).toContain(`--allow-host http://${evil.host}`)
      expect(code).toBe(2)
      expect(evil.heard).toEqual([])
    })
  checkRefused("in params", {
    "a.rpc": call("open", '[{ "address": "{{$secret.KEY}}" }]'),
  })
  checkRefused("through a variable", { "a.rpc": `@own = {{$secret.KEY}}\n${call("open", '[{ "address": {{own}} }]')}` })
  checkRefused("by a scan", {}, "scan", "eth_getLogs", '[{"fromBlock":"0x0","toBlock":"0x1"}]', "--network", "keyed")

  it("but to one that --allow-host names, from then on", async () => {
    const { dotrpc, turnTo } = place()
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    expect((await dotrpc("run", "a.rpc", "--allow-host", `http://${evil.host}`)).code).toBe(0)
    expect(evil.heard.length).toBe(1)
    expect((await dotrpc("run", "a.rpc")).code).toBe(0)
    expect(evil.heard.length).toBe(2)
  })

  it("but to one that the environment names, this once", async () => {
    const { dotrpc, folder, data, turnTo } = place()
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    const env = { XDG_DATA_HOME: data, DOTRPC_ALLOW_HOSTS: `x.example, http://${evil.host}`, CI: "true" }
    expect((await startAt({ cwd: folder, env }, "run", "a.rpc").outcome).code).toBe(0)
    expect((await dotrpc("run", "a.rpc")).code).toBe(2)
  })

  it("of two hosts in one run only the first", async () => {
    const two = JSON.stringify({
      networks: {
        keyed: { plugin: "evm", url: `http://${good.host}/v3/{{$secret.KEY}}` },
        other: { plugin: "evm", url: `http://${evil.host}/v3/{{$secret.KEY}}` },
      },
    })
    const { dotrpc } = place({ "rpc.config.json": two, "a.rpc": `${call("keyed")}\n${call("other")}` })
    const { code, stdout } = await dotrpc("run", "a.rpc", "--format", "json")
    const statuses = JSON.parse(stdout).files[0].requests.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(["ok", "failed"])
    expect(code).toBe(2)
    expect(evil.heard).toEqual([])
  })

  it("and another value of the same name is another secret", async () => {
    const { dotrpc, turnTo, write } = place()
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    write({ ".env": "KEY=another-value\n" })
    expect((await dotrpc("run", "a.rpc")).code).toBe(0)
    expect(evil.heard.join("\n")).toContain("another-value")
  })

  it("and what needs no secret runs beside it", async () => {
    const { dotrpc, turnTo, write } = place()
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    write({ "a.rpc": `${call("open")}\n${call("keyed")}` })
    const { stdout } = await dotrpc("run", "a.rpc", "--format", "json")
    const statuses = JSON.parse(stdout).files[0].requests.map(({ status }: { status: string }) => status)
    expect(statuses).toEqual(["ok", "failed"])
    expect(evil.heard.join("\n")).not.toContain(canary)
  })
})

describe("the first host of a secret", () => {
  const remote = JSON.stringify({
    networks: { keyed: { plugin: "evm", url: "http://evil.invalid/v3/{{$secret.KEY}}" } },
  })
  const once = `# @retry 0\n${call("keyed")}`
  const check = (
    what: string,
    isAllowed: boolean,
    files: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>>,
    ...args: ReadonlyArray<string>
  ) =>
    it(what, async () => {
      const { dotrpc } = place({ "rpc.config.json": remote, "a.rpc": once, ...files }, env)
      const { stderr, stdout, code } = await dotrpc("run", "a.rpc", ...args)
      if (isAllowed) expect(stdout).toContain("evil.invalid")
      else
        expect(stdout).toContain(
          "KEY has not been sent to any host yet; if it may go to evil.invalid (unencrypted), add --allow-host http://evil.invalid",
        )
      expect(code).toBe(isAllowed ? 3 : 2)
      expect(stdout + stderr).not.toContain(canary)
    })
  check("is taken on trust for a value of .env", true, {}, {})
  check(
    "is refused for a variable of the environment, where nobody can be asked",
    false,
    { ".env": "" },
    { KEY: canary },
  )
  check("is refused in CI", false, {}, { CI: "true" })
  check("may be named in CI", true, {}, { CI: "true" }, "--allow-host", "http://evil.invalid")
  check(
    "is named with its scheme where nothing is encrypted",
    false,
    {},
    { CI: "true" },
    "--allow-host",
    "evil.invalid",
  )
  check("may be named with its port", true, {}, { CI: "true" }, "--allow-host", "http://evil.invalid:80")
  it("is taken on trust in CI on this machine", async () => {
    const { dotrpc } = place({}, { CI: "true" })
    expect((await dotrpc("run", "a.rpc")).code).toBe(0)
  })
})

// A real terminal, made by a tool that every Debian has.
describe.runIf(process.platform === "linux" && existsSync("/usr/bin/script"))("a person at a terminal", () => {
  const turned = async () => {
    const project = place()
    await project.dotrpc("run", "a.rpc")
    project.turnTo(evil.host)
    return project
  }
  /** What the terminal shows, when the person types this at the question. */
  const atTerminal = async ({ data, folder }: ReturnType<typeof place>, typed: string): Promise<Outcome> => {
    const env = processEnvironment({ env: { XDG_DATA_HOME: data, DOTRPC_ALLOW_HOSTS: "", CI: "" } })
    const command = `"${process.execPath}" "${binary}" run a.rpc`
    const child = spawn("/usr/bin/script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: folder,
      env,
    })
    let shown = ""
    child.stdout.on("data", (chunk: Buffer) => {
      const before = shown
      shown += chunk.toString()
      if (!before.includes("[y/N]") && shown.includes("[y/N]")) child.stdin.write(typed)
    })
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
    return { code, stdout: shown, stderr: "" }
  }
  const check = (what: string, typed: string, isSent: boolean, expected: number) =>
    it(what, async () => {
      const project = await turned()
      const { code, stdout } = await atTerminal(project, typed)
      expect(stdout).toContain(`Send KEY to ${evil.host}? It belongs to ${good.host}. [y/N]`)
      expect(stdout).not.toContain(canary)
      expect(evil.heard.length).toBe(isSent ? 1 : 0)
      expect(code).toBe(expected)
      // Only a yes is remembered.
      expect((await project.dotrpc("run", "a.rpc")).code).toBe(isSent ? 0 : 2)
    })
  check("sends a secret to another host by a yes", "y\r", true, 0)
  check("and by the whole word", "YES\r", true, 0)
  check("sends nothing by a no", "n\r", false, 2)
  check("sends nothing by an empty line", "\r", false, 2)
  check("sends nothing when the terminal ends its input", "\u0004", false, 2)
  check("sends nothing when the command is interrupted", "\u0003", false, 130)
})

describe("a variable of the environment", () => {
  it("is read when the configuration lists it", async () => {
    const { dotrpc } = place({ "a.rpc": call("open", '[{ "fromBlock": "{{$env.LISTED}}" }]') }, { LISTED: "0x10" })
    expect((await dotrpc("run", "a.rpc")).code).toBe(0)
    expect(good.heard.at(-1)).toContain('"fromBlock":"0x10"')
  })
  it("is not read otherwise", async () => {
    const { dotrpc } = place({ "a.rpc": call("open", '[{ "fromBlock": "{{$env.OTHER}}" }]') }, { OTHER: "0x10" })
    const { code, stdout } = await dotrpc("run", "a.rpc")
    expect(stdout).toContain('the environment variable OTHER may not be read: add "OTHER" to "env" in rpc.config.json')
    expect(code).toBe(2)
  })
  it("belongs to hosts as a secret does", async () => {
    const { dotrpc, turnTo } = place(
      { "a.rpc": call("open", '[{ "fromBlock": "{{$env.LISTED}}" }]') },
      { LISTED: "0x10" },
    )
    await dotrpc("run", "a.rpc")
    turnTo(evil.host)
    expect((await dotrpc("run", "a.rpc")).code).toBe(2)
    expect(evil.heard).toEqual([])
  })
})

describe("without any secret", () => {
  it("check finds nothing wrong", async () => {
    const { dotrpc } = place({
      ".env": "",
      "a.rpc": `${call("keyed")}\n${call("open", '[{ "address": {{$secret.KEY}} }]')}`,
    })
    const { code, stdout } = await dotrpc("check", "a.rpc")
    expect(stdout).toBe("1 file, 0 errors, 0 warnings\n")
    expect(code).toBe(0)
  })
  it("a dry run shows prices and hosts, and names what a run needs", async () => {
    const { dotrpc } = place({
      ".env": "",
      "a.rpc": `${call("keyed")}\n${call("open", '[{ "address": {{$secret.OTHER}}, "fromBlock": "{{$env.LISTED}}" }]')}`,
    })
    const { code, stderr, stdout } = await dotrpc("run", "a.rpc", "--dry-run")
    expect(stderr).toBe("dotrpc: warning: a run needs KEY, OTHER, LISTED; set it in the environment or in .env\n")
    expect(stdout).toMatch(new RegExp(`keyed @ ${good.host} .* 255 credits[^]*510 credits in total; nothing was sent`))
    expect(code).toBe(0)
  })
  it("a dry run names nothing that only other requests need", async () => {
    const { dotrpc } = place({ ".env": "", "a.rpc": `${call("keyed")}\n${call("open")}` })
    const { code, stderr } = await dotrpc("run", "a.rpc", "--dry-run", "--name", "open")
    expect([code, stderr]).toEqual([0, ""])
  })
  it("a run refuses what needs it", async () => {
    const { dotrpc } = place({ ".env": "" })
    const { code, stdout } = await dotrpc("run", "a.rpc")
    expect(stdout).toContain("needs the secret KEY")
    expect(code).toBe(2)
  })
})

describe("a plan says where requests go", () => {
  it("to people", async () => {
    const { dotrpc } = place()
    expect((await dotrpc("run", "a.rpc", "--dry-run")).stdout).toContain(`keyed @ ${good.host}`)
  })
  it("to machines", async () => {
    const config = JSON.stringify({
      networks: {
        keyed: { plugin: "evm", url: "https://{{$secret.KEY}}.evil.example/" },
        here: { plugin: "evm", url: "embedded:evm" },
      },
    })
    const { dotrpc } = place({ "rpc.config.json": config, "a.rpc": `${call("keyed")}\n${call("here")}` })
    const { stdout } = await dotrpc("run", "a.rpc", "--dry-run", "--format", "json")
    expect(JSON.parse(stdout).files[0].requests).toMatchObject([{ host: "•••.evil.example" }, { host: null }])
    expect(stdout).not.toContain(canary)
  })
})
