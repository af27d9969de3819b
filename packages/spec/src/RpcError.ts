/**
 * The only error of the runtime. It names the method and the network; its `reason` says why.
 *
 * Invariant: no message contains a URL or a key.
 */
import * as Data from "effect/Data"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import type { Json } from "./Json.ts"
import { type Outcome, outcomes } from "./Price.ts"
import { ExactJson, makeReasonCodec } from "./internal/reasonCodec.ts"
import type { Reason } from "./RpcReason.ts"

/** Node asks for it by this name, and so do Bun and Deno. */
const forConsoles = Symbol.for("nodejs.util.inspect.custom")

/**
 * A failed call. `outcome` decides what was charged (see `Price`). `data` is what the server's error held besides its code
 * and its words, such as the bytes a contract reverted with, without secrets.
 */
export class RpcError extends Data.TaggedError("RpcError")<{
  readonly method: string
  readonly network: string
  readonly reason: Reason
  readonly outcome: Outcome
  readonly data?: Json | undefined
}> {
  /**
   * The error as a schema, so that it crosses to another process, as an error of an `Rpc`, a workflow or an entity of a
   * cluster. What crosses is JSON without secrets; what comes out has the same fields, message, code and advice.
   *
   * @example
   * ```ts
   * import { Rpc } from "effect/rpc"
   *
   * const getLogs = Rpc.make("GetLogs", { success: Logs, error: RpcError.schema })
   * ```
   */
  static get schema(): Schema.Codec<RpcError, RpcError> {
    codec ??= makeCodec()
    return codec
  }

  override get message(): string {
    return `${this.method} on ${this.network}: ${this.reason.message}`
  }

  /** Stable code of the reason, such as `RPC-2001`. */
  get code(): string {
    return this.reason.code
  }

  get advice(): string {
    return this.reason.advice
  }

  /** True when sending the very same request again may succeed. */
  get retryable(): boolean {
    return this.reason.retryable
  }

  /** What a console of Node shows: the message with its code, the advice, and where it comes from. */
  [forConsoles](): string {
    const { stack = "" } = this
    const at = stack.indexOf("\n    at ")
    return `RpcError ${this.code}: ${this.message}\n  ${this.advice}${at < 0 ? "" : stack.slice(at)}`
  }
}

const makeCodec = () => {
  const fields = Schema.Struct({
    method: Schema.String,
    network: Schema.String,
    reason: makeReasonCodec(),
    outcome: Schema.Literals(outcomes),
    data: Schema.optional(ExactJson),
  })
  type Fields = (typeof fields)["Type"]
  const transformation = SchemaTransformation.transform({
    decode: (fields: Fields) => new RpcError(fields),
    encode: (error: RpcError): Fields => error,
  })
  return Schema.declare(isRpcError, {
    identifier: "RpcError",
    expected: "RpcError",
    toCodecJson: () => Schema.link<RpcError>()(fields, transformation),
  })
}

/** By its tag: a plugin may have its own copy of the class. */
const isRpcError = (value: unknown): value is RpcError =>
  value instanceof Error && "_tag" in value && value._tag === "RpcError"

let codec: Schema.Codec<RpcError, RpcError> | undefined
