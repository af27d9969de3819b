import { describe, expect, it } from "vitest"
import { analyzeText } from "./workspace.ts"

const token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
const logs = "eth_getLogs [{}]\n"

describe("# @units", () => {
  const check = (
    title: string,
    text: string,
    expected: {
      readonly problems?: ReadonlyArray<string>
      readonly token?: string | undefined
      readonly price?: string | undefined
    },
  ) =>
    it(title, () => {
      const { diagnostics, requests } = analyzeText(text)
      expect(diagnostics.map(({ code, start, end }) => `${code} ${text.slice(start, end)}`)).toEqual(
        expected.problems ?? [],
      )
      const [request] = requests
      expect(request?.units?.token).toBe(expected.token)
      if (expected.price !== undefined)
        expect(`${request?.price?.min}–${request?.price?.max ?? ""}`).toBe(expected.price)
    })
  check("takes an address, and its two calls are in the price", `###\n# @units ${token}\n${logs}`, {
    token,
    price: "255–415",
  })
  check("takes an address with a checksum", `###\n# @units 0x5FbDB2315678afecb367f032d93F642f64180aa3\n${logs}`, {
    token,
  })
  check("takes a variable", `@token = "${token}"\n###\n# @units token\n${logs}`, { token })
  check("takes a variable in braces", `###\n# @units {{ token }}\n@token = "${token}"\n${logs}`, { token })
  check("stands above all sections", `# @units ${token}\n###\n${logs}`, { token })
  check("is replaced in a section", `# @units 0x${"1".repeat(40)}\n###\n# @units ${token}\n${logs}`, { token })
  check("costs no more than its budget where all is read", `###\n# @units ${token}\n# @all\n# @budget 500\n${logs}`, {
    token,
    price: "415–500",
  })
  check("refuses a symbol", `###\n# @units USDC\n${logs}`, { problems: ["A313 USDC"] })
  check("refuses half an address", `###\n# @units 0x1234\n${logs}`, { problems: ["A313 0x1234"] })
  check("refuses a variable that is not an address", `@token = 7\n###\n# @units token\n${logs}`, {
    problems: ["A313 token"],
  })
  check("refuses a secret", `###\n# @units {{$secret.TOKEN}}\n${logs}`, { problems: ["A313 {{$secret.TOKEN}}"] })
  check("has no effect on other families", `###\n# @network l2\n# @units ${token}\nl2_blockNumber []\n`, {
    problems: [`A314 ${token}`],
  })
  check("above all sections reports none there", `# @units ${token}\n###\n# @network l2\nl2_blockNumber []\n`, {})
})
