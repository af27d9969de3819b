import { parse } from "@dotrpc/lang"
import { Evm } from "@dotrpc/plugin-evm"
import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Analysis, analyze, makeWorkspace } from "../src/index.ts"
import { workspace } from "./workspace.ts"

const text = `# @network evm
@token = "0x5fbdb2315678afecb367f032d93f642f64180aa3"
@wrong = missing + 1

### Logs
# @name logs
@from = hex(100)
eth_getLogs [{ "address": {{token}}, "fromBlok": {{from}} }]
?? result.lenght > 0

### Receipt
# @ref logs
eth_getTransactionReceipt [{{logs.reslt[0].transactionHash}}]

### Again
@from = nothing
eth_getLogs [{ "fromBlock": {{from}} }]

### Again
@from = nothing
eth_getLogs [{ "fromBlock": {{from}} }]

### Notes
@x = other
`

const shared = workspace()

describe("an analysis with the one before it", () => {
  const checkSame = (steps: ReadonlyArray<string>) => {
    let before: Analysis | undefined
    for (const step of steps) {
      const parsed = parse(step)
      before = analyze(parsed, shared, { before })
      expect(before).toEqual(analyze(parsed, shared))
    }
  }
  const check = (what: string, ...steps: ReadonlyArray<string>) => it(what, () => checkSame(steps))

  check("of the same text", text, text)
  check("after a change inside one section", text, text.replace("lenght", "length"), text.replace("100", "2000"))
  check("after a line above every section", text, `\n${text}`, `# words\n${text}`)
  check(
    "after a section more and a section less",
    text,
    text.replace("### Receipt", "### New\neth_getLogs [{}]\n\n### Receipt"),
    text,
  )
  check(
    "after a name has come, gone and changed",
    text,
    text.replace("@name logs", "@name log"),
    text.replace("# @name logs\n", ""),
    text,
  )
  check(
    "after a cycle has closed",
    text,
    text.replace("{{token}}", "{{b.result}}").replace("# @ref logs", "# @ref logs\n# @name b"),
  )
  check("after two sections have become the same", text, text.replace("### Notes", "### Again"))

  it("after any edit is the same as without it", () => {
    const word = fc.constantFrom(
      "",
      "\n",
      "### n\n",
      "# @name logs\n",
      "# @network l2\n",
      "@token = 1\n",
      "{{from}}",
      "?? logs",
      '"',
      "]",
      "🎈",
    )
    const edit = fc.record({ at: fc.nat(text.length), remove: fc.nat(40), word })
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
        let current = text
        const steps = edits.map(({ at, remove, word: inserted }) => {
          current = current.slice(0, at) + inserted + current.slice(at + remove)
          return current
        })
        checkSame([text, ...steps])
      }),
      { numRuns: runs(150) },
    )
  })

  it("checks the params of changed sections only", () => {
    let checked = 0
    const counting = {
      ...Evm.GetLogs,
      issues: (...args: Parameters<typeof Evm.GetLogs.issues>) => {
        checked++
        return Evm.GetLogs.issues(...args)
      },
    }
    const { workspace: counted } = makeWorkspace({ plugins: [{ ...Evm.plugin, methods: [counting] }], now: 0 })
    const file = '### a\neth_getLogs [{}]\n### b\neth_getLogs [{ "fromBlock": "0x1" }]\n'
    const before = analyze(parse(file), counted)
    expect(checked).toBe(2)
    analyze(parse(file.replace("0x1", "0x2")), counted, { before })
    expect(checked).toBe(3)
    analyze(parse(`\n${file}`), counted, { before })
    expect(checked).toBe(5)
  })
})
