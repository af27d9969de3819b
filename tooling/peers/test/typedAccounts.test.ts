/** The typed call of the token-accounts plugin beside that of @solana/kit, on surfpool and on the gateway's sample data. */
import { TokenAccounts } from "@dotrpc/plugin-token-accounts"
import { address, createSolanaRpc } from "@solana/kit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { delegate, mints, startTokenNode, tokenAccounts, tokenProgram } from "../src/TokenNode.ts"
import { typedCalls } from "../src/TypedCalls.ts"

const node = await startTokenNode()
let gateway: MeteredGateway
beforeAll(async () => {
  gateway = await startGateway(inject("nodeUrl"))
})
afterAll(async () => {
  node?.stop()
  await gateway.stop()
})

/**
 * Every whole number as a bigint: the client makes bigints of what may be large and numbers of the rest, the plugin makes
 * bigints of what is large. Neither may lose a digit on the way. Only the deprecated `uiAmount` is a double, however a node
 * writes it, and the plugin keeps it as it is written.
 */
const exact = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(exact)
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "uiAmount" && member !== null ? Number(member) : exact(member),
    ]),
  )
}

/** The client's own default; the plugin's is `finalized`, and the sample data shows the difference. */
const commitment = "confirmed"

interface Reply {
  readonly context: unknown
  readonly value: ReadonlyArray<{ readonly pubkey: string; readonly account: unknown }>
}

const encodings = ["base64", "base64+zstd", "jsonParsed"] as const

const both = async (
  url: string,
  scope: { readonly mint: string } | { readonly programId: string },
  encoding: (typeof encodings)[number],
) => {
  const ours = await typedCalls({ id: "node", plugin: "token-accounts", url })(
    TokenAccounts.getTokenAccountsByDelegate(delegate, scope, { encoding, commitment }),
  )
  const rpc = createSolanaRpc(url)
  const filter = "mint" in scope ? { mint: address(scope.mint) } : { programId: address(scope.programId) }
  const owner = address(delegate)
  // One call for each encoding: the client gives each a result type of its own.
  const replies = {
    base64: () => rpc.getTokenAccountsByDelegate(owner, filter, { encoding: "base64", commitment }).send(),
    "base64+zstd": () => rpc.getTokenAccountsByDelegate(owner, filter, { encoding: "base64+zstd", commitment }).send(),
    jsonParsed: () => rpc.getTokenAccountsByDelegate(owner, filter, { encoding: "jsonParsed", commitment }).send(),
  }
  const theirs: Reply = await replies[encoding]()
  return { ours, theirs }
}

describe.skipIf(node === undefined)("on surfpool", () => {
  it.each(encodings)("every account is the one that @solana/kit reads, in %s", async (encoding) => {
    const { ours, theirs } = await both(node?.url ?? "", { programId: tokenProgram }, encoding)
    expect(ours.value).toHaveLength(tokenAccounts.length)
    expect(exact(byKey(ours.value))).toEqual(exact(byKey(theirs.value)))
  })

  it.each(Object.entries(mints))("the accounts of the mint %s hold what was put there", async (name, mint) => {
    const written = tokenAccounts.filter((account) => account.mint === name)
    for (const encoding of encodings) {
      const { ours } = await both(node?.url ?? "", { mint: mint.key }, encoding)
      const amounts = ours.value.map((entry) => {
        const { delegatedAmount, owner, tokenAmount } = TokenAccounts.decodeEntry(entry, mint).parsed.info
        return { owner, amount: tokenAmount.amount, delegated: delegatedAmount?.amount }
      })
      const expected = written.map(({ amount, delegated, owner }) => ({
        owner,
        amount: String(amount),
        delegated: String(delegated),
      }))
      expect(amounts.toSorted((one, other) => one.owner.localeCompare(other.owner))).toEqual(expected)
    }
  })
})

describe("on the gateway", () => {
  it.each(encodings)("every account is the one that @solana/kit reads, in %s", async (encoding) => {
    const { ours, theirs } = await both(gateway.sampleUrl("accounts"), { programId: tokenProgram }, encoding)
    expect(ours.value).toHaveLength(25)
    expect(exact(ours)).toEqual(exact(theirs))
  })

  it("both see the largest amount and the largest epoch", async () => {
    const { ours, theirs } = await both(gateway.sampleUrl("accounts"), { mint: mints.ticket.key }, "jsonParsed")
    for (const [entry] of [ours.value, theirs.value])
      expect(exact(entry)).toMatchObject({
        account: {
          data: { parsed: { info: { tokenAmount: { amount: "18446744073709551615", decimals: 0n } } } },
          rentEpoch: 18_446_744_073_709_551_615n,
        },
      })
  })
})

/** Nodes give accounts in any order. */
const byKey = <Entry extends { readonly pubkey: string }>(entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> =>
  entries.toSorted((one, other) => (one.pubkey < other.pubkey ? -1 : 1))
