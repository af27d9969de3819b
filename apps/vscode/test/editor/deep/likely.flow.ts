/** The tooltip of a scan says what it is likely to take, once a scan of the same query has run. */
import { equal, match } from "node:assert/strict"
import { test } from "node:test"

import { withFolder } from "../window.ts"

const text = `### Everything
# @network evm
# @name everything
# @all
eth_getLogs [{ "fromBlock": "0x0", "toBlock": "latest" }]
`

test("the tooltip of a scan says how many calls it is likely to take, and what they cost", () =>
  withFolder({ name: "likely", files: { "all.rpc": text } }, async (workbench) => {
    await workbench.openFile("all.rpc")
    await workbench.clickLens("Run · 415+ credits")
    await workbench.inlineThreadText()
    await workbench.until("it is said", async () =>
      (await workbench.lensTooltips()).some((tooltip) => tooltip.includes(" calls")),
    )
    equal((await workbench.lensTitles())[0], "Run · 415+ credits")
    const [tooltip = ""] = await workbench.lensTooltips()
    match(tooltip, /^Likely ~?[\d,]+ credits in ~?\d+ calls\.\nIt cost [\d,]+ credits last time\.\n/)
    await workbench.screenshot("lens")
  }))
