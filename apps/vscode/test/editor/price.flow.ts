/** The price above a request is what a click on it pays: the ledger is compared with the lens, for every request of examples. */
import { equal, match, ok } from "node:assert/strict"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import type { Workbench } from "@dotrpc/vscode-host"

import { inTerminal } from "./terminal.ts"
import { withWindow } from "./window.ts"

const examples = fileURLToPath(new URL("../../../../examples", import.meta.url))

/** In a landing, those in which requests read from each other in each way. */
const inLanding = new Set(["quickstart.rpc", "rows.rpc"])

const table = readdirSync(examples).filter(
  (name) => name.endsWith(".rpc") && (process.env["TEST_DEEP"] === "1" || inLanding.has(name)),
)

const files: Readonly<Record<string, string>> = {
  "rpc.config.json": '{ "ledger": "file" }',
  ...Object.fromEntries(
    ["", "abi"].flatMap((folder) =>
      readdirSync(join(examples, folder))
        .filter((name) => /\.(rpc|csv|snap|json)$/.test(name) && statSync(join(examples, folder, name)).isFile())
        .filter((name) => !["package.json", "tsconfig.json", "turbo.json"].includes(name))
        .map((name) => [join(folder, name), readFileSync(join(examples, folder, name), "utf8")]),
    ),
  ),
}

/** All lenses of a file are in view; a busy editor may miss that its window has grown. */
const makeTall = async ({ page }: Workbench): Promise<void> => {
  for (const height of [3_900, 4_000]) await page.setViewportSize({ width: 1400, height })
}

const balance = async (workbench: Workbench): Promise<{ readonly spent: number; readonly reserved: number }> =>
  JSON.parse(await inTerminal(workbench, "credits", "--format", "json"))

interface Paid {
  readonly title: string
  readonly spent: number
}

/** Measures what each click pays. Windows before this one may have paid from the same balance. */
const makeMeter = async (workbench: Workbench) => {
  let total = (await balance(workbench)).spent
  /** Does something that runs the request of a lens, and waits until all that is sent is paid for. */
  const paidBy = async (index: number, act: () => Promise<void>): Promise<Paid> => {
    const title = (await workbench.lensTitles())[index] ?? ""
    const before = total
    await act()
    // The lens may not know yet that it runs: what is spent twice in a row, with nothing in flight, is all of it.
    await workbench.until(`"${title}" is paid for`, async () => {
      const last = total
      const { reserved, spent } = await balance(workbench)
      total = spent
      const titles = await workbench.lensTitles()
      return titles.every((now) => now.startsWith("Run · ")) && reserved === 0 && spent > before && spent === last
    })
    return { title, spent: total - before }
  }
  return { paidBy, click: (index: number) => paidBy(index, () => workbench.clickLens("", index)) }
}

const isHeld = ({ spent, title }: Paid): boolean => {
  const [, min = "none", more = "", max = min] = /^Run · ~?([\d,]+)(–([\d,]+)|\+)? credits/.exec(title) ?? []
  const numberOf = (text: string) => Number(text.replaceAll(",", ""))
  return numberOf(min) <= spent && (more === "+" || spent <= numberOf(max))
}

for (const name of table)
  test(`a click pays the price that stands above it: ${name}`, () =>
    withWindow({ name: `price-${name.replace(".rpc", "")}`, files }, async (workbench) => {
      await workbench.openFile(name)
      const count = (files[name] ?? "").split(/^###/m).length - 1
      await workbench.until("every request has its price", async () => {
        await makeTall(workbench)
        const titles = await workbench.lensTitles()
        return titles.length === count && titles.every((title) => /^Run · ~?\d/.test(title))
      })
      const { click } = await makeMeter(workbench)
      // From the last one on: what is read from runs first, and is used afterwards.
      for (let index = count - 1; index >= 0; index--) {
        await makeTall(workbench)
        const paid = await click(index)
        ok(isHeld(paid), `${paid.title}: ${paid.spent} credits were spent`)
      }
    }))

const chain = `@last = "0x65"

### Logs
# @network evm
# @name logs
eth_getLogs [{ "fromBlock": "0x64", "toBlock": {{last}} }]

### Receipt
# @network evm
# @name receipt
eth_getTransactionReceipt [{{logs.result[0].transactionHash}}]
`

test("a result on the screen is used instead of being paid for again, until a value of it changes", () =>
  withWindow(
    { name: "price-again", files: { "rpc.config.json": '{ "ledger": "file" }', "a.rpc": chain } },
    async (workbench) => {
      const { page } = workbench
      const lensSays = (price: string) =>
        workbench.until(`the lens says ${price}`, async () => (await workbench.lensTitles())[1] === `Run · ${price}`)
      const tooltip = async () => (await workbench.lensTooltips())[1] ?? ""
      const look = async (name: string) => {
        for (const width of [1400, 900]) {
          await page.setViewportSize({ width, height: 800 })
          await page.locator(".codelens-decoration a").nth(1).hover()
          await workbench.screenshot(`${name}-${width}`)
        }
      }
      const { click, paidBy } = await makeMeter(workbench)
      await workbench.openFile("a.rpc")
      await lensSays("335 credits")
      match(await tooltip(), /^Runs logs \(255 credits\) first; this request alone is 80 credits\.\n/)
      await look("first")
      equal((await click(1)).spent, 335)

      await lensSays("80 credits")
      match(await tooltip(), /^Uses the result of logs \(from [^)]*:[^)]*\) instead of paying again\.\n/)
      await look("used")
      equal((await click(1)).spent, 80)

      await workbench.goToLine(11)
      equal((await paidBy(1, () => workbench.runCommand("dotrpc: Run Again with Its Sources"))).spent, 335)

      await workbench.goToLine(1)
      for (const key of ["End", "ArrowLeft", "Backspace", "6"]) await page.keyboard.press(key)
      await lensSays("335 credits")
      match(await tooltip(), /Pays for logs again: what is shown is outdated, of other values, or not ok\./)
      await look("changed")
      equal((await click(1)).spent, 335)
    },
  ))
