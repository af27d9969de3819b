import { CreditLedger } from "../../src/index.ts"
import { ledgerLaws } from "./laws.ts"
import { sharedLedgerLaws } from "./sharedLaws.ts"
import { localStores } from "./stores.ts"
import { textLaws } from "./textLaws.ts"

/** Texts that any number of ledgers have in common. */
const amongTexts = () => {
  const kept = new Map<string, string>()
  const texts: CreditLedger.Texts = {
    get: (name) => kept.get(name),
    update: (name, text) => Promise.resolve(void kept.set(name, text)),
  }
  return (options: CreditLedger.SharedOptions) => CreditLedger.layerTexts(texts, options)
}

ledgerLaws("in memory", () => CreditLedger.layerMemory)
ledgerLaws("among texts", amongTexts)
sharedLedgerLaws("among texts", amongTexts)
for (const { name, places } of localStores) {
  const place = places()
  ledgerLaws(name, () => place().layer)
  sharedLedgerLaws(name, () => place().layer)
  textLaws(name, place)
}
