import { atOnce } from "@dotrpc/spec"
import { expect, it } from "vitest"
import { makingSampleChain, type SampleStore } from "../../src/chain/SampleStore.ts"
import { type ChainStore, generateChain } from "../../src/index.ts"

const texts = new Map<string, string>()
const store: SampleStore = { read: (name) => texts.get(name), write: (name, text) => void texts.set(name, text) }

const contents = (chain: ChainStore) => ({
  ends: [chain.earliest, chain.head, chain.chainId],
  blocks: [1, chain.head].map((number) => chain.blockByNumber(number)),
  pending: chain.pendingBlock,
  logs: [...chain.logs(0, chain.head)],
})

const expected = contents(generateChain())

const check = (what: string, prepare: () => void) =>
  it(`a sample chain is the generated one ${what}`, () => {
    prepare()
    expect(contents(atOnce(makingSampleChain(1, store)))).toEqual(expected)
  })
check("when nothing is kept yet", () => expect(texts.size).toBe(0))
check("when it is kept", () => expect(texts.size).toBe(1))
check("when what is kept is not a chain", () => texts.set("chain-1", '{"blocks":[]}'))
check("when what is kept is not JSON", () => texts.set("chain-1", "{"))
