/** A family of methods, as a value: what an app lists, and all that a new network needs. */
import type { Abi, AbiReader } from "./Abi.ts"
import type { BlockPinning } from "./BlockPinning.ts"
import { chargeProblem } from "./internal/chargeProblem.ts"
import type { Json, JsonObject } from "./Json.ts"
import type { Method } from "./Method.ts"
import type { NetworkDefinition } from "./Network.ts"
import { type StreamMethod, streamMethods } from "./StreamMethod.ts"
import type { Subscription } from "./Subscription.ts"
import type { NamesReader } from "./AccountNames.ts"
import type { TokenUnits } from "./Units.ts"

/** A family of RPC methods as one value. */
export interface Plugin {
  readonly id: string
  readonly title: string
  /** Markdown, one paragraph. */
  readonly docs: string
  readonly methods: ReadonlyArray<Method>
  /** Functions that `{{…}}` expressions may call. */
  readonly functions: ReadonlyArray<PluginFunction>
  /** Networks known without any configuration, as plain data: a URL here is public and holds no key. */
  readonly networks: ReadonlyArray<NetworkDefinition>
  /** What can be subscribed to, over a WebSocket. */
  readonly subscriptions?: ReadonlyArray<Subscription> | undefined
  /** The subscriptions as methods that a file may call, as `definePlugin` makes them. */
  readonly streams?: ReadonlyArray<StreamMethod> | undefined
  /** How `# @abi` and the `abi` files of a project are read, when results of this family can be decoded by them. */
  readonly abi?: AbiReader | undefined
  /** How `# @units` is read, when results of this family hold amounts of tokens. */
  readonly units?: UnitsReader | undefined
  /** How names of accounts are looked up, when this family has a service for them. */
  readonly names?: NamesReader | undefined
  /** How addresses are written, when `labels` of a network may name them. */
  readonly address?: AddressForm | undefined
  /** How params that name a block by a tag name it by its number, for `# @compare`. */
  readonly pinning?: BlockPinning | undefined
  /**
   * The part of a result that two servers must agree on, for `# @compare`: without what says how far a server is, and with rows in an
   * order of their own where servers promise none. All of it when absent. Takes any JSON, and never throws.
   */
  readonly comparable?: ((method: Method, result: Json) => Json) | undefined
  /**
   * One of its methods: it finds the last block at or before a time, with the params `[time]` and a result that has the `number` of the
   * block in hex. A range of dates is scanned with it.
   */
  readonly blockAt?: Method | undefined
  /** How the names of methods begin that nodes on the developer's own machine have beside these, such as `anvil_`. */
  readonly localPrefixes?: ReadonlyArray<string> | undefined
}

/** How a family writes addresses. */
export interface AddressForm {
  /** For messages and completion. */
  readonly example: string
  /** Why a text is not an address of a chain, beginning with what was expected; `undefined` when it is one. */
  readonly problem: (text: string, chainId?: number) => string | undefined
}

/** How the units of a token are read. Each call is priced and limited like any other. */
export interface UnitsReader {
  /** A token as a person writes it, for messages and completion. */
  readonly example: string
  /** The token as it is kept and compared; `undefined` when the text is not a token. */
  readonly token: (text: string) => string | undefined
  readonly calls: (token: string) => ReadonlyArray<{ readonly method: Method; readonly params: Json }>
  /** Reads the units from the answers, in the order of the calls; the answer of a refused call is `undefined`. */
  readonly read: (token: string, answers: ReadonlyArray<Json | undefined>) => UnitsReading
}

/** The units, with a note for the reader; or the reason why there are none, in words. */
export type UnitsReading =
  | { readonly units: TokenUnits; readonly note?: string | undefined }
  | { readonly problem: string }

/** A pure function of the expression language. */
export interface PluginFunction {
  readonly name: string
  /** As shown in signature help: `slot(mapping, key…)`. */
  readonly signature: string
  readonly docs: string
  /** The value, or in words what is wrong with the arguments. */
  readonly call: (args: ReadonlyArray<Json>, context?: FunctionContext) => FunctionResult
  /**
   * The texts that an argument is likely to be, counted from 0, for completion: events that are declared, names of units.
   * An editor asks while a person types, so this answers from memory.
   */
  readonly suggest?: ((argument: number, context: FunctionContext) => ReadonlyArray<Suggestion>) | undefined
  /** The signature where the first argument decides what the others are: `call("balanceOf(address)", account: address)`. */
  readonly signatureOf?: ((first: Json, context: FunctionContext) => string | undefined) | undefined
}

/** A text to be written as an argument. */
export interface Suggestion {
  readonly text: string
  /** What it stands for, in a few words. */
  readonly detail?: string | undefined
}

/** What a function may know beside its arguments: the declarations in force where it is called. */
export interface FunctionContext {
  readonly abi?: Abi | undefined
}

/** A problem is shown at the argument that has it, counted from 0, or at all of them. */
export type FunctionResult =
  | {
      readonly value: Json
      /** What the value stands for, when a result of params with this value is decoded. */
      readonly meaning?: JsonObject | undefined
      /** What the value counts when it is an amount. A failed check that has it on the right side shows the left side in these units. */
      readonly units?: Pick<TokenUnits, "decimals" | "symbol"> | undefined
    }
  | { readonly problem: string; readonly argument?: number | undefined }

/** What `definePlugin` takes. */
export interface PluginDefinition {
  readonly id: string
  readonly title: string
  readonly docs: string
  readonly methods: ReadonlyArray<Method>
  readonly functions?: ReadonlyArray<PluginFunction> | undefined
  readonly networks?: ReadonlyArray<NetworkDefinition> | undefined
  readonly subscriptions?: ReadonlyArray<Subscription> | undefined
  readonly abi?: AbiReader | undefined
  readonly units?: UnitsReader | undefined
  readonly names?: NamesReader | undefined
  readonly address?: AddressForm | undefined
  readonly pinning?: BlockPinning | undefined
  readonly comparable?: Plugin["comparable"] | undefined
  /** See `Plugin`. */
  readonly blockAt?: Method | undefined
  readonly localPrefixes?: ReadonlyArray<string> | undefined
}

/**
 * Defines a plugin. Throws a `TypeError` when a method belongs to another plugin or a name is given twice: both are
 * mistakes in the plugin's own source. Throws a `RangeError` when a method is charged what is not a number of credits.
 */
export const definePlugin = (definition: PluginDefinition): Plugin => {
  const functions = definition.functions ?? []
  const subscriptions = definition.subscriptions ?? []
  const other = subscriptions.find(({ plugin }) => plugin !== definition.id)
  if (other !== undefined)
    throw new TypeError(`Subscription ${other.name} says it belongs to "${other.plugin}", not to "${definition.id}".`)
  for (const method of definition.methods) {
    if (method.plugin !== definition.id)
      throw new TypeError(`Method ${method.name} says it belongs to "${method.plugin}", not to "${definition.id}".`)
    const problem = chargeProblem(method)
    if (problem !== undefined) throw new RangeError(`Method ${method.name}: ${problem}.`)
  }
  for (const names of [
    definition.methods.map((method) => method.name),
    functions.map((entry) => entry.name),
    subscriptions.map((entry) => entry.name),
  ]) {
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) throw new TypeError(`Plugin "${definition.id}" defines ${twice} twice.`)
  }
  return {
    ...definition,
    functions,
    networks: definition.networks ?? [],
    streams: streamMethods(
      subscriptions.filter(({ open }) => definition.methods.every(({ name }) => name !== open.name)),
    ),
  }
}
