/** The files that runs are kept in: as few writes as can be, and always what is wanted by then. */
import { describe, expect, test } from "vitest"

import type { HistoryFiles } from "../../src/history/HistoryFiles.ts"
import { HistoryStore } from "../../src/history/HistoryStore.ts"
import { type RunSummary, runText } from "../../src/history/KeptRun.ts"

const retention = { runs: 200, days: 30 }

/** A folder in memory that writes down what is done to it, and refuses to write some names as often as told. */
const folder = (before: Readonly<Record<string, string>> = {}) => {
  const files = new Map(Object.entries(before))
  const refusals = new Map<string, number>()
  const done: Array<string> = []
  const port: HistoryFiles = {
    read: async (name) => {
      const text = files.get(name)
      if (text === undefined) throw new Error(`there is no ${name}`)
      return text
    },
    write: async (name, text) => {
      done.push(`write ${name}`)
      const refused = refusals.get(name) ?? 0
      refusals.set(name, refused - 1)
      if (refused > 0) throw new Error(`the disk is full for ${name}`)
      files.set(name, text)
    },
    remove: async (name) => {
      done.push(`remove ${name}`)
      files.delete(name)
    },
  }
  const listed = (): ReadonlyArray<string> =>
    JSON.parse(files.get("runs.json") ?? "[]").map(({ id }: { readonly id: string }) => id)
  return { port, files, refusals, done, listed, listWrites: () => done.filter((what) => what === "write runs.json") }
}

const summary = (id: string): RunSummary => ({
  id,
  at: 1_000 + Number(id),
  uri: "file:///a.rpc",
  label: `run ${id}`,
  method: "m",
  line: "✓ 1 log",
  credits: 1,
})

const add = (store: HistoryStore, id: string, limits = retention): Promise<void> =>
  store.add(summary(id), runText({ summary: summary(id), text: "m", result: Number(id) }, []), limits)

const idsOf = async (store: HistoryStore): Promise<ReadonlyArray<string>> => (await store.runs()).map(({ id }) => id)

describe("what is written", () => {
  const check = async (
    work: (store: HistoryStore) => Promise<unknown>,
    expected: { readonly listed: ReadonlyArray<string>; readonly done: ReadonlyArray<string> },
  ) => {
    const disk = folder()
    const store = new HistoryStore(disk.port)
    await work(store)
    expect({ listed: disk.listed(), done: disk.done }).toEqual(expected)
    expect([...disk.files.keys()].toSorted()).toEqual(
      [...expected.listed.map((id) => `${id}.json`), "runs.json"].toSorted(),
    )
    // Anyone who opens the folder next finds the same.
    expect(await idsOf(new HistoryStore(disk.port))).toEqual(expected.listed)
  }

  test("runs that end at once share one write of the list, newest first", () =>
    check((store) => Promise.all(["1", "2", "3"].map((id) => add(store, id))), {
      listed: ["3", "2", "1"],
      done: ["write 1.json", "write 2.json", "write 3.json", "write runs.json"],
    }))

  test("runs beyond the retention are never written", () =>
    check((store) => Promise.all(["1", "2", "3"].map((id) => add(store, id, { runs: 1, days: 30 }))), {
      listed: ["3"],
      done: ["write 3.json", "write runs.json"],
    }))

  test("a run that is pushed out loses its file after the list has lost its name", () =>
    check(
      async (store) => {
        await add(store, "1")
        await add(store, "2", { runs: 1, days: 30 })
      },
      {
        listed: ["2"],
        done: ["write 1.json", "write runs.json", "write 2.json", "write runs.json", "remove 1.json"],
      },
    ))

  test("a run that is removed before its turn is never written", () =>
    check((store) => Promise.all([add(store, "1"), add(store, "2"), store.remove(["1"])]), {
      listed: ["2"],
      done: ["write 2.json", "write runs.json"],
    }))

  test("clearing forgets what waits, and keeps what comes after", () =>
    check((store) => Promise.all([add(store, "1"), store.clear(), add(store, "2")]), {
      listed: ["2"],
      done: ["write 2.json", "write runs.json"],
    }))
})

test("runs that end while others are written wait for one more pass, however many they are", async () => {
  const disk = folder()
  const store = new HistoryStore(disk.port)
  let later: ReadonlyArray<Promise<void>> = []
  const files = disk.port.write
  Object.assign(disk.port, {
    write: async (name: string, text: string) => {
      if (name === "1.json") later = Array.from({ length: 50 }, (_, index) => add(store, String(index + 2)))
      await files(name, text)
    },
  })
  await add(store, "1")
  expect(disk.listed()).toEqual(["1"])
  await Promise.all(later)
  expect(disk.listed()).toHaveLength(51)
  expect(disk.listWrites()).toHaveLength(2)
})

test("a run that is removed while it is written is gone in the end", async () => {
  const disk = folder()
  const store = new HistoryStore(disk.port)
  const { write } = disk.port
  let removed: Promise<void> | undefined
  Object.assign(disk.port, {
    write: async (name: string, text: string) => {
      if (name === "1.json") removed = store.remove(["1"])
      await write(name, text)
    },
  })
  await add(store, "1")
  await removed
  expect([...disk.files.keys()]).toEqual(["runs.json"])
  expect(disk.listed()).toEqual([])
})

test("a run that cannot be written is reported, and costs no other its place", async () => {
  const disk = folder()
  disk.refusals.set("2.json", 1)
  const store = new HistoryStore(disk.port)
  const outcomes = await Promise.allSettled(["1", "2", "3"].map((id) => add(store, id)))
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(disk.listed()).toEqual(["3", "1"])
  expect(await idsOf(store)).toEqual(["3", "1"])
})

test("a list that cannot be written is reported, and written with the next run", async () => {
  const disk = folder()
  disk.refusals.set("runs.json", 1)
  const store = new HistoryStore(disk.port)
  await expect(add(store, "1")).rejects.toThrow("the disk is full for runs.json")
  expect(disk.listed()).toEqual([])
  await add(store, "2")
  expect(disk.listed()).toEqual(["2", "1"])
})

test("a run can be read before and after it is written, until it is removed", async () => {
  const store = new HistoryStore(folder().port)
  const adding = add(store, "7")
  expect((await store.read("7")).result).toBe(7)
  await adding
  expect((await store.read("7")).result).toBe(7)
  await store.remove(["7"])
  await expect(store.read("7")).rejects.toThrow("This run is no longer kept.")
})

test("listeners are notified once for all runs of a pass, until they stop listening", async () => {
  const store = new HistoryStore(folder().port)
  let told = 0
  const listening = store.onDidChange(() => told++)
  await Promise.all(["1", "2", "3"].map((id) => add(store, id)))
  expect(told).toBe(1)
  listening.dispose()
  await store.clear()
  expect(told).toBe(1)
})

test("a list that cannot be read begins again", async () => {
  const store = new HistoryStore(folder({ "runs.json": "[{" }).port)
  expect(await idsOf(store)).toEqual([])
})
