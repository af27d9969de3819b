/** The lens of a scan shows what it is likely to take, once a scan of the same query has run. */
import { match } from "node:assert/strict"
import { test } from "node:test"

import { withFolder } from "../window.ts"

const text = `### Everything
# @network evm
# @name everything
# @all
eth_getLogs [{ "fromBlock": "0x0", "toBlock": "latest" }]
`

test("the lens of a scan shows how many calls it is likely to take, and what they cost", () =>
  withFolder({ name: "likely", files: { "all.rpc": text } }, async (workbench) => {
    await workbench.openFile("all.rpc")
    await workbench.clickLens("Run · ~415+ credits")
    await workbench.inlineThreadText()
    await workbench.until("it is said", async () =>
      (await workbench.lensTitles()).some((title) => title.includes(" calls")),
    )
    const [title = ""] = await workbench.lensTitles()
    match(title, /^Run · ~415\+ credits · ~\d+ calls, ~[\d,]+ credits · [\d,]+ last time$/)
    await workbench.screenshot("lens")
  }))
