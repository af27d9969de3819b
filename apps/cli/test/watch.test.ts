/** `dotrpc watch`: what it runs, when, and what makes it stop. */
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dotrpc as command } from "../src/dotrpc.ts"
import { hostAt, startAt } from "./dotrpc.ts"
import { temporaryFolder } from "./folders.ts"
import { Printed } from "./running.ts"

const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, "rpc.config.json"),
    JSON.stringify({ networks: { evm: { plugin: "evm", url: "embedded:evm" } } }),
  )
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const block = (number: string) => `### block\n# @name block\neth_getBlockByNumber ["${number}", false]\n`

const timeout = 60_000

/** What reads files goes on for some turns. */
const settled = async () => {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe("a watch", () => {
  it(
    "shows the price of an hour first, runs at the interval, and never starts a run that could cross its limit",
    async () => {
      const folder = folderOf({ "a.rpc": block("0x1") })
      const args = ["--every", "1s", "--max-credits", "200"]
      const { code, stderr, stdout } = await startAt({ cwd: folder }, "watch", "a.rpc", ...args).outcome
      expect(stdout.split("\n")[0]).toBe(
        "80 credits a run; every 1 s that is up to 288,000 credits an hour; Ctrl-C stops",
      )
      expect(stdout).toMatch(/2 runs, 160 credits spent; nothing changed/)
      expect(stderr).toContain(
        "stopped after 2 runs: the next run may cost 80 credits, and 40 credits of --max-credits are left",
      )
      expect(code).toBe(4)
    },
    timeout,
  )

  it(
    "runs when a file or one that it imports changes, and shows what is new",
    async () => {
      const folder = folderOf({
        "a.rpc": '# @import ./b.rpc\n### block\neth_getBlockByNumber ["{{number}}", false]\n',
        "b.rpc": '@number = "0x1"\n',
      })
      const running = startAt({ cwd: folder }, "watch", "a.rpc")
      await running.printed("1 run, 80 credits spent")
      writeFileSync(join(folder, "b.rpc"), '@number = "0x2"\n')
      utimesSync(join(folder, "b.rpc"), new Date(), new Date(Date.now() + 5_000))
      await running.printed("2 runs, 160 credits spent; 1 changed")
      running.interrupt()
      const { code, stderr, stdout } = await running.outcome
      expect(stdout).toContain('- result.number: "0x1"')
      expect(stdout).toContain('+ result.number: "0x2"')
      expect(stderr).toContain("stopped after 2 runs: 160 credits spent")
      expect(code).toBe(130)
    },
    timeout,
  )

  it(
    "shows the result of a request that was added",
    async () => {
      const folder = folderOf({ "a.rpc": block("0x1") })
      const running = startAt({ cwd: folder }, "watch", "a.rpc", "--every", "1h")
      await running.printed("1 run, 80 credits spent")
      writeFileSync(join(folder, "a.rpc"), `${block("0x1")}### chain\neth_chainId []\n`)
      await running.printed("; 1 new")
      running.interrupt()
      const { stdout } = await running.outcome
      expect(stdout).toContain("; every 1 h that is up to")
      expect(stdout).toMatch(/\n\+ a\.rpc: chain\n {4}\+ result: "0x/)
    },
    timeout,
  )

  it(
    "sends nothing while a file has an error, and runs once it is corrected",
    async () => {
      const folder = folderOf({ "a.rpc": "### block\neth_getBlockByNumbr []\n" })
      const running = startAt({ cwd: folder }, "watch", "a.rpc", "--every", "1s", "--format", "ndjson")
      await running.printed("waiting for a change")
      writeFileSync(join(folder, "a.rpc"), block("0x1"))
      await running.printed("1 run, 80 credits spent")
      running.interrupt()
      const { code, stderr, stdout } = await running.outcome
      const [line = ""] = stdout.split("\n")
      expect(JSON.parse(line)).toMatchObject({ name: "block", status: "ok", credits: 80 })
      expect(stderr).toContain("unknown method")
      expect(code).toBe(130)
    },
    timeout,
  )

  it(
    "reads files that are gone once, and again when they are back",
    async () => {
      const folder = folderOf({ "a.rpc": block("0x1") })
      const printed = new Printed()
      const gone = () => printed.stderr.split("a.rpc").length - 1
      const look = Effect.andThen(TestClock.adjust("500 millis"), Effect.promise(settled))
      const program = Effect.gen(function* () {
        const running = yield* Effect.forkChild(command(["watch", "a.rpc"], hostAt({ cwd: folder }, printed)))
        const until = (isSo: () => boolean) => Effect.repeat(look, { until: () => isSo() })
        yield* until(() => printed.stdout.includes("1 run, 80 credits spent"))
        rmSync(join(folder, "a.rpc"))
        yield* until(() => gone() > 0)
        const said = gone()
        yield* Effect.repeat(look, { times: 20 })
        expect(gone()).toBe(said)
        writeFileSync(join(folder, "a.rpc"), block("0x2"))
        yield* until(() => printed.stdout.includes("2 runs, 160 credits spent; 1 changed"))
        yield* Fiber.interrupt(running)
      })
      await Effect.runPromise(Effect.provide(program, TestClock.layer()))
    },
    timeout,
  )

  it.each([
    ["a file that it imports", ["a.rpc"], '# @import ./b.rpc\n### block\neth_getBlockByNumber ["{{number}}", false]\n'],
    ["one of two files", ["a.rpc", "b.rpc"], block("0x1")],
  ])(
    "waits for %s to be back",
    async (_, files, text) => {
      const folder = folderOf({ "a.rpc": text, "b.rpc": '@number = "0x1"\n### chain\neth_chainId []\n' })
      const running = startAt({ cwd: folder }, "watch", ...files, "--format", "ndjson")
      await running.printed("1 run, ")
      rmSync(join(folder, "b.rpc"))
      await running.printed(files.length === 1 ? "waiting for a change" : "2 runs, ")
      writeFileSync(join(folder, "b.rpc"), '@number = "0x2"\n### chain\neth_chainId []\n')
      await running.printed(files.length === 1 ? "2 runs, " : "3 runs, ")
      running.interrupt()
      expect((await running.outcome).code).toBe(130)
    },
    timeout,
  )

  const check = (title: string, args: ReadonlyArray<string>, message: string) =>
    it(title, async () => {
      const { code, stderr } = await startAt({ cwd: folderOf({ "a.rpc": block("0x1") }) }, "watch", ...args).outcome
      expect(stderr).toContain(message)
      expect(code).toBe(2)
    })
  check("refuses an interval that is not a duration", ["a.rpc", "--every", "often"], "a duration of 1s or more")
  check("refuses to run more than once a second", ["a.rpc", "--every", "10ms"], "a duration of 1s or more")
  check("refuses a file that is not there", ["b.rpc"], "b.rpc")
})
