/** An error on a console, as somebody sees it who did not catch it. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import { RpcError, RpcReason } from "../src/index.ts"

const reason = new RpcReason.BudgetRefused({ limit: "# @budget", allowed: 100, spent: 0, needed: 255 })
const error = new RpcError({ method: "eth_getLogs", network: "evm", outcome: "unsent", reason })
const message =
  "eth_getLogs on evm: refused: the call needs 255 credits, and # @budget of 100 has 100 left. Nothing was sent."
const shown = `RpcError RPC-2004: ${message}\n  Raise # @budget to at least 255, or make the request cheaper.`

describe("a console shows the message, the code and the advice", () => {
  const check = (name: string, value: unknown, expected: string) =>
    it(name, () => expect(inspect(value)).toContain(expected))
  check("of an error", error, shown)
  check("of one inside another value", { a: { b: { c: error } } }, `RpcError RPC-2004: ${message}`)
  check("of the cause of another one", new Error("outer", { cause: error }), "[cause]: RpcError RPC-2004")

  it("with the place it comes from, and without the fields that the message says", () => {
    const text = inspect(error)
    expect(text).toMatch(/\n {4}at .*RpcError\.test\.ts/)
    expect(text).not.toContain("outcome")
  })

  it("of one that nobody caught", () => {
    const spec = fileURLToPath(new URL("../src/index.ts", import.meta.url))
    const script = `
      import { RpcError, RpcReason } from ${JSON.stringify(spec)}
      throw new RpcError({ method: "eth_getLogs", network: "evm", outcome: "unsent",
        reason: new RpcReason.BudgetRefused({ limit: "# @budget", allowed: 100, spent: 0, needed: 255 }) })`
    const args = ["--conditions=dotrpc-source", "--input-type=module", "--eval", script]
    let printed = ""
    try {
      execFileSync(process.execPath, args, { stdio: "pipe", encoding: "utf8" })
    } catch (failed) {
      printed = String((failed as { readonly stderr?: unknown }).stderr)
    }
    expect(printed).toContain(message)
    expect(printed).toContain("RPC-2004")
  })
})
