/** `eth_getStorageAt` (service §4.1). */
import { defineMethod, Price, RpcClient, type RpcError } from "@dotrpc/spec"
import type { Effect } from "effect"
import * as Schema from "effect/Schema"
import { decodeSlot } from "../abi/decodeSlot.ts"
import { checksumWarnings } from "../checksum.ts"
import { classify } from "../classify.ts"
import { proxySlots } from "../functions/position.ts"
import { slot } from "../functions/slot.ts"
import { renderStorage } from "../rows/storage.ts"
import { BlockReference, referenceIssues, settledAt } from "../schemas/BlockReference.ts"
import { Address } from "../schemas/Hex.ts"
import { withUsualAddresses } from "../schemas/forms.ts"
import { StoragePosition, StorageValue } from "../schemas/StoragePosition.ts"

/**
 * The value at a storage position of an address, 32 bytes. An account without storage has zero everywhere.
 *
 * @example
 * ```ts
 * const value = yield* Evm.getStorageAt(token, Evm.slot(0, holder))
 * const balance = Evm.quantity(value)
 * ```
 */
export const getStorageAt = (
  address: Address,
  position: StoragePosition,
  block: BlockReference = "latest",
): Effect.Effect<StorageValue, RpcError, RpcClient> => RpcClient.call(GetStorageAt, [address, position, block])

const docs = `Returns the 32 bytes at a storage position of an address.

| position | params | |
|---|---|---|
| 0 | address | 20 bytes |
| 1 | storage position | hex, at most 32 bytes |
| 2 | block | a number in hex, \`latest\`, \`earliest\`, \`pending\`, \`safe\`, \`finalized\`, or \`{ "blockHash": … }\` |

A variable is at its declaration slot, \`{{slot(0)}}\`. An element of a mapping is at
\`{{slot(MAPPING, KEY)}}\`: keccak-256 of the key and the mapping's slot, each padded on the left to 32 bytes. With an artifact that has a
\`storageLayout\`, \`{{storage("balances", KEY)}}\` finds both by name, and the value is decoded by its type.

**Limits.** Some networks do not support \`safe\`: use \`finalized\`. Some answer only the latest 128 blocks.

**Errors.** Unsupported: the tag or the age of the block is not answered here. Not found: the block does not exist.

**Price.** 80 credits.`

/** `eth_getStorageAt`: one slot of a contract's storage. */
export const GetStorageAt = defineMethod({
  plugin: "evm",
  name: "eth_getStorageAt",
  summary: "The value at a storage position of an address",
  docs,
  positions: ["address", "storage position", "block"],
  read: withUsualAddresses,
  params: Schema.Tuple([
    Address.annotateKey({
      messageMissingKey: "position 0 is missing: the address whose storage is read",
      description: "The address whose storage is read.",
    }),
    StoragePosition.annotateKey({
      messageMissingKey: 'position 1 is missing: the storage position, such as "0x0"',
      description: "Where in its storage: hex, at most 32 bytes. `slot` computes it.",
    }),
    BlockReference.annotateKey({
      messageMissingKey: 'position 2 is missing: the block, such as "latest"',
      description: "When: a block number in hex, a tag or a hash.",
    }),
  ]),
  result: StorageValue,
  price: Price.published(80),
  idempotent: true,
  examples: [
    {
      title: "The variable in slot 0, now",
      params: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x0", "latest"],
    },
    {
      title: "The implementation behind an EIP-1967 proxy, at a finalized block",
      params: [
        "0x5fbdb2315678afecb367f032d93f642f64180aa3",
        "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
        "finalized",
      ],
    },
    {
      title: "A variable as it was at block 436",
      params: ["0x5fbdb2315678afecb367f032d93f642f64180aa3", "0x2", "0x1b4"],
    },
  ],
  suggest: [
    {
      at: [1],
      values: () =>
        proxySlots.map((name) => ({
          value: slot(`eip1967.${name}`),
          label: `eip1967.${name}`,
          detail: `the ${name} of a proxy`,
        })),
    },
  ],
  check: ([, , block], network) => referenceIssues(block, [2], network),
  warnings: checksumWarnings,
  classify,
  permanence: ([, , block]) => settledAt(block),
  decode: (value, context) => decodeSlot(value, context)?.value,
  render: renderStorage,
})
