/** Real processes that share a rate and a breaker through one file. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, it } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "dotrpc-shared-"))
const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill("SIGKILL")
  rmSync(folder, { recursive: true })
})

const start = (...args: ReadonlyArray<string>) => {
  const worker = join(import.meta.dirname, "worker.ts")
  const child = spawn(process.execPath, ["--conditions=dotrpc-source", worker, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  running.add(child)
  const ended = once(child, "exit").then(([code]) => {
    running.delete(child)
    return code
  })
  return { child, ended }
}

it("send no faster together than one of them may", async () => {
  const began = performance.now()
  const all = Array.from({ length: 3 }, () => start("rate", join(folder, "rate.sqlite"), "80"))
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0])
  // Ten calls are saved up at first, and the others go at 100 a second.
  expect(performance.now() - began).toBeGreaterThanOrEqual((3 * 80 - 10) * 10)
}, 60_000)

it("keep their rate when one of them is killed", async () => {
  const file = join(folder, "killed.sqlite")
  const [one, other] = [start("rate", file, "1000000"), start("rate", file, "100")]
  await once(one.child.stdout, "data")
  one.child.kill("SIGKILL")
  await one.ended
  expect(await other.ended).toBe(0)
}, 60_000)

it("stop together when the endpoint is down", async () => {
  let calls = 0
  const server = createServer((socket) => {
    socket
      .on("error", () => undefined)
      .once("data", () => {
        calls++
        socket.destroy()
      })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = server.address() as AddressInfo
  const all = Array.from({ length: 4 }, () =>
    start("breaker", join(folder, "breaker.sqlite"), `http://127.0.0.1:${port}/`),
  )
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
  // Five failures open it, and each of the others may have had a call in flight.
  expect(calls).toBeGreaterThanOrEqual(5)
  expect(calls).toBeLessThanOrEqual(5 + 3)
  server.close()
}, 60_000)
