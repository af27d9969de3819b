import { AbiParameters, Hash, Hex } from "ox"
import { describe, expect, test } from "vitest"
import { generateChain, type Log, sampleContracts } from "../../src/index.ts"

const chain = generateChain({ seed: 3, blocks: 300, logs: 4_000 })
const TRANSFER = Hash.keccak256(Hex.fromString("Transfer(address,address,uint256)"))
const APPROVAL = Hash.keccak256(Hex.fromString("Approval(address,address,uint256)"))
const UPGRADED = Hash.keccak256(Hex.fromString("Upgraded(address)"))
const ZERO = "0x0000000000000000000000000000000000000000"

describe.each([
  ["main", sampleContracts.token],
  ["second", sampleContracts.secondToken],
])("the storage of the %s token", (_name, token) => {
  test("agrees with the balances, allowances and supply that its logs report, after every block", () => {
    const expected = new Map<bigint, bigint>()
    const add = (slot: bigint, change: bigint) => expected.set(slot, (expected.get(slot) ?? 0n) + change)
    let checked = 0
    for (let number = 0; number <= chain.head; number++) {
      for (const log of chain.logs(number, number, { address: token })) {
        const [event, first, second] = partsOf(log)
        if (event === APPROVAL) expected.set(mapping(second, mapping(first, 1n)), BigInt(log.data))
        if (event !== TRANSFER) continue
        if (first === ZERO) add(2n, BigInt(log.data))
        else add(mapping(first, 0n), -BigInt(log.data))
        add(mapping(second, 0n), BigInt(log.data))
      }
      for (const [slot, value] of expected) {
        expect(BigInt(chain.storageAt(token, slot, number))).toBe(value)
        checked++
      }
    }
    expect(checked).toBeGreaterThan(10_000)
    expect([...expected.values()].every((value) => value >= 0n)).toBe(true)
  })
})

test("the owners and balances of the collection agree with its transfers", () => {
  const { collectible } = sampleContracts
  const owners = new Map<bigint, string>()
  for (const log of chain.logs(0, chain.head, { address: collectible })) {
    const [event, from, to, tokenId] = partsOf(log)
    expect(event).toBe(TRANSFER)
    expect(owners.get(BigInt(tokenId)) ?? ZERO).toBe(from)
    owners.set(BigInt(tokenId), to)
  }
  expect(owners.size).toBeGreaterThan(20)
  for (const [tokenId, owner] of owners) {
    const slot = mapping(Hex.fromNumber(tokenId), 2n)
    expect(BigInt(chain.storageAt(collectible, slot, chain.head))).toBe(BigInt(owner))
  }
  for (const owner of new Set(owners.values())) {
    const held = [...owners.values()].filter((other) => other === owner).length
    expect(Number(chain.storageAt(collectible, mapping(owner, 3n), chain.head))).toBe(held)
  }
})

test("the proxy's slot of EIP-1967 holds the implementation of the last upgrade", () => {
  const { exchange, implementation } = sampleContracts
  const slot = BigInt(Hash.keccak256(Hex.fromString("eip1967.proxy.implementation"))) - 1n
  const upgrades = [...chain.logs(0, chain.head, { address: exchange, topics: [UPGRADED] })]
  expect(upgrades.length).toBeGreaterThan(1)
  expect(BigInt(upgrades[0]?.topics[1] ?? 0)).toBe(BigInt(implementation))
  for (const upgrade of upgrades) {
    const block = Number(upgrade.blockNumber)
    const last = upgrades.findLast((other) => Number(other.blockNumber) === block)
    expect(chain.storageAt(exchange, slot, block)).toBe(last?.topics[1])
  }
  expect(chain.storageAt(exchange, slot, 0)).toBe(Hex.padLeft("0x", 32))
})

test("the ledger's storage has the layout that is documented", () => {
  const { ledger } = sampleContracts
  const read = (slot: bigint) => BigInt(chain.storageAt(ledger, slot, chain.head))
  const head = read(0n)
  const epoch = (head >> 160n) & 0xffff_ffff_ffff_ffffn
  expect(head & (2n ** 160n - 1n)).toBe(0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266n)
  expect(epoch).toBeGreaterThan(8n)
  expect(read(1n)).toBe(epoch)
  const elements = BigInt(Hash.keccak256(Hex.padLeft("0x1", 32)))
  expect(read(2n)).toBe((epoch << 128n) | read(elements + epoch - 1n))
  expect(read(elements + epoch)).toBe(0n)
  expect(read(3n)).not.toBe(0n)
  expect(Hex.toString(Hex.slice(chain.storageAt(ledger, 5n, chain.head), 0, 13))).toBe("Sample Ledger")
  expect(read(5n) & 0xffn).toBe(26n)
  const recent = Array.from({ length: 8 }, (_, index) => (read(6n) >> BigInt(32 * index)) & 0xffff_ffffn)
  expect(recent.toSorted((a, b) => Number(a - b))).toEqual(
    Array.from({ length: 8 }, (_, index) => epoch - 7n + BigInt(index)),
  )
})

test("what was never written is 32 zero bytes, whatever the block and the case of the address", () => {
  const zero = Hex.padLeft("0x", 32)
  expect(chain.storageAt(ZERO, 0n, chain.head)).toBe(zero)
  expect(chain.storageAt(sampleContracts.token, 2n, 0)).toBe(zero)
  expect(chain.storageAt(sampleContracts.token, 2n ** 256n - 1n, chain.head)).toBe(zero)
  const supply = chain.storageAt(sampleContracts.token, 2n, chain.head)
  expect(chain.storageAt(sampleContracts.token.toUpperCase().replace("0X", "0x"), 2n, chain.head)).toBe(supply)
})

/** The slot of a mapping's element. */
function mapping(key: string, slot: bigint): bigint {
  const encoded = AbiParameters.encode(AbiParameters.from("uint256, uint256"), [BigInt(key), slot])
  return BigInt(Hash.keccak256(encoded))
}

/** The event and its indexed arguments, addresses cut to 20 bytes. */
function partsOf(log: Log): [string, string, string, string] {
  const [event = "", first = "", second = "", third = ""] = log.topics
  return [event, `0x${first.slice(26)}`, `0x${second.slice(26)}`, third]
}
