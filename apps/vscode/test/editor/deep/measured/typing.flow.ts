/**
 * How long a person waits while typing in 5,000 lines. Each time is compared with another from the same window, so that a slow
 * machine slows down both: with plain text, and with the same text under an extension whose lenses never change, as the editor
 * itself takes time for 500 lenses. What a key takes is the work of the page in processor time, which a busy machine changes
 * least; how long it took until it was drawn is only reported.
 */
import { ok } from "node:assert/strict"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { runInHost, withWorkbench, type Workbench } from "@dotrpc/vscode-host"

import { packConstantLenses } from "../../constantLenses.ts"
import { packed } from "../../extension.ts"
import { logFiles, startLogServer } from "../../LogServer.ts"

const request = (number: number): string =>
  `### Transfers ${number}
# @name transfers${number}
@from${number} = first + ${number}
eth_getLogs [{
  "address": {{token}},
  "fromBlock": {{hex(from${number})}},
  "toBlock": "latest",
}]
?? result.length > 0

`

const prelude = '# @network evm\n@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"\n@first = 100\n\n'
const fileOf = (requests: number): string =>
  prelude + Array.from({ length: requests }, (_, index) => request(index + 1)).join("")
const perRequest = 10
const long = 500
const short = 5
const headingOf = (number: number): number => prelude.split("\n").length + (number - 1) * perRequest

const text = fileOf(long)
const files = { "long.rpc": text, "short.rpc": fileOf(short), "long.txt": text, "long.lensed": text }

test("typing in 5,000 lines", async (context) => {
  const extensions = [packed, await packConstantLenses()]
  await withWorkbench({ name: "typing", extensions, files }, async (workbench) => {
    await watch(workbench)
    const ours = new Array<Keys>()
    const plain = new Array<Keys>()
    const lensed = new Array<Keys>()
    // In turns, so that other work of the machine is less likely to slow down only one of them.
    for (let round = 0; round < 3; round++) {
      for (const [name, keys] of [
        ["long.rpc", ours] as const,
        ["long.txt", plain] as const,
        ["long.lensed", lensed] as const,
      ]) {
        await workbench.openFile(name)
        if (keys !== plain) await workbench.lensTitles()
        await goToHeading(workbench, long / 2)
        keys.push(await keyMillis(workbench))
      }
    }
    await workbench.openFile("long.rpc")
    await goToHeading(workbench, long / 2)
    const inLong = await waits(workbench)
    await workbench.openFile("short.rpc")
    await goToHeading(workbench, 2)
    const inShort = await waits(workbench)
    const say = (what: string, measured: number, other: string, beside: number): number => {
      const ratio = measured / beside
      context.diagnostic(
        `${what}: ${measured.toFixed(0)} ms, ${ratio.toFixed(2)} of ${other} (${beside.toFixed(0)} ms)`,
      )
      return ratio
    }
    // Of several rounds the least counts: whatever else the machine does only adds to it.
    for (const part of ["typical", "slow"] as const) {
      const least = (keys: ReadonlyArray<Keys>) => Math.min(...keys.map((measured) => measured[part]))
      say(`a ${part} key under lenses that never change`, least(lensed), "plain text", least(plain))
      const ofPlain = say(`the work of a ${part} key`, least(ours), "plain text", least(plain))
      const ofLensed = say(`the work of a ${part} key`, least(ours), "constant lenses", least(lensed))
      // For 500 lenses that never change, the editor alone may take more than that.
      ok(
        ofPlain <= 1.3 || (ofPlain <= 2 && ofLensed <= 1.15),
        `a ${part} key takes ${ofPlain.toFixed(2)} times the work of one in plain text`,
      )
    }
    const drawn = (all: ReadonlyArray<Keys>) => Math.min(...all.map((measured) => measured.drawn))
    say("a typical key until it is drawn", drawn(ours), "plain text", drawn(plain))
    const problem = say("a key until its problem is marked", inLong.problem, "a file of 50 lines", inShort.problem)
    const suggestion = say("Ctrl+Space until suggestions", inLong.suggestion, "a file of 50 lines", inShort.suggestion)
    ok(problem <= 4, `a problem takes ${problem.toFixed(2)} times as long as in 50 lines`)
    ok(suggestion <= 4, `suggestions take ${suggestion.toFixed(2)} times as long as in 50 lines`)
  })
})

test("the extension host stays small over 25 results of 10,000 rows", async (context) => {
  await using server = await startLogServer(10_000)
  const { "rpc.config.json": config = "", "many.rpc": one = "" } = logFiles(server)
  const many = Array.from({ length: 25 }, (_, index) => one.replaceAll("many", `many${index}`)).join("\n")
  await runInHost({
    entry: fileURLToPath(new URL("../../inHost/manyRows.ts", import.meta.url)),
    extensions: [packed],
    files: { "rpc.config.json": config, "many.rpc": many },
    report: (line) => context.diagnostic(line),
  })
})

async function goToHeading(workbench: Workbench, number: number): Promise<void> {
  await workbench.goToLine(headingOf(number))
  await workbench.page.keyboard.press("End")
  await settled(workbench)
}

/** After this, work that an opened file or a change set off has ended. */
const settled = ({ page }: Workbench): Promise<void> => page.waitForTimeout(1_200)

/** Notes in the page when a key went down, when the frame after it was drawn, and when what it leads to appeared. */
const watch = ({ page }: Workbench): Promise<void> =>
  page.evaluate(() => {
    const marks = { down: 0, drawn: new Array<number>(), awaited: "", appeared: 0 }
    Object.assign(window, { marks })
    const afterFrame = (act: () => void) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel()
        channel.port1.addEventListener("message", act)
        channel.port1.start()
        channel.port2.postMessage(0)
      })
    }
    document.addEventListener(
      "keydown",
      () => {
        const down = performance.now()
        marks.down = down
        afterFrame(() => marks.drawn.push(performance.now() - down))
      },
      true,
    )
    const look = () => {
      if (marks.awaited !== "" && document.querySelector(marks.awaited) !== null) {
        marks.appeared = performance.now() - marks.down
        marks.awaited = ""
      }
      requestAnimationFrame(look)
    }
    look()
  })

declare global {
  interface Window {
    readonly marks: { down: number; drawn: Array<number>; awaited: string; appeared: number }
  }
}

/** Of fifty keys, typed as a person types: milliseconds of the page's processor time, and until a key is drawn. */
interface Keys {
  /** The median. */
  readonly typical: number
  /** The 95th percentile. */
  readonly slow: number
  /** The median until a key is drawn. */
  readonly drawn: number
}

async function keyMillis(workbench: Workbench): Promise<Keys> {
  const { page } = workbench
  const words = " and the quick brown fox jumps over the lazy dog"
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics")
    return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN)
  }
  await page.evaluate(() => window.marks.drawn.splice(0))
  const work = new Array<number>()
  for (const key of words) {
    const before = await spent()
    await page.keyboard.type(key)
    await page.waitForTimeout(60)
    work.push((await spent()) - before)
  }
  await settled(workbench)
  await session.detach()
  const drawn = await page.evaluate(() => window.marks.drawn)
  await page.keyboard.press("Control+Z")
  await settled(workbench)
  return { typical: median(work), slow: quantile(work, 0.95), drawn: median(drawn) }
}

/** Medians of three: from a key to the mark below its line, and from Ctrl+Space to the first suggestion. */
async function waits(workbench: Workbench): Promise<{ readonly problem: number; readonly suggestion: number }> {
  const { page } = workbench
  const problems = new Array<number>()
  const suggestions = new Array<number>()
  for (let round = 0; round < 3; round++) {
    await page.keyboard.press("End")
    await page.keyboard.press("Enter")
    await page.keyboard.type("# @")
    await settled(workbench)
    await page.keyboard.press("Escape")
    suggestions.push(await awaited(workbench, ".suggest-widget.visible .monaco-list-row", "Control+Space"))
    await page.keyboard.press("Escape")
    for (let typed = 0; typed < 3; typed++) await page.keyboard.press("Backspace")
    await settled(workbench)
    problems.push(await awaited(workbench, ".squiggly-error", "]"))
    for (let typed = 0; typed < 2; typed++) await page.keyboard.press("Backspace")
    await settled(workbench)
  }
  return { problem: median(problems), suggestion: median(suggestions) }
}

async function awaited(workbench: Workbench, selector: string, key: string): Promise<number> {
  const { page } = workbench
  await page.evaluate((selector) => Object.assign(window.marks, { awaited: selector, appeared: 0 }), selector)
  await page.keyboard.press(key)
  await workbench.until(`${selector} appears`, () => page.evaluate(() => window.marks.appeared > 0))
  return page.evaluate(() => window.marks.appeared)
}

const median = (values: ReadonlyArray<number>): number => quantile(values, 0.5)

const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length * part)] ?? Number.NaN
