/** A Redis server on a free port of this machine, which keeps nothing on disk. */
import { spawn, spawnSync } from "node:child_process"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"

export interface RedisServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

const program = "redis-server"

/** Throws when there is no Redis server on this machine, and says how to get one. */
export const startRedis = async (): Promise<RedisServer> => {
  if (spawnSync(program, ["--version"]).status !== 0)
    throw new Error(`This needs ${program}: apt-get install redis-server, or brew install redis.`)
  const port = await freePort()
  const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", tmpdir(), "--save", "", "--appendonly", "no"]
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes("Ready to accept connections")) resolve()
    })
    child.once("exit", () => reject(new Error(`${program} ended: ${said}`)))
  })
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => {
      child.kill()
      return ended
    },
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
