/**
 * The plugins that `rpc.config.json` names: imported once, and again when a module beside the configuration changes.
 *
 * Invariant: no module of a folder that is not trusted is imported.
 */
import { loadPlugins } from "@dotrpc/project"
import type { LoadedPlugins } from "@dotrpc/session"
import * as vscode from "vscode"

import type { HostPort } from "../HostPort.ts"

/** Plugins, with those of the project's own that this editor does not import; everything else works without them. */
export interface KnownPlugins extends LoadedPlugins {
  /** Why each of them is left out, in the order of the list. */
  readonly omitted: LoadedPlugins["problems"]
}

export class OwnPlugins implements vscode.Disposable {
  readonly #host: HostPort
  readonly #changed = new vscode.EventEmitter<void>()
  /** By folder: what was imported for which list. */
  readonly #loaded = new Map<string, { readonly entries: string; readonly plugins: Promise<KnownPlugins> }>()
  readonly #watchers = new Map<string, vscode.Disposable>()

  /** The file of a plugin has changed. */
  readonly onDidChange = this.#changed.event

  constructor(host: HostPort) {
    this.#host = host
  }

  /** The plugins of a configuration in a folder. */
  load(folder: vscode.Uri, list: ReadonlyArray<string> | undefined): Promise<KnownPlugins> {
    const forbidden = this.#forbidden(folder)
    if (forbidden !== undefined) return omitting(list, forbidden)
    const key = folder.toString()
    const entries = JSON.stringify(list ?? null)
    const known = this.#loaded.get(key)
    if (known?.entries === entries) return known.plugins
    this.#watch(folder, list ?? [])
    const plugins = this.#import(folder, list)
    this.#loaded.set(key, { entries, plugins })
    return plugins
  }

  dispose(): void {
    this.#changed.dispose()
    for (const watcher of this.#watchers.values()) watcher.dispose()
  }

  /** Why none of this folder is imported; `undefined` when it may be. */
  #forbidden(folder: vscode.Uri): string | undefined {
    if (!vscode.workspace.isTrusted) return "belongs to the project, and runs only in a folder that you trust"
    return folder.scheme === "file" || this.#host.plugins.place === "browser"
      ? undefined
      : "belongs to the project, and can be imported only from a folder on disk"
  }

  async #import(folder: vscode.Uri, list: ReadonlyArray<string> | undefined): Promise<KnownPlugins> {
    const { importFrom, place } = this.#host.plugins
    const { plugins, problems } = await loadPlugins(list, await importFrom(folder))
    // What is wrong may be put right by something that is not watched, such as an installation.
    if (problems.length > 0) this.#loaded.delete(folder.toString())
    return place === "browser" ? { plugins, problems: [], omitted: problems } : { plugins, problems, omitted: [] }
  }

  /** Modules beside the configuration, with all others of their folder, which they may import. */
  #watch(folder: vscode.Uri, list: ReadonlyArray<string>): void {
    this.#watchers.get(folder.toString())?.dispose()
    const watchers = list
      .filter((entry) => /^[./]/.test(entry))
      .map((entry) => {
        const module = entry.startsWith("/") ? folder.with({ path: entry }) : vscode.Uri.joinPath(folder, entry)
        const home = vscode.Uri.joinPath(module, "..")
        // A module right beside the configuration has the whole project around it.
        const files = home.path === folder.path ? "*" : "**/*"
        return vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(home, `${files}.{js,mjs,ts,mts}`))
      })
    const changed = () => {
      this.#loaded.delete(folder.toString())
      this.#changed.fire()
    }
    const listeners = watchers.flatMap((watcher) => [
      watcher.onDidCreate(changed),
      watcher.onDidChange(changed),
      watcher.onDidDelete(changed),
    ])
    this.#watchers.set(folder.toString(), vscode.Disposable.from(...watchers, ...listeners))
  }
}

/** The plugins of a list without any that would have to be imported. */
const omitting = async (list: ReadonlyArray<string> | undefined, why: string): Promise<KnownPlugins> => {
  const { plugins, problems } = await loadPlugins(list, () => Promise.resolve({ problem: why }))
  return { plugins, problems: [], omitted: problems }
}
