/**
 * Installs code-server, which is the VS Code workbench and server, from the npm registry alone.
 *
 * No install script of any package runs, so nothing is downloaded from anywhere else. Two small addons are compiled
 * afterwards against the headers that come with the running Node.
 *
 * Invariant: `installation.folder` either does not exist or is complete; work happens beside it and is renamed into place.
 */
import { existsSync, rmSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises"
import { basename, delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

import { atExit } from "./AtExit.ts"
import { runGroup } from "./ProcessGroup.ts"

const codeServerVersion = "4.139.1"

/** Where the host lives, and what starts it. */
export interface Installation {
  /** The folder of this version; complete whenever it exists. */
  readonly folder: string
  /** The script that Node runs to start code-server. */
  readonly entry: string
}

/** The cache folder: `VSCODE_HOST_DIR`, or `.host` at the root of the repository. */
export function cacheFolder(): string {
  const chosen = process.env["VSCODE_HOST_DIR"] ?? ""
  return chosen === "" ? fileURLToPath(new URL("../../../.host", import.meta.url)) : resolve(chosen)
}

/**
 * Installs the host unless it is there already; takes about a minute and 400 MB the first time.
 *
 * @param report receives one line for each step that takes long
 */
export async function installHost(report: (line: string) => void): Promise<Installation> {
  const found = installation()
  if (existsSync(found.folder)) return found
  requireNode24()
  await mkdir(cacheFolder(), { recursive: true })
  const work = await mkdtemp(join(cacheFolder(), "installing-"))
  const forget = atExit(() => rmSync(work, { recursive: true, force: true, maxRetries: 5 }))
  try {
    report(`Installing code-server ${codeServerVersion} into ${found.folder}`)
    await writeFile(join(work, "package.json"), JSON.stringify(manifest, null, 2))
    await npmInstall(work, [])
    const workbench = join(work, "node_modules/code-server/lib/vscode")
    report("Installing the packages of its VS Code")
    await npmInstall(workbench, ["--omit=dev"])
    await buildAddons(workbench, report)
    await removeUnused(workbench)
    await moveIntoPlace(work, found.folder)
  } finally {
    await rm(work, { recursive: true, force: true })
    forget()
  }
  return found
}

const manifest = {
  name: "vscode-host-installation",
  private: true,
  dependencies: { "code-server": codeServerVersion },
}

/** Addons are bound to one module ABI, so the folder's name carries it. */
function installation(): Installation {
  const folder = join(cacheFolder(), `code-server-${codeServerVersion}-abi-${process.versions.modules}`)
  return { folder, entry: join(folder, "node_modules/code-server/out/node/entry.js") }
}

function requireNode24(): void {
  if (process.versions.node.startsWith("24.")) return
  throw new Error(
    `code-server ${codeServerVersion} runs on Node 24, this is ${process.versions.node}. ` +
      "Run it through the package's scripts (`pnpm test:editor`), which bring Node 24 along.",
  )
}

/**
 * The server works without its logger and its watchdog, but prints stack traces into the extension host's console and
 * may leave an extension host behind when it is killed. So a machine without a compiler gets a warning, not an error.
 */
async function buildAddons(workbench: string, report: (line: string) => void): Promise<void> {
  const headers = nodeHeaders()
  if (headers === undefined) {
    report(`Warning: no headers beside ${process.execPath}; the host goes on without its native logger and watchdog`)
    return
  }
  report("Compiling its logger and watchdog")
  try {
    await npmRebuild(workbench, ["@vscode/spdlog", "@vscode/native-watchdog"], headers)
  } catch (error) {
    report(`Warning: the host goes on without its native logger and watchdog. ${String(error)}`)
  }
}

/** The folder that holds `include/node`, in a plain installation of Node and in the one that npm's `node` package makes. */
function nodeHeaders(): string | undefined {
  const root = dirname(dirname(process.execPath))
  const packaged = join(root, "node_modules", `node-${process.platform}-${process.arch}`)
  return [root, packaged].find((folder) => existsSync(join(folder, "include/node/node.h")))
}

/**
 * What no test uses: search tools for other systems, the chat extension with its runtime (150 MB together), and extensions for
 * other languages and services, which every window would read and register.
 */
async function removeUnused(workbench: string): Promise<void> {
  const searchTools = join(workbench, "node_modules/@vscode/ripgrep-universal/bin")
  const chatRuntime = join(workbench, "node_modules/@github")
  const unused = [
    ...(await entriesOf(searchTools)).filter((path) => !path.endsWith(`${process.platform}-${process.arch}`)),
    ...(await entriesOf(chatRuntime)).filter((path) => path.includes("copilot-sdk-")),
    ...(await entriesOf(join(workbench, "extensions"))).filter((path) => isUnused(basename(path))),
  ]
  for (const path of unused) await rm(path, { recursive: true, force: true })
}

/** Themes, and what opens or colours the kinds of files that the extension and its users have. */
const usedExtensions = new Set([
  "configuration-editing",
  "css",
  "dotenv",
  "html",
  "ini",
  "javascript",
  "json",
  "json-language-features",
  "markdown-basics",
  "markdown-language-features",
  "media-preview",
  "node_modules",
  "notebook-renderers",
  "package.json",
  "references-view",
  "search-result",
  "shellscript",
  "simple-browser",
  "typescript-basics",
  "xml",
  "yaml",
])

function isUnused(extension: string): boolean {
  return !usedExtensions.has(extension) && !extension.startsWith("theme-")
}

async function entriesOf(folder: string): Promise<ReadonlyArray<string>> {
  return existsSync(folder) ? (await readdir(folder)).map((name) => join(folder, name)) : []
}

/** When two processes install at once, the first to finish wins and the other's work is thrown away. */
async function moveIntoPlace(work: string, folder: string): Promise<void> {
  try {
    await rename(work, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

const quiet = ["--no-audit", "--no-fund", "--loglevel=error"]

/** Seconds for a command of npm: one takes a minute, and a registry may be slow. */
const patience = 900

async function npmInstall(folder: string, flags: ReadonlyArray<string>): Promise<void> {
  const command = ["install", "--ignore-scripts", ...flags, ...quiet]
  await runGroup("npm", command, { environment: withThisNode(), folder }, patience)
}

async function npmRebuild(folder: string, packages: ReadonlyArray<string>, headers: string): Promise<void> {
  const environment = { ...withThisNode(), npm_config_nodedir: headers }
  await runGroup("npm", ["rebuild", ...packages, ...quiet], { environment, folder }, patience)
}

/** The machine's `npm`, but run by this Node, so that addons are built for it. */
function withThisNode(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter) }
}
