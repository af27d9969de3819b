/** A PostgreSQL server for tests, on a socket in its own folder. Its data is removed when it ends. */
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { chownSync, globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export interface PostgresServer extends AsyncDisposable {
  /** The URL of its only database, which any program of this user may open. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Throws when there is no PostgreSQL server on this machine, and says how to get one. */
export const startPostgres = async (): Promise<PostgresServer> => {
  const programs = findPrograms()
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-postgres-"))
  const owner = ownerOf(folder)
  const data = join(folder, "data")
  // Nothing here outlives the test, so nothing has to reach the disk.
  const made = spawnSync(join(programs, "initdb"), ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync"], {
    ...owner,
    encoding: "utf8",
  })
  if (made.status !== 0) throw new Error(`initdb ended: ${made.stderr}`)
  const settings = ["listen_addresses=", `unix_socket_directories=${folder}`, "fsync=off", "max_connections=50"]
  const args = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])]
  const child = spawn(join(programs, "postgres"), args, { ...owner, stdio: ["ignore", "ignore", "pipe"] })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let said = ""
    child.stderr.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-10_000)
      if (said.includes("ready to accept connections")) resolve()
    })
    child.once("exit", () => reject(new Error(`postgres ended: ${said}`)))
  })
  const stop = async () => {
    // Ends the connections that are open as well.
    child.kill("SIGINT")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `postgres://${user}@localhost/postgres?host=${encodeURIComponent(folder)}`
  return { url, stop, [Symbol.asyncDispose]: stop }
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
const ownerOf = (folder: string): { readonly uid?: number; readonly gid?: number; readonly cwd: string } => {
  if (process.getuid?.() !== 0) return { cwd: folder }
  const [uid, gid] = ["-u", "-g"].map((which) => Number(execFileSync("id", [which, user], { encoding: "utf8" })))
  if (uid === undefined || gid === undefined) return { cwd: folder }
  chownSync(folder, uid, gid)
  return { uid, gid, cwd: folder }
}
