import { expect, test } from "vitest"
import { compileLogFilter, type LogFilter, matchesLog } from "../../src/chain/LogFilter.ts"
import type { Hex } from "../../src/index.ts"

const word = (digit: string): Hex => `0x${digit.repeat(64)}`
const A = word("a")
const B = word("b")
const C = word("c")
const address: Hex = `0x${"ab".repeat(20)}`
const other: Hex = `0x${"cd".repeat(20)}`

test.each<[string, LogFilter, ReadonlyArray<Hex>, boolean]>([
  ["no filter passes any log", {}, [A], true],
  ["no filter passes an anonymous log", {}, [], true],
  ["no topics pass any log", { topics: [] }, [A, B], true],
  ["topics of null pass any log", { topics: null }, [A, B], true],
  ["a topic passes the same topic", { topics: [A] }, [A], true],
  ["a topic passes a log with more topics", { topics: [A] }, [A, B, C], true],
  ["a topic does not pass another one", { topics: [A] }, [B], false],
  ["a topic does not pass an anonymous log", { topics: [A] }, [], false],
  ["topics depend on their position", { topics: [A, B] }, [B, A], false],
  ["null passes any topic", { topics: [null, B] }, [A, B], true],
  ["null still asks for the rest", { topics: [null, B] }, [A, C], false],
  ["null asks for a topic to exist", { topics: [null] }, [], false],
  ["a trailing null asks for a topic to exist", { topics: [A, null] }, [A], false],
  ["an empty list passes any topic", { topics: [[], B] }, [A, B], true],
  ["an empty list asks for a topic to exist", { topics: [[]] }, [], false],
  ["a list passes each of its topics", { topics: [[A, B]] }, [B], true],
  ["a list passes no other topic", { topics: [[A, B]] }, [C], false],
  ["a list with null passes any topic", { topics: [[A, null]] }, [C], true],
  ["lists combine", { topics: [[A, B], null, [C]] }, [B, A, C], true],
  ["more positions than topics never pass", { topics: [A, B, C] }, [A, B], false],
  ["the case of a topic does not matter", { topics: [A.toUpperCase().replace("X", "x")] }, [A], true],
  ["an address passes its logs", { address }, [A], true],
  ["another address does not", { address: other }, [A], false],
  ["one of several addresses passes", { address: [other, address] }, [A], true],
  ["no address of several passes", { address: [other] }, [A], false],
  ["an empty list of addresses passes any", { address: [] }, [A], true],
  ["an address of null passes any", { address: null }, [A], true],
  ["the case of an address does not matter", { address: `0x${"AB".repeat(20)}` }, [A], true],
  ["address and topics must both match", { address, topics: [B] }, [A], false],
])("%s", (_name, filter, topics, expected) => {
  expect(matchesLog(compileLogFilter(filter), { address, topics })).toBe(expected)
})

test("the case of a log does not matter either", () => {
  const log = { address: `0x${"AB".repeat(20)}`, topics: [`0x${"A".repeat(64)}`] } as const
  expect(matchesLog(compileLogFilter({ address, topics: [A] }), log)).toBe(true)
})
