/** The position of a variable in storage, by its name. */
import type { PluginFunction } from "@dotrpc/spec"
import * as Result from "effect/Result"
import { meaningOf } from "../abi/slotMeaning.ts"
import { placeOf, stepsAfter, variablesOf } from "../abi/storagePath.ts"

export const storageFunction: PluginFunction = {
  name: "storage",
  signature: "storage(variable, key…)",
  docs: [
    "The storage position of a variable by its name, as the `storageLayout` of an artifact has it. Keys of mappings,",
    "indexes of arrays and names of struct members follow.",
    "",
    "```rpc",
    "# @abi ./out/Token.json",
    'eth_getStorageAt [{{token}}, {{storage("balances", holder)}}, "latest"]',
    "",
    '{{storage("allowances", owner, spender)}}   // a mapping in a mapping',
    '{{storage("orders", 77, "maker")}}          // a member of a struct in a mapping',
    '{{storage("list", 3)}}                      // an item; storage("list") is where the length is',
    '{{storage("name", 0)}}                      // the first 32 bytes of a text that is longer than 31',
    '{{storage("Token.owner")}}                  // where several contracts have an owner',
    "```",
    "",
    'Foundry writes the layout with `extra_output = ["storageLayout"]`. One call reads one slot:',
    "",
    "| the slot of | `result.decoded` |",
    "|---|---|",
    "| a variable, also one that shares its slot with others | its value |",
    "| a struct | an object of those members that are in its first slot |",
    "| an array of fixed length | an array of those items that are in its first slot |",
    "| a dynamic array | its length |",
    "| a string or bytes of up to 31 bytes | its value |",
    '| a longer one | `{ length, slots }`: `storage("text", 0)` is the first 32 bytes, and so on |',
  ].join("\n"),
  call: ([name, ...steps], { abi = [] } = {}) => {
    if (typeof name !== "string")
      return { problem: 'storage takes the name of a variable first, such as storage("balances", holder)' }
    const place = placeOf(name, steps, abi)
    if (Result.isFailure(place)) {
      const { problem, step } = place.failure
      return { problem, argument: step === undefined ? 0 : step + 1 }
    }
    const { name: found, slot, type } = place.success
    if (type.encoding === "mapping") return { problem: `${found} has the type ${type.label}: a key is missing` }
    return { value: `0x${slot.toString(16)}`, meaning: meaningOf(place.success) }
  },
  suggest: (argument, { abi = [] }) =>
    argument === 0 ? variablesOf(abi).map(({ label, name }) => ({ text: name, detail: label })) : [],
  signatureOf: (name, { abi = [] }) =>
    typeof name === "string" ? `storage(${["variable", ...stepsAfter(name, abi)].join(", ")})` : undefined,
}
