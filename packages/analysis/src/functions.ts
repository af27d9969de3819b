/** The functions every file has, whatever its plugins: `hex`, `number`, `now`. */
import { Json, type PluginFunction } from "@dotrpc/spec"
import { integerOf, integerValue } from "./Value.ts"

/** The language's own functions; `now` is the workspace's time in milliseconds, so that a file reads the same time throughout. */
export const languageFunctions = (now: number): ReadonlyArray<PluginFunction> => [
  {
    name: "hex",
    signature: "hex(integer)",
    docs: 'The integer as a hex quantity.\n\n```rpc\n{{hex(100)}}    // "0x64"\n```',
    call: ([value]) => {
      const integer = value === undefined ? undefined : integerOf(value)
      if (integer === undefined || integer < 0n) return { problem: "expected one integer, 0 or more" }
      return { value: `0x${integer.toString(16)}` }
    },
  },
  {
    name: "number",
    signature: "number(text)",
    docs: 'The integer a hex quantity or decimal text stands for.\n\n```rpc\n{{number("0x64")}}    // 100\n```',
    call: ([value]) => {
      const integer = value === undefined ? undefined : integerOf(value)
      if (integer !== undefined) return { value: integerValue(integer) }
      return { problem: `expected a hex quantity or decimal digits, found ${Json.stringify(value ?? null)}` }
    },
  },
  {
    name: "now",
    signature: "now()",
    docs: "Seconds since 1970, when the run began.\n\n```rpc\n{{now() - 3600}}    // an hour before the run\n```",
    call: () => ({ value: Math.floor(now / 1_000) }),
  },
]
