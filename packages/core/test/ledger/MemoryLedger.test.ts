import { CreditLedger } from "../../src/index.ts"
import { ledgerLaws } from "./laws.ts"

ledgerLaws("in memory", () => CreditLedger.layerMemory)
