/**
 * A running VS Code server on a free loopback port that shares nothing with the machine: it has its own home, settings,
 * extensions and temporary folder, and no gallery.
 */
import { rmSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

import { atExit } from "./AtExit.ts"
import { installHost } from "./Install.ts"
import { addExtensions, type PackedExtension } from "./InstalledExtensions.ts"
import { patience } from "./Patience.ts"
import { runGroup, startGroup, type ProcessGroup, type Surroundings } from "./ProcessGroup.ts"
import {
  askingForTrust,
  extensionHostSettings,
  keybindings,
  quietSettings,
  type ExtensionHost,
  type Settings,
} from "./Settings.ts"

export interface HostOptions {
  readonly extensions?: ReadonlyArray<PackedExtension>
  /** Where the extensions run; `node` unless told. */
  readonly extensionHost?: ExtensionHost
  /** Files of the opened folder, by their path in it. */
  readonly files?: Readonly<Record<string, string>>
  /** Settings of the user, on top of {@link quietSettings}. */
  readonly settings?: Settings
  /** Settings of the machine that the extensions run on. */
  readonly machineSettings?: Settings
  /** Variables that the server and its extensions see. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether the folder is trusted from the start, as it is unless told, or only once the user has said so. */
  readonly trust?: "given" | "asked"
}

export interface Host extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. Webviews need a secure context, and this address counts as one. */
  readonly origin: string
  /** The authority of `vscode-remote:` addresses. */
  readonly authority: string
  /** A folder of its own, removed at the end; `workspace` in it is the folder that is opened. */
  readonly root: string
  /** The opened folder, holding the files of the options. */
  readonly workspace: string
  /** Makes another folder that can be opened, holding these files; it is removed with the others. */
  readonly addWorkspace: (files: Readonly<Record<string, string>>) => Promise<string>
  /** The page of the workbench on a folder or a `.code-workspace`. The payload is for development options. */
  readonly url: (workspace: string, payload?: ReadonlyArray<readonly [string, string]>) => string
  /** What the server has printed. */
  readonly log: () => Promise<string>
}

/** Starts a server, installing it first when it is missing. Dispose of it to stop everything and remove its folders. */
export function startHost(options: HostOptions): Promise<Host> {
  return start(options, [])
}

/**
 * Starts a server whose workbench obeys development options in its address, and with them runs tests in the extension
 * host. It shows no notifications, so it is not for looking at.
 */
export function startTestingHost(options: HostOptions): Promise<Host> {
  return start(options, ["--vscode-option", "enable-smoke-test-driver"])
}

async function start(options: HostOptions, extraArguments: ReadonlyArray<string>): Promise<Host> {
  const installation = await installHost((line) => process.stderr.write(`${line}\n`))
  const root = await mkdtemp(join(tmpdir(), "dotrpc-"))
  const forget = atExit(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  let server: ProcessGroup | undefined
  try {
    const folders = await createFolders(root, options)
    const surroundings = { environment: isolatedEnvironment(folders, options.environment ?? {}), folder: root }
    const base = [installation.entry, ...isolatingArguments(folders, options.trust ?? "given")]
    await addExtensions(options.extensions ?? [], folders.extensions, (extension, folder) =>
      installExtension(
        [installation.entry, ...isolatingArguments({ ...folders, extensions: folder }, "given")],
        surroundings,
        extension,
      ),
    )
    const port = await freePort()
    const logFile = join(root, "server.log")
    const argumentsOfRun = [...base, ...extraArguments, "--bind-addr", `127.0.0.1:${port}`]
    const started = startGroup(process.execPath, argumentsOfRun, surroundings, logFile)
    server = started
    const origin = `http://127.0.0.1:${port}`
    const log = (): Promise<string> => readFile(logFile, "utf8")
    await untilHealthy(origin, started, log)
    return {
      origin,
      authority: `127.0.0.1:${port}`,
      root,
      workspace: folders.workspace,
      addWorkspace: async (files) => {
        const added = join(await mkdtemp(join(root, "w")), "workspace")
        await writeInto(added, files)
        return added
      },
      url: (workspace, payload) => workbenchUrl(origin, workspace, payload),
      log,
      [Symbol.asyncDispose]: () => stopAndRemove(started, root).then(forget),
    }
  } catch (error) {
    await stopAndRemove(server, root)
    forget()
    throw error
  }
}

interface Folders {
  readonly workspace: string
  readonly home: string
  readonly extensions: string
  readonly user: string
  readonly temporary: string
  readonly configuration: string
}

async function createFolders(root: string, options: HostOptions): Promise<Folders> {
  const folders = {
    workspace: join(root, "workspace"),
    home: join(root, "home"),
    extensions: join(root, "extensions"),
    user: join(root, "user"),
    temporary: join(root, "t"),
    configuration: join(root, "config.yaml"),
  }
  const ids = (options.extensions ?? []).map((extension) => extension.id)
  const placement = extensionHostSettings(ids, options.extensionHost ?? "node")
  const trusting = options.trust === "asked" ? askingForTrust : {}
  const settings = { ...quietSettings, ...placement, ...trusting, ...options.settings }
  for (const path of [folders.home, folders.extensions, folders.temporary]) await mkdir(path, { recursive: true })
  await writeInto(folders.workspace, options.files ?? {})
  await writeInto(folders.user, {
    "User/settings.json": JSON.stringify(settings, null, 2),
    "Machine/settings.json": JSON.stringify(options.machineSettings ?? {}, null, 2),
    "User/keybindings.json": JSON.stringify(keybindings, null, 2),
  })
  await writeFile(folders.configuration, "auth: none\n")
  return folders
}

/** Writes files into a folder by their paths in it. */
export async function writeInto(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

/** The temporary folder holds Unix sockets, whose paths may not exceed 108 characters: hence its short name. */
function isolatedEnvironment(folders: Folders, added: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { VSCODE_IPC_HOOK_CLI: _terminalOfAnotherEditor, ...inherited } = process.env
  return {
    ...inherited,
    HOME: folders.home,
    XDG_CONFIG_HOME: join(folders.home, ".config"),
    XDG_DATA_HOME: join(folders.home, ".local/share"),
    XDG_STATE_HOME: join(folders.home, ".local/state"),
    XDG_CACHE_HOME: join(folders.home, ".cache"),
    XDG_RUNTIME_DIR: folders.temporary,
    TMPDIR: folders.temporary,
    EXTENSIONS_GALLERY: "{}",
    ...added,
  }
}

function isolatingArguments(folders: Folders, trust: "given" | "asked"): ReadonlyArray<string> {
  return [
    `--config=${folders.configuration}`,
    `--extensions-dir=${folders.extensions}`,
    `--user-data-dir=${folders.user}`,
    "--auth=none",
    "--disable-telemetry",
    "--disable-update-check",
    ...(trust === "given" ? ["--disable-workspace-trust"] : []),
    "--disable-getting-started-override",
    // Otherwise the extension host of a window that was closed waits for hours for it to come back.
    "--reconnection-grace-time=2",
  ]
}

async function installExtension(
  base: ReadonlyArray<string>,
  surroundings: Surroundings,
  extension: PackedExtension,
): Promise<void> {
  const args = [...base, "--install-extension", extension.vsix, "--force"]
  const output = await runGroup(process.execPath, args, surroundings, 180)
  if (!output.includes("successfully installed")) {
    throw new Error(`VS Code did not install ${extension.vsix}:\n${output}`)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no free port")),
      )
    })
  })
}

async function untilHealthy(origin: string, server: ProcessGroup, log: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + patience
  while (Date.now() < deadline) {
    if (!server.running()) throw new Error(`code-server ended before it answered:\n${await log()}`)
    if (await answers(`${origin}/healthz`)) return
    await pause(100)
  }
  throw new Error(`code-server did not answer in time:\n${await log()}`)
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

function workbenchUrl(origin: string, folder: string, payload?: ReadonlyArray<readonly [string, string]>): string {
  const url = new URL(origin)
  url.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder)
  if (payload !== undefined) url.searchParams.set("payload", JSON.stringify(payload))
  return url.href
}

async function stopAndRemove(server: ProcessGroup | undefined, root: string): Promise<void> {
  await server?.stop()
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
