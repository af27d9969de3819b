/** The command as a stranger has it: unpacked from its tarball into an empty folder, and run in folders of the stranger's own. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { expect } from "vitest"

const tarballs = join(import.meta.dirname, "../../node_modules/.tarballs")

/** Everything that a test of the command leaves. */
export const room = mkdtempSync(join(tmpdir(), "dotrpc-command-"))
export const leave = (): void => {
  for (const child of running) child.kill("SIGKILL")
  rmSync(room, { recursive: true, force: true })
}

/** What a test that fails has not ended. */
const running = new Set<ChildProcess>()

interface Manifest {
  readonly name: string
  readonly bin: { readonly dotrpc: string }
  readonly version: string
}

const home = join(room, "command")

export const tarball = (): string => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../../../apps/cli/package.json"), "utf8"))
  return join(tarballs, `dotrpc-${version}.tgz`)
}

/** Unpacks the tarball, once. */
export const unpack = (): Manifest => {
  mkdirSync(home)
  execFileSync("tar", ["-xzf", tarball(), "-C", home, "--strip-components=1"])
  return JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
}

/** A folder with these files. */
export const folderWith = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(room, "project-"))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs. */
export interface Started {
  /** Resolves with everything on stdout once this is part of it; rejects when the command has ended without it. */
  readonly says: (text: string) => Promise<string>
  readonly type: (text: string) => void
  readonly end: (signal?: NodeJS.Signals) => void
  readonly outcome: Promise<Outcome>
}

export interface Place {
  readonly node: string
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** Starts the command. Of this environment it has the PATH alone. */
export const start = ({ env, folder, node }: Place, args: ReadonlyArray<string>): Started => {
  const child = spawn(node, [join(home, "dist/dotrpc.mjs"), ...args], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      // Beside the project: what a project brings along does not count as what its user trusts.
      HOME: `${folder}-home`,
      TZ: "UTC",
      // What is made once: the sample data of the embedded gateway, and what each Node has compiled.
      XDG_CACHE_HOME: join(room, "cache"),
      NODE_COMPILE_CACHE: join(room, "compiled", encodeURIComponent(node)),
      ...env,
    },
  })
  running.add(child)
  const said = { stdout: "", stderr: "" }
  const heard = new Set<() => void>()
  for (const name of ["stdout", "stderr"] as const)
    child[name].on("data", (chunk: Buffer) => {
      said[name] += chunk.toString()
      for (const each of heard) each()
    })
  const outcome = new Promise<Outcome>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (code) => {
      running.delete(child)
      resolve({ code, ...said })
    })
  })
  return {
    outcome,
    type: (text) => child.stdin.write(text),
    end: (signal) => (signal === undefined ? child.stdin.end() : child.kill(signal)),
    says: async (text) => {
      const isSaid = new Promise<void>((resolve) => {
        const look = () => {
          if (said.stdout.includes(text)) resolve()
        }
        heard.add(look)
        look()
      })
      await Promise.race([isSaid, outcome])
      if (!said.stdout.includes(text)) throw new Error(`ended without saying ${text}: ${said.stdout}${said.stderr}`)
      return said.stdout
    },
  }
}

/** Runs the command to its end. */
export const run = (place: Place, args: ReadonlyArray<string>): Promise<Outcome> => {
  const { end, outcome } = start(place, args)
  end()
  return outcome
}

/** Whatever a command says, it says in words: a stack, or a warning of Node's, is a bug here. */
export const expectWords = ({ stderr, stdout }: Outcome): void =>
  expect(stdout + stderr).not.toMatch(/^\s+at .+:\d+:\d+\)?$|node:internal|internal error|\(node:\d+\)|\w+Warning: /m)
