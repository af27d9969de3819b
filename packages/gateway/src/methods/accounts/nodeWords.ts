/** What a validator ignores in params, and its messages about those that are wrong. */
import { Json } from "@dotrpc/spec"
import { base58 } from "@scure/base"
import { Result } from "effect"
import { type Fault, invalidParams } from "../Fault.ts"
import { withoutNulls } from "../ServedMethod.ts"

/** Params whose last one, at `position`, is a config: a null there is none, and so are null members. */
export const withoutNullConfig =
  (position: number) =>
  (params: Json.Json): Json.Json => {
    if (!Json.isArray(params)) return params
    const config = params[position]
    if (config === undefined || params.length > position + 1) return params
    const before = params.slice(0, position)
    return config === null ? before : [...before, withoutSlice(withoutNulls(config))]
  }

/** A slice of parsed data is ignored. */
const withoutSlice = (config: Json.Json): Json.Json => {
  if (!Json.isObject(config) || config.encoding !== "jsonParsed") return config
  const { dataSlice: _, ...parsed } = config
  return parsed
}

/** Params that should begin with keys and end with a config. */
export const keyParamsFault =
  (keys: number) =>
  (params: Json.Json): Fault | undefined => {
    if (!Json.isArray(params)) return undefined
    if (params.length < keys) return tooFew(keys)
    const problem = params
      .slice(0, keys)
      .map(keyProblem)
      .find((found) => found !== undefined)
    return problem === undefined ? configFault(params[keys]) : invalidParams(`Invalid param: ${problem}`)
  }

export const tooFew = (count: number): Fault => invalidParams(`\`params\` should have at least ${count} argument(s)`)

/** A config with an encoding or a commitment that does not exist. */
export const configFault = (config: Json.Json | undefined): Fault | undefined =>
  Json.isObject(config)
    ? (variantFault(config.encoding, encodings) ?? variantFault(config.commitment, commitments))
    : undefined

const encodings = ["base58", "base64", "base64+zstd", "jsonParsed"]
const commitments = ["processed", "confirmed", "finalized"]

const variantFault = (value: Json.Json | undefined, known: ReadonlyArray<string>): Fault | undefined =>
  typeof value !== "string" || known.includes(value)
    ? undefined
    : invalidParams(
        `Invalid params: unknown variant \`${value}\`, expected one of ${known.map((name) => `\`${name}\``).join(", ")}.`,
      )

/** What a validator says of text that is not a key. */
export const keyProblem = (key: Json.Json | undefined): string | undefined => {
  if (typeof key !== "string") return undefined
  // Decoding takes time in the square of the length; 44 characters hold every key.
  if (key.length > 44) return "WrongSize"
  const bytes = Result.try(() => base58.decode(key))
  if (Result.isFailure(bytes)) return "Invalid"
  return bytes.success.length === 32 ? undefined : "WrongSize"
}
