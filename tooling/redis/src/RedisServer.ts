/** A Redis server of the tests' own, on a free port of the loopback interface. What it keeps is gone when it ends. */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface RedisServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly stop: () => Promise<void>
}

const program = "redis-server"

/** Throws when there is no Redis server on this machine, and says how to get one. */
export const startRedis = async (port?: number, ...options: ReadonlyArray<string>): Promise<RedisServer> => {
  if (spawnSync(program, ["--version"]).status !== 0)
    throw new Error(`These tests need ${program}: apt-get install redis-server, or brew install redis.`)
  const chosen = port ?? (await freePort())
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-redis-"))
  const args = ["--port", `${chosen}`, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"]
  const child = spawn(program, [...args, ...options], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes("Ready to accept connections")) resolve()
    })
    child.once("exit", () => reject(new Error(`${program} ended: ${said}`)))
  })
  const stop = async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  return { port: chosen, url: `redis://127.0.0.1:${chosen}`, stop, [Symbol.asyncDispose]: stop }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })
