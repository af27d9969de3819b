/** Functions of the expression language that this family adds. */
import type { PluginFunction } from "@dotrpc/spec"
import { selector } from "../Selector.ts"

export const selectorFunction: PluginFunction = {
  name: "selector",
  signature: "selector(name)",
  docs: 'The selector of a name: keccak-256, lowest 250 bits, as a felt. `selector("Transfer")` is the first key of every `Transfer` event.',
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
  docs: 'The first key of an event, from its name alone: `event("Transfer")`. On this family the parameters are not part of the name.',
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
