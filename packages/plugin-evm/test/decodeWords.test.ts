import { runs } from "@dotrpc/vitest/depth"
import fc from "fast-check"
import { expect, it } from "vitest"
import { decodeValues } from "../src/abi/decodeValues.ts"

const sizes = Array.from({ length: 32 }, (_, index) => index + 1)
const types = [
  "bool",
  "address",
  "function",
  ...sizes.flatMap((bytes) => [`uint${bytes * 8}`, `int${bytes * 8}`, `bytes${bytes}`]),
]

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => Buffer.from(all).toString("hex"))

/** Words as encoders write them, and others: with zeros or ones before or after a few bytes. */
const word = fc.oneof(
  fc
    .nat({ max: 32 })
    .chain((bytes) =>
      fc
        .tuple(hex(bytes), fc.constantFrom("0", "f"), fc.boolean())
        .map(([some, fill, isFirst]) => (isFirst ? some.padEnd(64, fill) : some.padStart(64, fill))),
    ),
  hex(32),
)

it("a value of one word is the same when it is read as the member of a tuple, by the library", () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...types), word), { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", "00", "f".repeat(64)),
      fc.boolean(),
      (members, rest, isCut) => {
        const parameters = members.map(([type], index) => ({ name: `m${index}`, type }))
        const whole = `0x${members.map(([, digits]) => digits).join("")}${rest}` as const
        const data = isCut ? (whole.slice(0, -2) as `0x${string}`) : whole
        const [tuple] = decodeValues([{ name: "t", type: "tuple", components: parameters }], data) ?? []
        expect(decodeValues(parameters, data)).toEqual(tuple === undefined ? undefined : Object.values(tuple as object))
      },
    ),
    { numRuns: runs(2_000) },
  ))
