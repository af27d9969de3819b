/**
 * Windows that share what takes long to start: one server and one browser for all that want the same extensions, settings
 * and trust. They follow one another.
 *
 * Invariant: a window finds nothing of the one before it. It opens a folder of its own, and what the workbench keeps in the
 * page, such as its state, secrets and the storage of extensions, is removed first. Only the home of the server stays the
 * same: a test that looks at it, or writes there, takes a server of its own by `withWorkbench`.
 */
import type { Browser, BrowserContext, Page } from "playwright-core"

import { launchBrowser } from "./Browser.ts"
import { within } from "./Deadline.ts"
import { startHost, type Host, type HostOptions } from "./Host.ts"
import { useWindow, viewport, type Workbench, type WorkbenchOptions } from "./Workbench.ts"

export interface SharedWindows {
  /** Opens a window, hands it to the action and closes it. A failure is kept as `withWorkbench` keeps it. */
  readonly open: (options: WorkbenchOptions, action: (workbench: Workbench) => Promise<void>) => Promise<void>
  /** Stops every server and browser. */
  readonly close: () => Promise<void>
}

export function shareWindows(): SharedWindows {
  const machines = new Map<string, Promise<Machine>>()
  return {
    open: async ({ name, files = {}, workspaceFile, ...options }, action) => {
      const key = JSON.stringify(options)
      const starting = machines.get(key) ?? startMachine(options)
      machines.set(key, starting)
      try {
        const { context, host } = await starting
        const page = await within(120, "a page without traces of the last one", emptyPage(context, host))
        try {
          await useWindow({ host, page, workspace: await host.addWorkspace(files), name, workspaceFile }, action)
        } finally {
          await within(120, `leaving the window "${name}"`, leave(page))
        }
      } catch (error) {
        // Whatever state it left behind, the next window is not to find it.
        machines.delete(key)
        await starting.then(stopMachine)
        throw error
      }
    },
    close: async () => {
      const started = [...machines.values()]
      machines.clear()
      await Promise.all(started.map(async (machine) => stopMachine(await machine)))
    },
  }
}

interface Machine {
  readonly host: Host
  readonly browser: Browser
  /** Keeps what the browser has compiled of the workbench. */
  readonly context: BrowserContext
}

async function startMachine(options: HostOptions): Promise<Machine> {
  const host = await startHost(options)
  try {
    const browser = await launchBrowser()
    return { host, browser, context: await browser.newContext({ viewport }) }
  } catch (error) {
    await host[Symbol.asyncDispose]()
    throw error
  }
}

async function stopMachine({ browser, host }: Machine): Promise<void> {
  await within(60, "closing the browser", browser.close()).finally(() => host[Symbol.asyncDispose]())
}

/** A new page, after what earlier ones have left in the browser is removed. */
async function emptyPage(context: BrowserContext, { origin }: Host): Promise<Page> {
  await context.clearPermissions()
  await context.clearCookies()
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: traces.join() })
  await page.close()
  return context.newPage()
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
