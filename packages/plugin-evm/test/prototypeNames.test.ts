/** Names that every object of JavaScript has, in declarations of contracts. */
import { Json } from "@dotrpc/spec"
import { describe, expect, it } from "vitest"
import { Evm } from "../src/index.ts"
import { word } from "./samples/values.ts"

/** `constructor` is a word of the language, and no event may have it for a name. */
const names = ["__proto__", "toString", "hasOwnProperty", "valueOf", "prototype", "then", "toJSON"]

describe.each(names)("the name %s", (name) => {
  it("names an event and its argument", () => {
    const topic = Evm.event(`${name}(uint256)`)
    const found = Evm.decodeLog({ topics: [topic], data: word("7") }, Evm.abi(`event ${name}(uint256 ${name})`))
    expect(found === undefined ? undefined : [found.event, Json.stringify(found.args)]).toEqual([name, `{"${name}":7}`])
  })
})
