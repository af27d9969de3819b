/**
 * Whether, when and how often something is sent depends on no secret that its host may not have. Each attack is a page whose
 * sections ask about one secret, number by number, so that a host that hears some of them knows it.
 */
import { writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"

interface Listener {
  readonly server: Server
  readonly host: string
  readonly heard: Array<string>
}

const listener = async (): Promise<Listener> => {
  const heard: Array<string> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk: Buffer) => (body += chunk.toString()))
    request.on("end", () => {
      heard.push(body)
      response.end(`{"jsonrpc":"2.0","id":${/"id":(\d+)/.exec(body)?.[1] ?? "1"},"result":"0x1"}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

let good: Listener
let evil: Listener
beforeAll(async () => {
  good = await listener()
  evil = await listener()
})
afterAll(() => {
  good.server.close()
  evil.server.close()
})

/** The secret is one of these numbers; a section for each asks whether it is less. */
const numbers = [1, 2, 3]
const each = (section: (number: number) => string): string => numbers.map(section).join("\n")
const balance = (block: number | string) => `eth_getBalance ["0x${"a".repeat(40)}", "0x${block}"]`
/** Sent to the host that may not have the secret. */
const sent = (number: number, lines = "") => `### sent ${number}\n# @network evil\n${lines}${balance(number)}\n`
/** Answered in this process, with a name. */
const inside = (number: number, lines: string, call = balance("1")) =>
  `### asks ${number}\n# @network inside\n# @name asks${number}\n${lines}${call}\n`
/** Wrong where the secret is less. */
const wrongBelow = (number: number) => `hex($env.LISTED - ${number})`

interface Attack {
  readonly files: Readonly<Record<string, string>>
  readonly args?: ReadonlyArray<string> | undefined
  /** What runs the files. */
  readonly command?: ReadonlyArray<string> | undefined
  readonly config?: Readonly<Record<string, unknown>> | undefined
}

const place = ({ config = {}, files }: Attack, key: string) => {
  const folder = temporaryFolder()
  const settings = {
    env: ["LISTED"],
    networks: {
      inside: { plugin: "evm", url: "embedded:evm" },
      good: { plugin: "evm", url: `http://${good.host}/{{$secret.KEY}}` },
      evil: { plugin: "evm", url: `http://${evil.host}/` },
    },
    ...config,
  }
  const write = (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) writeFileSync(join(folder, name), text)
  }
  const used = `### used\n# @network good\neth_getBalance ["0x${"a".repeat(40)}", {{$env.LISTED}}]\n`
  write({ "rpc.config.json": JSON.stringify(settings), ".env": `KEY=${key}\nLISTED=${key}\n`, "used.rpc": used })
  write(files)
  const env = { XDG_DATA_HOME: temporaryFolder(), XDG_CACHE_HOME: temporaryFolder(), DOTRPC_ALLOW_HOSTS: "" }
  const dotrpc = (ci: string, ...args: ReadonlyArray<string>) =>
    startAt({ cwd: folder, env: { ...env, CI: ci } }, ...args).outcome
  return { dotrpc }
}

describe("a host learns nothing of a secret that it may not have", () => {
  const check = (way: string, attack: Attack) =>
    it(way, async () => {
      const { args = ["a.rpc"], command = ["run"] } = attack
      let said = ""
      for (const key of ["0x1", "0x3"]) {
        evil.heard.length = 0
        const { dotrpc } = place(attack, key)
        const before = await dotrpc("", "run", "used.rpc", "--allow-host", `http://${good.host}`)
        expect(before.code, before.stdout).toBe(0)
        const { stderr, stdout } = await dotrpc("true", ...command, ...args)
        expect(evil.heard, stdout).toEqual([])
        said += stdout + stderr
      }
      // Where the secret makes a page wrong, that is said instead.
      expect(said).toContain(`--allow-host http://${evil.host}`)
    })
  const page = (text: string, ...args: ReadonlyArray<string>): Attack => ({
    files: { "a.rpc": text },
    args: ["a.rpc", ...args],
  })

  check("by a check that is wrong for some of its values", page(each((n) => sent(n, `?? ${wrongBelow(n)} != ""\n`))))
  check(
    "by a check that holds for some of them",
    page(
      each((n) => sent(n, `?? $env.LISTED > ${n}\n`)),
      "--bail",
    ),
  )
  check("by a variable that nothing uses", page(each((n) => sent(n, `@unused = {{${wrongBelow(n)}}}\n`))))
  check("by a section without a call", page(`### none\n@own = {{${wrongBelow(2)}}}\n\n${sent(1, "")}`))
  check(
    "by a section that is not selected",
    page(`${inside(2, `?? ${wrongBelow(2)} != ""\n`)}\n${sent(1, "")}`, "--name", "sent 1"),
  )
  check("by a file that is imported for nothing", {
    files: {
      "lent.rpc": `### none\n@own = {{${wrongBelow(2)}}}\n`,
      "a.rpc": `# @import ./lent.rpc\n${sent(1, "")}`,
    },
  })
  check(
    "by a variable of the file, in a check",
    page(`@key = {{$env.LISTED}}\n${each((n) => sent(n, `?? hex(key - ${n}) != ""\n`))}`),
  )
  check("by a variable of another file, in a check", {
    files: {
      "lent.rpc": "@key = {{$env.LISTED}}\n",
      "a.rpc": `# @import ./lent.rpc\n${each((n) => sent(n, `?? hex(key - ${n}) != ""\n`))}`,
    },
  })
  check(
    "by the name of a member of the params",
    page(
      each((n) =>
        `### a\n# @network evil\neth_getLogs [{ "{{${wrongBelow(n)}}}": "" }]\n# @unchecked\n`.replace("Logs", "Own"),
      ),
    ),
  )
  check(
    "by a check about all rows",
    page(each((n) => sent(n, `# @each rows\n?? every(${wrongBelow(n)} != "")\n`)).replace(/^/, "@rows = [1, 2]\n")),
  )
  check(
    "by the rows themselves",
    page(
      `@lists = [[], [1], [1, 2], [1, 2, 3]]\n@rows = {{lists[number($env.LISTED)]}}\n### a\n# @network evil\n# @each rows\n${balance("1")}\n`,
    ),
  )
  check(
    "by the token of its units",
    page(
      `@tokens = ["", "0x${"a".repeat(40)}", "0x${"b".repeat(40)}", ""]\n@token = {{tokens[number($env.LISTED)]}}\n${sent(1, "# @units {{token}}\n")}`,
    ),
  )
  check(
    "by the params of a request that it needs",
    page(
      each((n) =>
        [
          inside(n, "", `eth_getBalance ["0x${"a".repeat(40)}", {{${wrongBelow(n)}}}]`),
          sent(n, `# @ref asks${n}\n`),
        ].join("\n"),
      ),
    ),
  )
  check(
    "by a check of a request that it needs",
    page(each((n) => inside(n, `?? ${wrongBelow(n)} != ""\n`) + sent(n, `# @ref asks${n}\n`))),
  )
  check(
    "by the result of a request that it needs",
    page(
      `${inside(1, "", "eth_getBlockByNumber [{{hex($secret.KEY)}}, false]")}
### sent\n# @network evil\neth_getBalance ["0x${"a".repeat(40)}", {{asks1.result.number}}]\n`,
    ),
  )
  check(
    "by the rows of a result",
    page(
      `${inside(1, "", 'eth_getLogs [{ "fromBlock": "0x1", "toBlock": {{hex($secret.KEY)}} }]')}
### sent\n# @network evil\n# @each asks1.result\n${balance("1")}\n`,
    ),
  )
  check(
    "by whether an earlier request passes, with --bail",
    page(
      each((n) => inside(n, `?? $env.LISTED > ${n}\n`) + sent(n)),
      "--bail",
    ),
  )
  for (const command of [["scan"], ["scan", "--dry-run", "--probe"], ["backfill", "start", "--output", "logs"]]) {
    const words = command.join(" ")
    const logs = (more: string) =>
      `### sent\n# @network evil\neth_getLogs [{ "fromBlock": "0x1", "toBlock": "0x2"${more} }]\n`
    const scanned = (text: string): Attack => ({ files: { "a.rpc": text }, command })
    check(`by a variable that nothing uses, in ${words}`, scanned(`@unused = {{${wrongBelow(2)}}}\n${logs("")}`))
    check(`by a check, in ${words}`, scanned(`${logs("")}?? ${wrongBelow(2)} != ""\n`))
    check(`by another section, in ${words}`, {
      files: { "a.rpc": `${logs("")}\n${inside(1, `?? ${wrongBelow(2)} != ""\n`)}` },
      args: ["a.rpc", "--name", "sent"],
      command,
    })
  }
  check("by whether a request of an earlier file passes, with --bail", {
    files: { "a.rpc": inside(1, "?? $env.LISTED > 1\n"), "b.rpc": sent(1) },
    args: ["a.rpc", "b.rpc", "--bail"],
  })
  check(
    "by whether a row passes, with --bail",
    page(
      `@rows = [1, 2, 3]\n### a\n# @network evil\n# @each rows\n${balance("{{row}}")}\n?? $env.LISTED > row\n`,
      "--bail",
    ),
  )
  check(
    "by what an earlier request leaves of --max-credits",
    page(each((n) => inside(n, `?? ${wrongBelow(n)} != ""\n`)) + sent(4), "--max-credits", "20"),
  )
  check(
    "by how long an earlier request is checked",
    page(each((n) => inside(n, `?? $env.LISTED > ${n} && result >= 0\n`) + sent(n))),
  )
  check("by a later request, which may go first", page(sent(1) + inside(1, "?? $env.LISTED > 1\n"), "--parallel", "2"))
  check(
    "by a comparison that is decided before it runs, with --strict",
    page(
      each((n) => sent(n, `?? $env.LISTED > ${n}\n`)),
      "--strict",
    ),
  )
  check(
    "by whether a request is left out that needs another one",
    page(
      `${sent(1, "# @name one\n")}### skipped\n# @skip\n# @name skipped\n# @network inside\n${balance("1")}\n` +
        inside(2, `# @only\n# @ref skipped\n# @ref one\n?? ${wrongBelow(2)} != ""\n`),
    ),
  )
})

describe("a host that may have a secret", () => {
  it("is sent all of a page whose checks read it", async () => {
    const text = each((n) => sent(n, `?? $env.LISTED > ${n}\n`)).replaceAll("evil", "good")
    const { dotrpc } = place({ files: { "a.rpc": text } }, "0x9")
    await dotrpc("", "run", "used.rpc", "--allow-host", `http://${good.host}`)
    good.heard.length = 0
    const { code, stderr } = await dotrpc("true", "run", "a.rpc")
    expect([code, stderr, good.heard.length]).toEqual([0, "", numbers.length])
  })
  it("is not asked about where a file of its own sends to it", async () => {
    const files = { "a.rpc": inside(1, "?? $env.LISTED > 1\n"), "b.rpc": sent(1) }
    const { dotrpc } = place({ files }, "0x9")
    await dotrpc("", "run", "used.rpc", "--allow-host", `http://${good.host}`)
    evil.heard.length = 0
    expect((await dotrpc("true", "run", "b.rpc")).code).toBe(0)
    expect(evil.heard.length).toBe(1)
  })
})
