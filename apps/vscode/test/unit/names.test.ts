/** Names of accounts: how long they are kept, where they apply, and where a page shows them. */
import { defineNetwork, type KeptText } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"

import { endpointOf, KeptNames } from "../../src/names/KeptNames.ts"
import { KnownNames } from "../../src/renderer/KnownNames.ts"
import { labelIn } from "@dotrpc/report"

const network = (url: string) => defineNetwork({ id: "main", plugin: "evm", chainId: 1, url })
const mainnet = network("https://mainnet.example/v3/key")
const local = network("http://127.0.0.1:8545")
const account = (digit: string) => `0x${digit.repeat(40)}`
const hour = 3_600_000

const state = (): KeptText => {
  let stored: string | undefined
  return { read: () => stored, write: async (text) => void (stored = text) }
}
const found = {
  known: [account("1"), account("2"), account("3")],
  names: new Map([
    [account("1"), "treasury.eth"],
    [account("2"), "\u202ehte.yrusaert"],
  ]),
}

describe("names that were looked up", () => {
  it("are kept for a day, with accounts that have none", () => {
    const names = new KeptNames(state())
    names.take(mainnet, found)
    const later = Date.now() + 23 * hour
    expect(found.known.map((each) => names.knows(mainnet, each, later))).toEqual([true, true, true])
    expect(names.message(mainnet, later).names).toEqual({
      [account("1")]: "treasury.eth",
      [account("2")]: "\\u{202e}hte.yrusaert",
    })
    expect(names.knows(mainnet, account("1"), later + 2 * hour)).toBe(false)
    expect(names.message(mainnet, later + 2 * hour).names).toEqual({})
    expect(names.knows(mainnet, account("1"), Date.now() - hour)).toBe(false)
  })

  it("outlive the window, but not those of a node on this machine", () => {
    const kept = state()
    const names = new KeptNames(kept)
    names.take(mainnet, found)
    names.take(local, found)
    expect(names.knows(local, account("1"))).toBe(true)
    const next = new KeptNames(kept)
    expect(next.knows(mainnet, account("1"))).toBe(true)
    expect(next.knows(local, account("1"))).toBe(false)
    expect(kept.read()).not.toContain("key")
  })

  it("stay with their endpoint", () => {
    const names = new KeptNames(state())
    names.take(mainnet, found)
    expect(names.knows(network("https://other.example/v3/key"), account("1"))).toBe(false)
  })

  it("are dropped when there are too many", () => {
    const names = new KeptNames(state())
    names.take(mainnet, found)
    const others = Array.from({ length: 2_000 }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`)
    names.take(mainnet, { known: others, names: new Map() })
    expect(names.knows(mainnet, account("1"))).toBe(false)
    expect(names.knows(mainnet, others.at(-1) ?? "")).toBe(true)
  })
})

describe("a page", () => {
  const key = endpointOf(mainnet)
  const payload = { names: { title: "ENS", key } }
  const mixed = `0x${"aB".repeat(20)}`
  const table = { summary: "2 logs", total: 2, columns: [], rows: [[mixed, "1"], [account("1")]] }
  const known = new KnownNames()
  known.receive({ kind: "names", key, names: { [mixed.toLowerCase()]: "treasury.eth", [account("1")]: "b.eth" } })

  it("shows a name before the whole address, and the project's own label first", () => {
    const labelled = known.in({ ...table, labels: { [account("1")]: "Treasury (0x1111…1111)" } }, payload)
    expect(labelled.labels).toEqual({ [mixed]: `treasury.eth (${mixed})`, [account("1")]: "Treasury (0x1111…1111)" })
    expect(labelIn(labelled, mixed)).toBe("treasury.eth")
    expect(labelled.rows).toBe(table.rows)
  })

  it("shows no name of another network", () => {
    expect(known.in(table, { names: { title: "ENS", key: "other" } })).toBe(table)
    expect(known.in(table, {})).toBe(table)
  })
})
