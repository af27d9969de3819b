/** The laws of the one small memory, in a file, in the state of an editor and in this process alone. */
import { Json, type KeptCodec, keptMap, type KeptText } from "@dotrpc/spec"
import { Effect } from "effect"
import fc from "fast-check"
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { keptFile } from "../src/node/index.ts"
import { folderWith } from "./folder.ts"

const codec: KeptCodec<number> = {
  encode: (value) => value,
  decode: (json) => (typeof json === "number" ? json : undefined),
}
/** The state of an editor: it takes a text at once, and says later whether it could. */
const memento = () => {
  const state = new Map<string, unknown>()
  return (): KeptText => ({
    read: () => state.get("kept"),
    write: async (text) => void state.set("kept", text),
  })
}
const file = () => {
  const path = join(folderWith({}), "data", "kept.json")
  return () => keptFile(path)
}
/** What opens one more map over the same place. */
const open = (text: () => KeptText, most = 3) => keptMap({ most, in: { ...text(), codec } })

// Names of members that an object would put elsewhere, or has already.
const key = fc.constantFrom("a", "b", "1", "0", "__proto__", "constructor", "line\nbreak")
const entry = fc.tuple(key, fc.nat(5))

const stores = { file, memento, memory: undefined }
describe.each(Object.entries(stores))("a map in a %s", (_, place) => {
  it("has what was set last, up to its bound", () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), fc.integer({ min: 1, max: 4 }), (entries, most) => {
        const kept = place === undefined ? keptMap<number>({ most }) : open(place(), most)
        let known: ReadonlyArray<readonly [string, number]> = []
        for (const [name, value] of entries) {
          const before = known.find(([other]) => other === name)
          // What is as it was is not written again.
          if (place === undefined || before?.[1] !== value)
            known = [...known.filter((one) => one !== before), [name, value] as const].slice(-most)
          kept.set(name, value)
          expect(kept.entries()).toEqual(known)
        }
      }),
      { numRuns: 30 },
    )
  })
})

const texts = { file, memento }
describe.each(Object.entries(texts))("two processes over a %s", (_, make) => {
  it("lose nothing of each other within the bound", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), entry), { maxLength: 20 }), (steps) => {
        const place = make()
        const [one, other] = [open(place, 9), open(place, 9)]
        const known = new Map<string, number>()
        for (const [isOne, [name, value]] of steps) {
          ;(isOne ? one : other).set(name, value)
          known.set(name, value)
        }
        for (const kept of [one, other, open(place, 9)]) expect(new Map(kept.entries())).toEqual(known)
      }),
      { numRuns: 30 },
    )
  })

  it.each(["", "{", "7", "[1,2", '{"a":1}', '[["a"],["b","text"],7,[7,1]]'])("begins again after %j", (damaged) => {
    const place = make()
    void place().write(damaged)
    const kept = open(place)
    expect(kept.entries()).toEqual([])
    kept.set("a", 1)
    expect(open(place).entries()).toEqual([["a", 1]])
  })

  it("writes several entries together, and none that is known", () => {
    const place = make()
    let writes = 0
    const counted = (): KeptText => {
      const { read, write } = place()
      return { read, write: (text) => (writes++, write(text)) }
    }
    const kept = open(counted, 9)
    kept.setAll([
      ["a", 1],
      ["b", 2],
    ])
    kept.set("b", 2)
    expect(writes).toBe(1)
  })

  it("keeps its entries short enough to be read again", () => {
    const long: KeptCodec<string> = { encode: (value) => value, decode: (json) => String(json) }
    const place = make()
    const kept = keptMap<string>({ most: 100, characters: 1_000, in: { ...place(), codec: long } })
    for (let each = 0; each < 100; each++) kept.set(`${each}`, "x".repeat(each * 20))
    expect(Json.stringify(kept.entries().map(([name, value]) => [name, value])).length).toBeLessThan(1_200)
    expect(kept.get("99")).toBeUndefined()
  })
})

describe("a store that fails", () => {
  const broken = new Error("the disk is full")
  const fails = (what: string, text: KeptText) =>
    it(`by ${what} fails nothing, and its values last as long as the process`, async () => {
      const kept = open(() => text)
      await Effect.runPromise(kept.write("a", 1))
      await Effect.runPromise(kept.write("a", 2))
      expect(await Effect.runPromise(kept.read("a"))).toBe(2)
      expect(kept.entries()).toEqual([["a", 2]])
    })
  fails("rejecting", { read: () => '[["a",0]]', write: () => Promise.reject(broken) })
  fails("throwing", {
    read: () => {
      throw broken
    },
    write: () => {
      throw broken
    },
  })
  const folder = folderWith({})
  mkdirSync(join(folder, "kept.json"))
  fails("being a folder", keptFile(join(folder, "kept.json")))
})

describe("a file", () => {
  it("is for its owner's eyes only, and nothing is left beside it", () => {
    const path = join(folderWith({}), "data", "kept.json")
    open(() => keptFile(path)).set("a", 1)
    if (process.platform !== "win32") expect(statSync(path).mode & 0o077).toBe(0)
    expect(readdirSync(dirname(path))).toEqual(["kept.json"])
  })

  it("is read again when another has written it, and only then", () => {
    const path = join(folderWith({}), "kept.json")
    const text = keptFile(path)
    expect(text.read()).toBeUndefined()
    writeFileSync(path, "one")
    const first = text.read()
    expect([first, text.read()]).toEqual(["one", "one"])
    writeFileSync(path, "other")
    expect(text.read()).toBe("other")
  })
})
