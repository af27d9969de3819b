/** Addresses are found in a text in a time that grows with it. */
import { expect, it } from "vitest"
import { defineNetwork, readLabels, withLabels } from "../../src/index.ts"

const labels = readLabels({ "0x5fbdb2315678afecb367f032d93f642f64180aa3": "Token" })
const network = defineNetwork({ id: "a", plugin: "evm", labels })

it("80,000 characters are read in linear time", () => {
  const began = performance.now()
  for (const text of ["0x", "0x1", "a", "0x".repeat(2), "1"]) withLabels(network, text.repeat(80_000 / text.length))
  expect(performance.now() - began).toBeLessThan(2_000)
})
