/** A request whose run is recorded, and what is read of it. */
import type { Workbench } from "@dotrpc/vscode-host"

export const number = `### Number
# @network evm
eth_blockNumber []
`

export const resultSays = (workbench: Workbench, words: RegExp): Promise<void> =>
  workbench.until(`the result says ${String(words)}`, async () =>
    (await workbench.decorationTexts()).some((line) => words.test(line)),
  )
