/** Which tags of params become numbers, so that two networks answer about one block. */
import { describe, expect, it } from "vitest"
import { Json } from "@dotrpc/spec"
import { Evm } from "../src/index.ts"

const { methods, pinning } = Evm.plugin

const pinned = (name: string, text: string) => {
  const method = methods.find((known) => known.name === name)
  if (method === undefined || pinning === undefined) throw new Error(`there is no ${name}`)
  const params = Json.parse(text)
  const tags = pinning.tagsIn(method, params)
  const numbers = new Map(tags.filter((tag) => pinning.lookUp(tag) !== undefined).map((tag) => [tag, 100]))
  return { tags, params: Json.stringify(pinning.pinned(method, params, numbers)) }
}

describe("a tag of a call", () => {
  const check = (name: string, params: string, tags: ReadonlyArray<string>, expected: string) =>
    it(`${name} ${params} is pinned`, () => {
      expect(pinned(name, params)).toEqual({ tags, params: expected })
    })
  check("eth_getBalance", '["0xaa","latest"]', ["latest"], '["0xaa","0x64"]')
  check("eth_getBalance", '["0xaa"]', ["latest"], '["0xaa","0x64"]')
  check("eth_getBalance", '["0xaa","0x1"]', [], '["0xaa","0x1"]')
  check("eth_getBalance", '["0xaa","earliest"]', [], '["0xaa","earliest"]')
  check("eth_getBalance", '["0xaa","pending"]', ["pending"], '["0xaa","pending"]')
  check("eth_getBalance", '["0xaa",{"blockHash":"0xbb"}]', [], '["0xaa",{"blockHash":"0xbb"}]')
  check("eth_call", '[{"to":"0xaa"},"safe",{}]', ["safe"], '[{"to":"0xaa"},"0x64",{}]')
  check("eth_call", '[{"to":"0xaa"},null]', ["latest"], '[{"to":"0xaa"},"0x64"]')
  check("eth_getStorageAt", '["0xaa","0x0","finalized"]', ["finalized"], '["0xaa","0x0","0x64"]')
  check("eth_getBlockByNumber", '["latest",true]', ["latest"], '["0x64",true]')
  check("eth_feeHistory", '["0x4","latest",[50]]', ["latest"], '["0x4","0x64",[50]]')
  check("eth_getBlockRange", '["safe","latest",false]', ["safe", "latest"], '["0x64","0x64",false]')
  check("eth_getLogs", "[{}]", ["latest"], '[{"fromBlock":"0x64","toBlock":"0x64"}]')
  check(
    "eth_getLogs",
    '[{"fromBlock":"0x1","toBlock":"finalized"}]',
    ["finalized"],
    '[{"fromBlock":"0x1","toBlock":"0x64"}]',
  )
  check("eth_getLogs", '[{"blockHash":"0xbb"}]', [], '[{"blockHash":"0xbb"}]')
  check("eth_chainId", "[]", [], "[]")
  check("eth_getBlockByHash", '["0xbb",false]', [], '["0xbb",false]')

  it("is found in every method that names a block, and nothing else changes", () => {
    for (const method of methods)
      for (const { params } of method.examples) {
        const text = Json.stringify(params)
        const { tags } = pinned(method.name, text)
        const written = ["latest", "safe", "finalized"].filter((tag) => text.includes(`"${tag}"`))
        expect(
          tags.filter((tag) => tag !== "pending"),
          `${method.name} ${text}`,
        ).toEqual(expect.arrayContaining(written))
        expect(pinned(method.name, "{}").tags).toEqual([])
      }
  })
})
