import { ledgerLaws } from "./laws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"
import { serverStores } from "./stores.ts"
import { textLaws } from "./textLaws.ts"

for (const { name, places } of serverStores) {
  const place = places()
  ledgerLaws(name, () => place().layer)
  sharedLedgerLaws(name, () => place().layer)
  textLaws(name, place)
}
