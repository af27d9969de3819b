/** Chromium without a window, with an empty profile, that can reach nothing but this machine. */
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type LaunchOptions,
  type Page,
} from "playwright-core"

import { patience } from "./Patience.ts"

export interface BrowserOptions {
  /** Names of hosts that lead to this machine, as if somebody's name server said so. */
  readonly names?: ReadonlyArray<string> | undefined
  /** Features of the browser to turn off, by the browser's own names. */
  readonly without?: ReadonlyArray<string> | undefined
}

/** Starts the browser that `CHROMIUM` names, or the first Chromium on the path. Close it when done. */
export function launchBrowser(options: BrowserOptions = {}): Promise<Browser> {
  return chromium.launch(launchOptions(options))
}

/** A window of a browser in which nothing gives up before {@link patience} does. */
export async function openPage(browser: Browser | BrowserContext, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await ("contexts" in browser ? browser.newPage(options) : browser.newPage())
  page.context().setDefaultTimeout(patience)
  return page
}

/**
 * Starts it with a profile that is kept in an empty folder. What it compiles of a large page is kept there as well: a browser
 * whose profile is in memory compiles it again for each window. Closing the context ends the browser.
 */
export function launchProfile(folder: string, viewport: Viewport): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { ...launchOptions({}), viewport })
}

/** The size of a window in CSS pixels. */
export interface Viewport {
  readonly width: number
  readonly height: number
}

function launchOptions({ names = [], without = [] }: BrowserOptions): LaunchOptions {
  // The first rule that fits a name is the one that counts.
  const rules = [...names.map((name) => `MAP ${name} 127.0.0.1`), "MAP * ~NOTFOUND", "EXCLUDE 127.0.0.1"]
  const args = [
    ...switches,
    `--host-resolver-rules=${rules.join(", ")}`,
    ...(without.length === 0 ? [] : [`--disable-features=${without.join(",")}`]),
  ]
  return { executablePath: findChromium(), headless: true, args, timeout: patience }
}

const programs = ["chromium", "chromium-browser", "google-chrome"]

const switches = [
  // Containers usually run as root, where Chromium's own sandbox refuses to start.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-sync",
  "--disable-background-networking",
  "--disable-component-update",
  "--no-first-run",
]

function findChromium(): string {
  const chosen = process.env["CHROMIUM"]
  if (chosen !== undefined) {
    if (isExecutable(chosen)) return chosen
    throw new Error(`CHROMIUM is ${chosen}, which is not a program that can be run.`)
  }
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const found = programs.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (found !== undefined) return found
  throw new Error(
    "There is no Chromium on this machine. Run `apt-get install -y chromium`, or set CHROMIUM to the path of one.",
  )
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
