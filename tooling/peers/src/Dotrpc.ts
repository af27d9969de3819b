/**
 * The built `dotrpc`, run as a shell runs it.
 *
 * Invariant: no run of any test may print the API key it was given; one that does fails where it happens.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { Json } from "@dotrpc/spec"
import { type Child, startChild } from "./Child.ts"

/** Where the `.rpc` files and their `rpc.config.json` are. */
export const requestsFolder = join(import.meta.dirname, "../requests")

export interface Run {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

export type Environment = Readonly<Record<string, string>> & {
  /** What `$secret.API_KEY` stands for. */
  readonly API_KEY?: string
}

/** Runs a command to its end, in the folder of the requests unless another is given. */
export const dotrpc = async (
  args: ReadonlyArray<string>,
  env: Environment = {},
  cwd: string = requestsFolder,
): Promise<Run> => finished(startDotrpc(args, env, cwd), env)

/** Starts a command, with this environment only. */
export const startDotrpc = (args: ReadonlyArray<string>, env: Environment = {}, cwd: string = requestsFolder): Child =>
  startChild(process.execPath, [commandFile(), ...args], {
    env: {
      NO_COLOR: "1",
      DOTRPC_ALLOW_HOSTS: "http://127.0.0.1,http://localhost,http://[::1],redis://127.0.0.1,postgres://127.0.0.1",
      ...env,
    },
    cwd,
  })

/** Waits for the end of a command. */
export const finished = async (child: Child, env: Environment): Promise<Run> => {
  const exitCode = await child.ended
  const [stdout, stderr] = [child.stdout(), child.stderr()]
  if (typeof exitCode !== "number") throw new Error(`dotrpc was ended by ${exitCode}:\n${stdout}${stderr}`)
  if (env.API_KEY !== undefined) refuseKey(env.API_KEY, { stdout, stderr })
  return { exitCode, stdout, stderr }
}

/** Fails when a text holds the key, as it is or as it stands in an address. */
export const refuseKey = (key: string, texts: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(texts)) {
    for (const form of [key, encodeURIComponent(key)]) {
      const at = text.indexOf(form)
      if (at >= 0) throw new Error(`${name} holds the API key: …${text.slice(Math.max(0, at - 80), at + 80)}…`)
    }
  }
}

/** One request of a `--format json` report. */
export interface RequestReport {
  readonly name: string
  readonly status: string
  readonly calls: number
  readonly credits: number
  readonly result: Json.Json | undefined
  readonly error: Json.JsonObject | undefined
  /** What was unexpected in the result. */
  readonly notes: ReadonlyArray<string>
  readonly failedChecks: ReadonlyArray<string>
}

/** The part of a `--format json` report that the tests read. */
export interface Report {
  readonly ok: Json.Json | undefined
  readonly spent: Json.Json | undefined
  readonly requests: Readonly<Record<string, RequestReport>>
}

/** Reads the report of a run without losing a digit; fails with what the command said when there is none. */
export const reportOf = (run: Run): Report => {
  const report = readJson(run)
  const credits = Json.isObject(report) ? report["credits"] : undefined
  const files = Json.isObject(report) ? report["files"] : undefined
  if (!Json.isObject(report) || !Json.isObject(credits) || !Json.isArray(files))
    throw new Error(`no report: ${summaryOf(run)}`)
  const requests = files
    .flatMap((file) => (Json.isObject(file) && Json.isArray(file["requests"]) ? file["requests"] : []))
    .filter(Json.isObject)
    .map(requestOf)
  return {
    ok: report["ok"],
    spent: credits["spent"],
    requests: Object.fromEntries(requests.map((request) => [request.name, request])),
  }
}

const requestOf = (request: Json.JsonObject): RequestReport => {
  const { calls, checks, credits, error, name, notes, result, status } = request
  return {
    name: String(name),
    status: String(status),
    calls: Number(calls),
    credits: Number(credits),
    result,
    error: Json.isObject(error) ? error : undefined,
    notes: (Json.isArray(notes) ? notes : []).map(String),
    failedChecks: (Json.isArray(checks) ? checks : [])
      .filter(Json.isObject)
      .filter((check) => check["ok"] !== true)
      .map((check) => Json.stringify(check)),
  }
}

const readJson = (run: Run): Json.Json => {
  try {
    return Json.parse(run.stdout)
  } catch (error) {
    throw new Error(`stdout is not JSON: ${summaryOf(run)}`, { cause: error })
  }
}

const summaryOf = ({ exitCode, stderr, stdout }: Run): string =>
  `exit code ${exitCode}\nstdout: ${stdout.slice(0, 2_000)}\nstderr: ${stderr.slice(0, 2_000)}`

export const commandFile = (): string => {
  const manifest = createRequire(import.meta.url).resolve("@dotrpc/cli/package.json")
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly bin: { readonly dotrpc: string } }
  return join(dirname(manifest), bin.dotrpc)
}
