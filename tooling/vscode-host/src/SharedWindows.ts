/**
 * Windows that share what takes long to start: one server and one browser for all that want the same extensions, settings
 * and trust. They follow one another.
 *
 * Invariant: a window that is opened finds nothing of the one before it. It opens a folder of its own, and what the workbench
 * keeps in the page, such as its state, secrets and the storage of extensions, is removed first. Only the home of the server
 * stays the same: a test that looks at it, or writes there, takes a server of its own by `withWorkbench`.
 *
 * A window takes three quarters of the time of a short test. Tests that mind nothing but their own files are handed the same
 * window, one after the other, each in a folder of its own in it: what they opened is closed, and their folder is removed.
 * What the extension remembers stays, as for a person who works on.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"

import type { BrowserContext, Page } from "playwright-core"

import { launchProfile, openPage } from "./Browser.ts"
import { within } from "./Deadline.ts"
import { startHost, writeInto, type Host, type HostOptions } from "./Host.ts"
import { patience } from "./Patience.ts"
import {
  openWindow,
  tidyWindow,
  untilFolderIsGone,
  useOpenWindow,
  useWindow,
  viewport,
  type Workbench,
  type WorkbenchOptions,
} from "./Workbench.ts"

export interface SharedWindows {
  /** Opens a window, hands it to the action and closes it. A failure is kept as `withWorkbench` keeps it. */
  readonly open: (options: WorkbenchOptions, action: (workbench: Workbench) => Promise<void>) => Promise<void>
  /** Hands the action a folder in a window that stays open for the next one; a failure ends the window. */
  readonly enter: (options: WorkbenchOptions, action: (workbench: Workbench) => Promise<void>) => Promise<void>
  /** Stops every server and browser. */
  readonly close: () => Promise<void>
}

export function shareWindows(): SharedWindows {
  const machines = new Map<string, Promise<Machine>>()
  /** Runs the action on the machine of this key. Whatever state a failure leaves behind, the next window is not to find it. */
  const onMachine = async (key: string, options: HostOptions, action: (machine: Machine) => Promise<void>) => {
    const starting = machines.get(key) ?? startMachine(options)
    machines.set(key, starting)
    try {
      await action(await starting)
    } catch (error) {
      machines.delete(key)
      await starting.then(stopMachine)
      throw error
    }
  }
  return {
    open: ({ name, files = {}, workspaceFile, ...options }, action) =>
      onMachine(JSON.stringify(options), options, async ({ context, host }) => {
        const page = await within(patience, "a page without traces of the last one", emptyPage(context, host))
        try {
          await useWindow({ host, page, workspace: await host.addWorkspace(files), name, workspaceFile }, action)
        } finally {
          await within(patience, `leaving the window "${name}"`, leave(page))
        }
      }),
    // On a machine of its own: a window that is opened beside it removes what the workbench keeps in the browser.
    enter: ({ name, files = {}, ...options }, action) =>
      onMachine(`${JSON.stringify(options)} shared`, options, async (machine) => {
        machine.shared ??= openShared(machine)
        const { page, workspace } = await machine.shared
        await writeInto(join(workspace, name), files)
        await useOpenWindow({ host: machine.host, page, workspace, name, folder: name }, async (workbench) => {
          await action(workbench)
          await tidy(page, workspace, name)
        })
      }),
    close: async () => {
      const started = [...machines.values()]
      machines.clear()
      await Promise.all(started.map(async (machine) => stopMachine(await machine)))
    },
  }
}

interface Machine {
  readonly host: Host
  /** The browser, whose profile keeps what it has compiled of the workbench. */
  readonly context: BrowserContext
  /** The window that tests enter one after the other, once one has asked for it. */
  shared?: Promise<SharedWindow> | undefined
}

interface SharedWindow {
  readonly page: Page
  readonly workspace: string
}

async function openShared({ context, host }: Machine): Promise<SharedWindow> {
  const page = await openPage(context)
  const workspace = await host.addWorkspace({})
  await openWindow({ host, page, workspace, name: "shared" })
  return { page, workspace }
}

async function tidy(page: Page, workspace: string, name: string): Promise<void> {
  await tidyWindow(page)
  await rm(join(workspace, name), { recursive: true, force: true })
  await untilFolderIsGone(page, name)
}

async function startMachine(options: HostOptions): Promise<Machine> {
  const host = await startHost(options)
  try {
    return { host, context: await launchProfile(join(host.root, "browser"), viewport) }
  } catch (error) {
    await host[Symbol.asyncDispose]()
    throw error
  }
}

async function stopMachine({ context, host }: Machine): Promise<void> {
  await within(patience, "closing the browser", context.close()).finally(() => host[Symbol.asyncDispose]())
}

/** A new page, after what earlier ones have left in the browser is removed. */
async function emptyPage(context: BrowserContext, { origin }: Host): Promise<Page> {
  await context.clearPermissions()
  await context.clearCookies()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: traces.join() })
  await page.close()
  return openPage(context)
}

/**
 * Where pages keep things. Not all that the browser has of an origin: with the rest it would forget the workbench that it has
 * compiled, which takes two thirds of the time that a window takes to open.
 */
const traces = ["cookies", "local_storage", "indexeddb", "cache_storage", "file_systems"]

/** Leaves the page as a person would who closes it, so that the workbench tells its server. */
async function leave(page: Page): Promise<void> {
  if (page.isClosed()) return
  page.on("dialog", (dialog) => void dialog.accept())
  await page.goto("about:blank")
  await page.close()
}
