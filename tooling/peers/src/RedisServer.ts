/** A Redis server on a free port of this machine, which keeps nothing on disk. */
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { startChild } from "./Child.ts"
import { deadPort } from "./ports.ts"

export interface RedisServer {
  readonly port: string
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Throws when there is no Redis server on this machine, and says how to get one. */
export const startRedis = async (port?: string, ...options: ReadonlyArray<string>): Promise<RedisServer> => {
  if (spawnSync(program, ["--version"]).status !== 0)
    throw new Error(`These tests need ${program}: apt-get install redis-server, or brew install redis.`)
  const chosen = port ?? (await deadPort())
  const place = ["--port", chosen, "--bind", "127.0.0.1", "--dir", tmpdir(), "--save", "", "--appendonly", "no"]
  const child = startChild(program, [...place, ...options])
  await child.said(/Ready to accept connections/)
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    stop: child.stop,
  }
}

const program = "redis-server"
