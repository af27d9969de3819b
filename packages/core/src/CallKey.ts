/** The names of calls: equal calls have one, and no secret can be found in it. */
import * as Effect from "effect/Effect"
import { Json, KeySalt, placeOf, type RpcRequest } from "@dotrpc/spec"

/**
 * By what a call is known wherever its answer is kept: where it goes, under any name of the network, how, its method and its params. Nobody
 * without the `KeySalt` of the user can try params against it.
 *
 * @example
 * ```ts
 * const key = callKey({ method: Evm.GetBalance, network: mainnet, params: [address, "latest"] })
 * ```
 */
export const callKey = (
  { method, network, params }: Pick<RpcRequest, "method" | "network" | "params">,
  how = "",
): Effect.Effect<string> =>
  keyOf([placeOf({ ...network, id: "" }), how, method.plugin, method.name, canonical(params)].join("\n"))

/** As {@link callKey}, of a call that is known by a text. */
export const keyOf = (text: string): Effect.Effect<string> =>
  Effect.flatMap(Effect.flatten(KeySalt), (salt) => digestOf(`${salt}\n${text}`))

/** JSON as one text per value: members in the order of their names, so that equal params have equal text. */
export const canonical = (value: Json.Json): string => {
  if (Json.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (!Json.isObject(value)) return Json.stringify(value)
  const members: Array<string> = []
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name]
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${canonical(member)}`)
  }
  return `{${members.join(",")}}`
}

/** A short name for a long text: 128 bits of its SHA-256, in hexadecimal. */
export const digestOf = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(""),
  )
