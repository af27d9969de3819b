/** Reads of contracts, typed by their ABI. */
import { isRevert, Json, RpcClient, RpcError, RpcReason } from "@dotrpc/spec"
import type {
  Abi as AbiOf,
  AbiFunction,
  AbiParametersToPrimitiveTypes,
  AbiParameterToPrimitiveType,
  ExtractAbiFunction,
  ExtractAbiFunctionNames,
} from "abitype"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as AbiFunctions from "ox/AbiFunction"
import { readRevert, revertIn } from "../abi/decodeRevert.ts"
import { EthCall } from "../methods/call.ts"
import type { BlockReference } from "../schemas/BlockReference.ts"
import type { Address } from "../schemas/Hex.ts"
import type { StateOverride } from "../schemas/Overrides.ts"
import { ContractReverted, UnexpectedReturn } from "./ContractReverted.ts"

/** The functions of an ABI that change nothing. */
export type ReadName<Abi extends AbiOf> = ExtractAbiFunctionNames<Abi, "pure" | "view">

/** The arguments of a function, in order; of overloads, of any of them. */
export type ReadArguments<Abi extends AbiOf, Name extends ReadName<Abi>> = ArgumentsOf<ExtractAbiFunction<Abi, Name>>

/** What a function returns for these arguments: the value of one output, an array of several, `undefined` of none. */
export type ReadResult<
  Abi extends AbiOf,
  Name extends ReadName<Abi>,
  Arguments extends ReadArguments<Abi, Name> = ReadArguments<Abi, Name>,
> = ResultOf<Overload<ExtractAbiFunction<Abi, Name>, Arguments>>

/** One function of a contract to read, with its arguments. */
export type ContractRead<Abi extends AbiOf, Name extends ReadName<Abi>, Arguments extends ReadArguments<Abi, Name>> = {
  readonly address: Address
  readonly functionName: Name
  /** The block whose state is read; `latest` when absent. */
  readonly block?: BlockReference | undefined
  /** Who calls; the zero address when absent. */
  readonly from?: Address | undefined
  /** Accounts that differ from the chain. */
  readonly overrides?: StateOverride | undefined
} & (readonly [] extends Arguments ? { readonly args?: Arguments | undefined } : { readonly args: Arguments })

/**
 * Calls a function of a contract and decodes what it returns. The name, the arguments and the result are typed by the ABI,
 * which is a constant: `as const`, or what a compiler's types make of it. Integers of more than 48 bits are `bigint`,
 * addresses and bytes hex in lower case, structs objects.
 *
 * Fails with {@link ContractReverted} when the contract reverts, with {@link UnexpectedReturn} when the bytes are not of the
 * declared outputs, else as {@link EthCall} does. Dies with a `TypeError` when arguments do not fit the ABI: those that
 * fit their types may be too large or too short for it.
 *
 * @example
 * ```ts
 * const erc20 = [
 *   {
 *     type: "function",
 *     name: "balanceOf",
 *     stateMutability: "view",
 *     inputs: [{ name: "account", type: "address" }],
 *     outputs: [{ type: "uint256" }],
 *   },
 * ] as const
 *
 * const balance = Evm.readContract(erc20, { address: token, functionName: "balanceOf", args: [holder] })
 * // Effect<bigint, RpcError | ContractReverted | UnexpectedReturn, RpcClient>
 * ```
 */
export const readContract = <
  const Abi extends AbiOf,
  Name extends ReadName<Abi>,
  const Arguments extends ReadArguments<Abi, Name>,
>(
  abi: Abi,
  read: ContractRead<Abi, Name, Arguments>,
): Effect.Effect<ReadResult<Abi, Name, Arguments>, RpcError | ContractReverted | UnexpectedReturn, RpcClient> =>
  Effect.gen(function* () {
    const { address, args = [], block = "latest", from, functionName, overrides } = read
    const found = yield* encoded(abi, functionName, args)
    const sent = { to: address, input: found.data }
    const request = from === undefined ? sent : { ...sent, from }
    const call = RpcClient.call(EthCall, overrides === undefined ? [request, block] : [request, block, overrides])
    const data = yield* Effect.mapError(call, (error) => revertOf(error, functionName, abi) ?? error)
    const reverted = revertIn(data, { abi: itemsOf(abi) })
    if (reverted !== undefined) {
      const { id } = yield* Effect.flatMap(RpcClient, (client) => client.networkOf(EthCall))
      const reason = new RpcReason.Rejected({ said: reverted, rpcCode: 3, data })
      const cause = new RpcError({ method: EthCall.name, network: id, reason, outcome: "ok", data })
      return yield* revertOf(cause, functionName, abi) ?? cause
    }
    const value = Result.try(() => AbiFunctions.decodeResult(found.item, data, { checksumAddress: false }))
    if (Result.isFailure(value)) return yield* new UnexpectedReturn({ functionName, data })
    // The library decodes by the item whose outputs the type is made of.
    return value.success as ReadResult<Abi, Name, Arguments>
  })

/** The function whose arguments these are, and the data of the call. */
const encoded = (abi: AbiOf, name: string, args: ReadonlyArray<unknown>) =>
  Effect.suspend(() => {
    const found = Result.try(() => {
      const item: AbiFunctions.AbiFunction = AbiFunctions.fromAbi(abi, name, { args: [...args] })
      return { item, data: AbiFunctions.encodeData(item, args) }
    })
    return Result.isSuccess(found)
      ? Effect.succeed(found.success)
      : Effect.die(new TypeError(`the arguments of ${name} do not fit the ABI: ${wordsOf(found.failure)}`))
  })

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, " ")

const revertOf = (error: RpcError, functionName: string, abi: AbiOf): ContractReverted | undefined => {
  const { data, reason } = error
  if (reason._tag !== "Rejected" || !isRevert({ message: reason.said, rpcCode: reason.rpcCode, data })) return undefined
  const found = data === undefined ? undefined : readRevert(data, itemsOf(abi))
  return new ContractReverted({ functionName, error: found?.revert, reason: found?.text ?? reason.said, cause: error })
}

/** An ABI is JSON, whatever types describe it. */
const itemsOf = (abi: AbiOf): ReadonlyArray<Json.JsonObject> => {
  const items = Json.parse(JSON.stringify(abi))
  return Json.isArray(items) ? items.filter(Json.isObject) : []
}

/** The arguments of a declared function, in order. */
export type ArgumentsOf<Item> = Item extends AbiFunction
  ? AbiParametersToPrimitiveTypes<Item["inputs"], "inputs">
  : never

/** Of declared functions of one name, the one that takes these arguments. */
export type Overload<Item, Arguments> = Item extends AbiFunction
  ? Arguments extends ArgumentsOf<Item>
    ? Item
    : never
  : never

/** What a declared function returns. */
export type ResultOf<Item> = Item extends AbiFunction
  ? Item["outputs"] extends readonly []
    ? undefined
    : Item["outputs"] extends readonly [infer Only extends Item["outputs"][number]]
      ? AbiParameterToPrimitiveType<Only, "outputs">
      : AbiParametersToPrimitiveTypes<Item["outputs"], "outputs">
  : never
