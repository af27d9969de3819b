import { defineNetwork, Json, type Method, RpcClient, RpcError, RpcReason } from "@dotrpc/spec"
import { it as effectIt } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { encodeFunctionResult, encodeErrorResult } from "viem"
import { describe, expect, expectTypeOf, it } from "vitest"
import { Evm } from "../src/index.ts"
import { holder, token, word } from "./samples/values.ts"

const order = {
  name: "",
  type: "tuple",
  components: [
    { name: "id", type: "uint256" },
    { name: "maker", type: "address" },
    { name: "kind", type: "uint8" },
  ],
} as const

const abi = [
  {
    type: "function",
    name: "balanceOf",
    stateMutability: "view",
    inputs: [{ name: "account", type: "address" }],
    outputs: [{ name: "", type: "uint256" }],
  },
  {
    type: "function",
    name: "get",
    stateMutability: "view",
    inputs: [{ name: "id", type: "uint256" }],
    outputs: [{ name: "", type: "string" }],
  },
  {
    type: "function",
    name: "get",
    stateMutability: "pure",
    inputs: [{ name: "open", type: "bool" }],
    outputs: [
      { name: "count", type: "uint8" },
      { name: "total", type: "uint256" },
    ],
  },
  {
    type: "function",
    name: "orders",
    stateMutability: "view",
    inputs: [],
    outputs: [{ ...order, type: "tuple[]" }],
  },
  { type: "function", name: "ping", stateMutability: "view", inputs: [], outputs: [] },
  {
    type: "function",
    name: "transfer",
    stateMutability: "nonpayable",
    inputs: [{ name: "to", type: "address" }],
    outputs: [],
  },
  {
    type: "error",
    name: "InsufficientBalance",
    inputs: [
      { name: "available", type: "uint256" },
      { name: "required", type: "uint256" },
    ],
  },
] as const

/** A client that answers every call alike, and keeps what it was sent. */
const answering = (answer: Effect.Effect<Json.Json, RpcError>) => {
  const sent: Array<Json.Json> = []
  const layer = Layer.succeed(RpcClient, {
    call: <Params, Result>(_method: Method<Params, Result>, params: Params) => {
      sent.push(params as Json.Json)
      return answer as Effect.Effect<Result, RpcError>
    },
    estimate: () => Effect.die("not asked"),
    networkOf: () => Effect.succeed(defineNetwork({ id: "evm", plugin: "evm" })),
    prepare: () => Effect.die("not asked"),
  })
  return { sent, layer }
}

const rejected = (data: Json.Json | undefined, said = "execution reverted") =>
  Effect.fail(
    new RpcError({
      method: "eth_call",
      network: "evm",
      reason: new RpcReason.Rejected({ said, httpStatus: 200, rpcCode: 3, data }),
      outcome: "rpc-error",
      data,
    }),
  )

const balance = { address: token, functionName: "balanceOf", args: [holder] } as const

describe("readContract", () => {
  effectIt.effect("sends the call, and gives what it returns", () =>
    Effect.gen(function* () {
      const { layer, sent } = answering(Effect.succeed(word("f".repeat(64))))
      const found = yield* Effect.provide(Evm.readContract(abi, { ...balance, block: "0x10", from: token }), layer)
      expect(found).toBe(2n ** 256n - 1n)
      expect(sent).toEqual([[{ to: token, input: `0x70a08231${word(holder.slice(2)).slice(2)}`, from: token }, "0x10"]])
    }),
  )

  effectIt.effect("gives structs as objects, with every digit", () =>
    Effect.gen(function* () {
      const result = [{ id: 2n ** 200n, maker: holder, kind: 2 }] as const
      const data = encodeFunctionResult({ abi, functionName: "orders", result })
      const found = yield* Effect.provide(
        Evm.readContract(abi, { address: token, functionName: "orders" }),
        answering(Effect.succeed(data)).layer,
      )
      expect(found).toEqual(result)
    }),
  )

  effectIt.effect("calls the overload that takes the arguments", () =>
    Effect.gen(function* () {
      const { layer, sent } = answering(Effect.succeed(`0x${word("7").slice(2)}${word("9").slice(2)}`))
      const found = yield* Effect.provide(
        Evm.readContract(abi, { address: token, functionName: "get", args: [true] }),
        layer,
      )
      expect(found).toEqual([7, 9n])
      expect(Json.stringify(sent)).toContain(Evm.event("get(bool)").slice(0, 10))
    }),
  )

  const failing = (title: string, answer: Effect.Effect<Json.Json, RpcError>, expected: object) =>
    effectIt.effect(title, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.provide(Evm.readContract(abi, balance), answering(answer).layer))
        expect(error).toMatchObject(expected)
      }),
    )
  const custom = encodeErrorResult({ abi, errorName: "InsufficientBalance", args: [5n, 2n ** 100n] })
  failing("fails with the error of the ABI that the contract reverts with", rejected(custom), {
    _tag: "ContractReverted",
    functionName: "balanceOf",
    message:
      "balanceOf reverted: InsufficientBalance(available: 5, required: 1,267,650,600,228,229,401,496,703,205,376)",
    code: "RPC-2014",
    error: { error: "InsufficientBalance", args: { available: 5n, required: 2n ** 100n } },
  })
  failing("fails with the error whose bytes came as a result", Effect.succeed(custom), {
    _tag: "ContractReverted",
    code: "RPC-2014",
    error: { error: "InsufficientBalance", args: { available: 5n, required: 2n ** 100n } },
  })
  failing("fails with the meaning of a panic", rejected(`0x4e487b71${word("12").slice(2)}`), {
    _tag: "ContractReverted",
    error: { error: "Panic", meaning: "a division or modulo by zero" },
  })
  failing("fails with what the node says of a revert without data", rejected(undefined, "execution reverted: paused"), {
    _tag: "ContractReverted",
    reason: "execution reverted: paused",
    error: undefined,
  })
  failing(
    "fails as the call does when nothing reverted",
    Effect.mapError(
      rejected(undefined),
      (error) =>
        new RpcError({
          ...error,
          reason: new RpcReason.NotFound({ said: "no such block", httpStatus: 200, rpcCode: 1 }),
        }),
    ),
    { _tag: "RpcError", code: new RpcReason.NotFound({ said: "", httpStatus: 200, rpcCode: 1 }).code },
  )
  failing("says that no contract answered", Effect.succeed("0x"), {
    _tag: "UnexpectedReturn",
    message: "balanceOf returned nothing, and the ABI says that it returns a value",
  })
  failing("says that the bytes are of other types", Effect.succeed("0x1234"), {
    _tag: "UnexpectedReturn",
    message: "balanceOf returned bytes that are not of the types that the ABI says",
  })

  effectIt.effect("dies of arguments that the types let through and the ABI does not", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        Effect.provide(Evm.readContract(abi, { ...balance, args: ["0x12"] }), answering(Effect.succeed("0x")).layer),
      )
      expect(String(exit)).toContain("the arguments of balanceOf do not fit the ABI")
    }),
  )
})

it("the names, arguments and results of reads are typed by the ABI", () => {
  type Abi = typeof abi
  expectTypeOf<Evm.ReadName<Abi>>().toEqualTypeOf<"balanceOf" | "get" | "orders" | "ping">()
  expectTypeOf<Evm.ReadArguments<Abi, "balanceOf">>().toEqualTypeOf<readonly [`0x${string}`]>()
  expectTypeOf<Evm.ReadArguments<Abi, "get">>().toEqualTypeOf<readonly [bigint] | readonly [boolean]>()
  expectTypeOf<Evm.ReadResult<Abi, "balanceOf">>().toEqualTypeOf<bigint>()
  expectTypeOf<Evm.ReadResult<Abi, "get", readonly [bigint]>>().toEqualTypeOf<string>()
  expectTypeOf<Evm.ReadResult<Abi, "get", readonly [true]>>().toEqualTypeOf<readonly [number, bigint]>()
  expectTypeOf<Evm.ReadResult<Abi, "ping">>().toEqualTypeOf<undefined>()
  expectTypeOf<Evm.ReadResult<Abi, "orders">>().toEqualTypeOf<
    readonly { id: bigint; maker: `0x${string}`; kind: number }[]
  >()
  // @ts-expect-error a function that changes something is not read
  void (() => Evm.readContract(abi, { address: token, functionName: "transfer", args: [holder] }))
  // @ts-expect-error an argument is missing
  void (() => Evm.readContract(abi, { address: token, functionName: "balanceOf" }))
  // @ts-expect-error an argument of another type
  void (() => Evm.readContract(abi, { address: token, functionName: "balanceOf", args: [1n] }))
})
