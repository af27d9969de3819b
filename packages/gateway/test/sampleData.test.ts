import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { IMPLEMENTATION_SLOT } from "../src/chain/generate/contracts/exchangeProxy.ts"
import {
  generateAccounts,
  sampleContracts,
  sampleDelegates,
  sampleL2Contracts,
  sampleMints,
  selectorOf,
} from "../src/index.ts"

const document = readFileSync(new URL("../../../docs/gateway.md", import.meta.url), "utf8")

test.each([
  ...Object.values(sampleContracts),
  ...Object.values(sampleDelegates),
  ...Object.values(sampleMints),
  ...Object.values(sampleL2Contracts),
  IMPLEMENTATION_SLOT,
  selectorOf("Transfer"),
  selectorOf("Approval"),
])("%s is named in the document on the gateway", (name) => {
  expect(document).toContain(`\`${name}\``)
})

test("the document names the slots of the accounts network", () => {
  const accounts = generateAccounts()
  for (const commitment of ["finalized", "confirmed", "processed"] as const) {
    expect(document).toContain(String(accounts.slot(commitment)))
  }
})
