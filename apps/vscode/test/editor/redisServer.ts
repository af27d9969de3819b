/** A Redis server on this machine that keeps nothing when it ends. Needs Debian's `redis-server`. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"

export interface RedisServer extends AsyncDisposable {
  readonly port: number
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] })
  const ended = once(server, "exit")
  for await (const line of createInterface(server.stdout)) if (line.includes("Ready to accept connections")) break
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.kill()
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  if (typeof address !== "object" || address === null) throw new Error("There is no free port.")
  return address.port
}
