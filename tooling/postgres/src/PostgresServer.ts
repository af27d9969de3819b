/** A PostgreSQL server for tests, on a socket in its own folder and a free port of the loopback interface. Its data is removed when it ends. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface PostgresServer extends AsyncDisposable {
  /** The URL of its only database, which any program of this user may open. */
  readonly url: string
  /** The port of the same database on 127.0.0.1. */
  readonly port: number
  /** Ends it at once, as a crash does: what it was at is undone when it starts again. */
  readonly crash: () => Promise<void>
  /** Starts it again, on the same port, with its data. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Throws when there is no PostgreSQL server on this machine, and says how to get one. */
export const startPostgres = async (settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> => {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-postgres-"))
  const owner = ownerOf(folder)
  const data = join(folder, "data")
  const port = await freePort()
  // Nothing here outlives the test, so nothing has to reach the disk.
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...owner,
    encoding: "utf8",
  })
  if (made.status !== 0) throw new Error(`initdb ended: ${made.stderr}`)
  const all = {
    listen_addresses: "127.0.0.1",
    port: `${port}`,
    unix_socket_directories: folder,
    fsync: "off",
    max_connections: "50",
    ...settings,
  }
  const args = ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])]
  let child: ChildProcess | undefined
  const start = async () => {
    child = await run(join(programs, "postgres"), args, owner)
  }
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    if (child?.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill(signal)
    await ended
  }
  const stop = async () => {
    // Ends the connections that are open as well.
    await end("SIGINT")
    rmSync(folder, { recursive: true, force: true })
  }
  await start()
  const url = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(folder)}&port=${port}`
  return { url, port, crash: () => end("SIGQUIT"), start, stop, [Symbol.asyncDispose]: stop }
}

/** Resolves when it accepts connections. */
const run = async (program: string, args: ReadonlyArray<string>, owner: Owner): Promise<ChildProcess> => {
  const child = spawn(program, args, { ...owner, stdio: ["ignore", "ignore", "pipe"] })
  await new Promise<void>((resolve, reject) => {
    let said = ""
    child.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000)
      if (said.includes("ready to accept connections")) resolve()
    })
    child.once("exit", () => reject(new Error(`postgres ended: ${said}`)))
  })
  return child
}

/** A port of the loopback interface that nothing listens on now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

const user = "postgres"

/** Debian installs them outside the path, in a folder for each version. */
const findPrograms = (): string => {
  const [found] = globSync("/usr/lib/postgresql/*/bin/postgres").toSorted().toReversed()
  if (found !== undefined) return dirname(found)
  const onPath = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" })
  if (onPath.status === 0) return onPath.stdout.trim()
  throw new Error("These tests need a PostgreSQL server: apt-get install postgresql, or brew install postgresql.")
}

/** PostgreSQL refuses to run as root; then it runs as the user that Debian's package creates. */
const ownerOf = (folder: string): Owner => {
  if (process.getuid?.() !== 0) return { cwd: folder }
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, user], { encoding: "utf8" })))
  if (uid === undefined || gid === undefined) return { cwd: folder }
  chownSync(folder, uid, gid)
  return { uid, gid, cwd: folder }
}

interface Owner {
  readonly uid?: number | undefined
  readonly gid?: number | undefined
  readonly cwd: string
}
