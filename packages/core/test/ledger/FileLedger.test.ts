import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { CreditLedger } from "../../src/index.ts"
import { ledgerLaws } from "./laws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-ledger-"))
let files = 0
const place = () => {
  const path = join(folder, `${files++}`, "credits.sqlite")
  return (options: CreditLedger.SharedOptions) => CreditLedger.layerFile(path, options)
}
afterAll(() => rmSync(folder, { recursive: true }))

ledgerLaws("in a file", place)
sharedLedgerLaws("in a file", place)
