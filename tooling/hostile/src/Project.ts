/** A folder with a configuration and a file of requests, whose balance is in the folder as well. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { asks, type Case } from "./Case.ts"
import { type Bounds, dotrpc, type Outcome, type Place } from "./Command.ts"
import { key } from "./Key.ts"

export interface Project extends Disposable {
  readonly folder: string
  readonly place: Place
  readonly read: (file: string) => string
}

/** Writes files below a new folder. Keys come from the environment, as in CI. Its balance may be kept in a folder for several. */
export const makeProject = (files: Readonly<Record<string, string>>, data?: string): Project => {
  const folder = mkdtempSync(join(tmpdir(), "dotrpc-hostile-"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    place: {
      cwd: folder,
      env: {
        API_KEY: key,
        // The hosts here are this machine's own, on another port each time.
        DOTRPC_ALLOW_HOSTS: "http://127.0.0.1",
        XDG_DATA_HOME: data ?? join(folder, "data"),
        XDG_CONFIG_HOME: join(folder, "config"),
      },
    },
    read: (file) => readFileSync(join(folder, file), "utf8"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A project that asks each case, and afterwards a node that is well. */
export const projectOf = (origin: string, cases: ReadonlyArray<Case>, data?: string): Project => {
  const network = ({ name, plugin = "evm" }: Pick<Case, "name" | "plugin">) => [
    name,
    {
      plugin,
      url: `${origin}/${name}/v3/{{$secret.API_KEY}}`,
      wsUrl: `${origin.replace("http", "ws")}/${name}/ws/v3/{{$secret.API_KEY}}`,
    },
  ]
  const config = { networks: Object.fromEntries([...cases, well].map(network)), ledger: "file" }
  const files = { "rpc.config.json": JSON.stringify(config), "hostile.rpc": [...cases, well].map(section).join("\n") }
  return makeProject(files, data)
}

/** A node that answers as it should, to show that a run goes on. */
export const well: Case = {
  name: "well",
  http: ({ id, response }) => void response.end(JSON.stringify({ jsonrpc: "2.0", id, result: `0x${"0".repeat(64)}` })),
  status: ["ok"],
}

/** The name a request has in reports. */
export const nameOf = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, "_")

/** What is answered must not be missed on a machine that is busy with other things; what waits is not waited for. */
const timeoutOf = ({ status }: Case): string => (status === undefined || status.includes("failed") ? "5s" : "300s")

const section = (row: Case): string => {
  const { ask = asks.storage, directives = [], name } = row
  const usual = [`@timeout ${timeoutOf(row)}`, "@retry 0"].filter(
    (line) => !directives.some((own) => own.split(" ")[0] === line.split(" ")[0]),
  )
  const lines = [`@name ${nameOf(name)}`, `@network ${name}`, ...usual, ...directives].map((line) => `# ${line}`)
  return [`### ${name}`, ...lines, ask, ""].join("\n")
}

/** What `dotrpc credits` says of the project's balance. */
export interface Balance {
  readonly daily: number
  readonly spent: number
  readonly remaining: number
}

export const balanceOf = async ({ place }: Project, bounds: Bounds): Promise<Balance> => {
  const { stderr, stdout } = await dotrpc(["credits", "--format", "json"], place, bounds)
  try {
    return JSON.parse(stdout) as Balance
  } catch (error) {
    throw new Error(`no balance: ${stdout}${stderr}`, { cause: error })
  }
}

/** What is shown of a command when something is wrong with it. */
export const summaryOf = ({ code, exceeded, megabytes, seconds, signal, stderr, stdout }: Outcome): string =>
  JSON.stringify({
    code,
    signal,
    exceeded,
    megabytes,
    seconds,
    stdout: stdout.slice(0, 1_000),
    stderr: stderr.slice(0, 1_000),
  })
