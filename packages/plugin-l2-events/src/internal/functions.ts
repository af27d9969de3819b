/** Functions of the expression language that this family adds. */
import type { PluginFunction } from "@dotrpc/spec"
import { selector } from "../Selector.ts"

export const selectorFunction: PluginFunction = {
  name: "selector",
  signature: "selector(name)",
  docs: 'The selector of a name: keccak-256, lowest 250 bits, as a felt.\n\n```rpc\n{{selector("transfer")}}    // "0x83afd3f4caedc6eebf44246fe54e38c95e3179a5ec9ea81740eca5b482d12e"\n```',
  call: (args) => {
    const [name] = args
    if (args.length !== 1 || typeof name !== "string") return { problem: `expected one name: selector("Transfer")` }
    if (name === "") return { problem: 'expected a name, found ""' }
    return { value: selector(name) }
  },
}

export const eventFunction: PluginFunction = {
  name: "event",
  signature: "event(name)",
  docs: 'The first key of an event, from its name alone. On this family the parameters are not part of the name.\n\n```rpc\n{{event("Transfer")}}    // "0x99cd8bde557814842a3121e8ddfd433a539b8c9f14bf31ebf108d12e6196e9"\n```',
  call: (args) => {
    const [name] = args
    if (args.length !== 1 || typeof name !== "string") return { problem: `expected one name: event("Transfer")` }
    if (identifier.test(name)) return { value: selector(name) }
    const bare = /^\s*([A-Za-z_]\w*)\s*\(/.exec(name)?.[1]
    return {
      problem:
        bare === undefined
          ? `expected the name of an event, such as "Transfer", found ${JSON.stringify(name)}`
          : `on this network an event is named without its parameters: event("${bare}")`,
    }
  },
}

const identifier = /^[A-Za-z_]\w*$/
