import { CreditLedger } from "../../src/index.ts"
import { ledgerLaws } from "./laws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"
import { localStores } from "./stores.ts"
import { textLaws } from "./textLaws.ts"

ledgerLaws("in memory", () => CreditLedger.layerMemory)
for (const { name, places } of localStores) {
  const place = places()
  ledgerLaws(name, () => place().layer)
  sharedLedgerLaws(name, () => place().layer)
  textLaws(name, place)
}
