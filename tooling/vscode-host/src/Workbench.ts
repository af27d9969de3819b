/**
 * An open VS Code window and the verbs that a test drives it with.
 *
 * Verbs wait for what they act on, so a test needs no pauses. Class names of the workbench appear in this file and nowhere
 * else.
 */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"

import type { FrameLocator, Locator, Page } from "playwright-core"

import { launchBrowser, openPage } from "./Browser.ts"
import { within } from "./Deadline.ts"
import { startHost, type Host, type HostOptions } from "./Host.ts"
import { cacheFolder } from "./Install.ts"
import { longest, patience } from "./Patience.ts"
import { tidyKeys } from "./Settings.ts"

export interface WorkbenchOptions extends HostOptions {
  /** Names the folder below the cache folder's `screenshots` that holds the pictures of the latest run. */
  readonly name: string
  /** A `.code-workspace` among the files, which is opened instead of the folder that has them. */
  readonly workspaceFile?: string | undefined
}

export interface Workbench {
  /** For what has no verb yet. */
  readonly page: Page
  /** The opened folder on disk, or the folder in it that the test has for itself. */
  readonly workspace: string
  /** The folder of the server on disk: what it, its extensions and its browser keep is in folders in it, such as `home`. */
  readonly root: string
  /** Opens a file of the workspace by its path in it. */
  readonly openFile: (path: string) => Promise<void>
  /** Puts the cursor at the beginning of a line, counted from one. */
  readonly goToLine: (line: number) => Promise<void>
  /** Takes an entry of the menu of a line's number, counted from one. */
  readonly chooseAtLine: (line: number, entry: string) => Promise<void>
  /** Takes an entry of the menu of the text at the cursor. */
  readonly chooseAtCursor: (entry: string) => Promise<void>
  /** Takes an entry of the menu of a file in the explorer, by its name. */
  readonly chooseAtFile: (name: string, entry: string) => Promise<void>
  /** Runs a command by its title in the palette, such as `View: Toggle Word Wrap`. */
  readonly runCommand: (title: string) => Promise<void>
  /** Waits until an entry is offered at the cursor; asks for suggestions again while none is. */
  readonly waitForSuggestion: (name: RegExp) => Promise<void>
  /** Takes a quick fix at the cursor, as soon as one with this title is offered. */
  readonly quickFix: (title: string) => Promise<void>
  /** Takes the entry of the open pick list that begins with the label. */
  readonly choose: (label: string) => Promise<void>
  /** Types into the open input box and accepts it. */
  readonly answer: (text: string) => Promise<void>
  /** What the open input box holds. */
  readonly inputText: () => Promise<string>
  /** The rows of the view in the side bar that contain the text. */
  readonly viewRows: (text: string) => Locator
  /** Clicks the first of these rows until its tab is open: a view that is drawn again loses a click. */
  readonly openViewRow: (text: string, tab: string) => Promise<void>
  /** The code cells of the open notebook; waits until it is drawn. */
  readonly codeCells: () => Promise<Locator>
  /** Puts the cursor at the end of a code cell, counted from zero. */
  readonly editCell: (index: number) => Promise<void>
  /** The page that an extension draws: the outputs of a notebook, or a tab of its own. */
  readonly webview: () => FrameLocator
  /** Clicks the lens whose title contains the text: the first one, or the one at the index. */
  readonly clickLens: (title: string, index?: number) => Promise<void>
  /** The titles of all lenses in view, from top to bottom; waits for the first. */
  readonly lensTitles: () => Promise<ReadonlyArray<string>>
  /** What the lenses in view say to a pointer over them, from top to bottom; waits for the first. */
  readonly lensTooltips: () => Promise<ReadonlyArray<string>>
  /** The marks below text that something is wrong in, in the window or in a part of it. */
  readonly squiggles: (within?: Locator) => Locator
  /** Waits until the text is visible anywhere in the window. */
  readonly waitForText: (text: string) => Promise<void>
  /** The text of an inline comment thread, counted from the top of the editor; waits until it has a comment. */
  readonly inlineThreadText: (index?: number) => Promise<string>
  /** What a screen reader says of each comment of the threads in view. */
  readonly commentLabels: () => Promise<ReadonlyArray<string>>
  /** How many inline comment threads are in view at this moment. */
  readonly inlineThreadCount: () => Promise<number>
  /** The texts that decorations add to lines in view, from top to bottom; waits for the first. */
  readonly decorationTexts: () => Promise<ReadonlyArray<string>>
  /** The colour of the first piece of source text in view that contains the text, as `rgb(…)`; `undefined` while there is none. */
  readonly colourOf: (text: string) => Promise<string | undefined>
  /** Asks again and again until the answer is yes. */
  readonly until: (expectation: string, holds: () => Promise<boolean>) => Promise<void>
  /** Saves a picture of the window, unless `VSCODE_HOST_PICTURES` is `failures`. */
  readonly screenshot: (name: string) => Promise<void>
}

/**
 * Opens a window on a server of its own, hands it to the action and stops everything afterwards. When the action fails, a
 * picture of the window and the server's log are kept beside the screenshots.
 */
export async function withWorkbench(
  options: WorkbenchOptions,
  action: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  await using host = await startHost(options)
  const browser = await launchBrowser()
  try {
    const page = await openPage(browser, { viewport })
    const { name, workspaceFile } = options
    await useWindow({ host, page, workspace: host.workspace, name, workspaceFile }, action)
  } finally {
    await browser.close()
  }
}

/** How large a window is unless a test makes it another size. */
export const viewport = { width: 1280, height: 800 }

export interface WindowPlace {
  readonly host: Host
  /** Empty as yet. */
  readonly page: Page
  readonly workspace: string
  readonly name: string
  readonly workspaceFile?: string | undefined
}

/** Opens the folder in the page and hands the window to the action. */
export function useWindow(place: WindowPlace, action: (workbench: Workbench) => Promise<void>): Promise<void> {
  return useOpenWindow({ ...place, folder: "" }, async (workbench) => {
    await openWindow(place)
    await action(workbench)
  })
}

/** Opens the folder, or the `.code-workspace` in it. */
export async function openWindow({ host, page, workspace, workspaceFile }: WindowPlace): Promise<void> {
  await page.goto(host.url(workspaceFile === undefined ? workspace : join(workspace, workspaceFile)))
  await page.locator(".monaco-workbench .part.editor").waitFor()
  if (workspaceFile !== undefined) await untilFolders(page)
}

export interface FolderPlace extends WindowPlace {
  /** The folder of the workspace that the action has for itself; `""` is all of it. */
  readonly folder: string
}

/** Hands a window to the action, and keeps what was seen when it fails. */
export async function useOpenWindow(
  { host, page, workspace, name, folder }: FolderPlace,
  action: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const pictures = join(cacheFolder(), "screenshots", name)
  await rm(pictures, { recursive: true, force: true })
  await mkdir(pictures, { recursive: true })
  try {
    await within(
      longest,
      `the test in the window "${name}"`,
      action(workbenchOn({ host, page, workspace, name, folder }, pictures)),
    )
  } catch (error) {
    // A frozen page cannot be pictured; what froze it is the failure to report.
    await page.screenshot({ path: join(pictures, "failure.png"), timeout: 30_000 }).catch(() => undefined)
    await writeFile(join(pictures, "failure.log"), await host.log())
    process.stderr.write(`What was seen is in ${pictures}\n`)
    throw error
  }
}

/** Closes what a test has opened, without saving, and shows the explorer: so that the next test finds its own files alone. */
export async function tidyWindow(page: Page): Promise<void> {
  await page.setViewportSize(viewport)
  await page.context().clearPermissions()
  const editors = page.locator(".part.editor .tab")
  const dontSave = page.getByRole("dialog").getByRole("button", { name: "Don't Save" })
  const closed = page.locator(".part.editor:not(:has(.tab))")
  const explorer = page.locator(".explorer-folders-view")
  // A view that the test opened last may come to the front after the explorer did.
  await until("every editor is closed, and the explorer is shown", async () => {
    // A page inside the window keeps keys for itself.
    await page.evaluate(() =>
      document.activeElement instanceof HTMLElement ? document.activeElement.blur() : undefined,
    )
    await page.keyboard.press("Escape")
    await page.keyboard.press(tidyKeys)
    if ((await isSeen(dontSave.or(closed).first(), 1_000)) && (await dontSave.isVisible())) await dontSave.click()
    return (await editors.count()) === 0 && isSeen(explorer, 1_000)
  })
}

/** Waits until the explorer shows no folder of this name any more. */
export async function untilFolderIsGone(page: Page, name: string): Promise<void> {
  await fileRow(page, name).waitFor({ state: "detached" })
}

/** The editor may read a `.code-workspace` before it reaches the files of its server, and then shows no folder until it reloads. */
async function untilFolders(page: Page): Promise<void> {
  const folder = page.locator(".explorer-folders-view").getByRole("treeitem").first()
  await until("the folders of the workspace are shown", async () => {
    if (await isSeen(folder, 10_000)) return true
    await page.reload()
    return false
  })
}

function workbenchOn({ host, page, folder, ...place }: FolderPlace, pictures: string): Workbench {
  const workspace = join(place.workspace, folder)
  const lenses = page.locator(".codelens-decoration a")
  const threads = page.locator(".review-widget")
  return {
    page,
    workspace,
    root: host.root,
    openFile: (path) => openFile(page, folder === "" ? path : `${folder}/${path}`),
    goToLine: (line) => goToLine(page, line),
    chooseAtLine: (line, entry) => chooseAtLine(page, line, entry),
    chooseAtCursor: async (entry) => {
      await page.keyboard.press("Shift+F10")
      await chooseInMenu(page, entry)
    },
    chooseAtFile: async (name, entry) => {
      await fileRow(page, name).click({ button: "right" })
      await chooseInMenu(page, entry)
    },
    runCommand: (title) => runCommand(page, title),
    waitForSuggestion: (name) => waitForSuggestion(page, name),
    quickFix: (title) => quickFix(page, title),
    choose: (label) => choose(page, label),
    answer: async (text) => {
      const input = page.locator(".quick-input-widget input[type=text], .quick-input-widget input[type=password]")
      await input.first().fill(text)
      await page.keyboard.press("Enter")
    },
    inputText: () => page.locator(".quick-input-widget input").first().inputValue(),
    viewRows: (text) => viewRows(page, text),
    openViewRow: (text, tab) =>
      until(`the tab "${tab}" opens`, async () => {
        await viewRows(page, text).first().click()
        return isSeen(page.locator(".tab", { hasText: tab }), 5_000)
      }),
    codeCells: async () => {
      await page.locator(".notebookOverlay .cell-list-container").waitFor()
      return page.locator(".notebookOverlay .code-cell-row")
    },
    editCell: async (index) => {
      const cell = page.locator(".notebookOverlay .code-cell-row").nth(index)
      await cell.locator(".view-line").first().click()
      await page.keyboard.press("Control+End")
    },
    webview: () => page.frameLocator(".webview.ready").last().frameLocator("#active-frame"),
    clickLens: (title, index = 0) => clickLens(page, lenses.filter({ hasText: title }).nth(index)),
    lensTitles: () => some("a lens", () => lenses.allInnerTexts()),
    lensTooltips: () =>
      some("a lens", () => lenses.evaluateAll((found) => found.map((lens) => lens.getAttribute("title") ?? ""))),
    squiggles: (within = page.locator(".monaco-workbench")) => within.locator(".squiggly-error, .squiggly-warning"),
    waitForText: (text) => waitForText(page, text),
    inlineThreadText: async (index = 0) => {
      const thread = threads.nth(index)
      // A comment begins as a plain sentence, and is drawn as Markdown afterwards.
      await thread.locator(".comment-body .rendered-markdown").first().waitFor()
      // What a line must not be broken at is read as a space.
      return (await thread.innerText()).replace(/[ \u00a0]+/g, " ")
    },
    commentLabels: () =>
      threads
        .locator(".review-comment")
        .evaluateAll((found) => found.map((comment) => comment.getAttribute("aria-label") ?? "")),
    inlineThreadCount: () => threads.count(),
    decorationTexts: () => some("a decoration with text", () => decorationTexts(page)),
    colourOf: (text) => colourOf(page, text),
    until,
    screenshot: async (name) => {
      // Each takes a second of work, and nobody looks at the pictures of a whole run.
      if (process.env["VSCODE_HOST_PICTURES"] === "failures") return
      await page.screenshot({ path: join(pictures, `${name}.png`), animations: "disabled" })
    },
  }
}

async function chooseAtLine(page: Page, line: number, entry: string): Promise<void> {
  const numbers = page.locator(".editor-instance .line-numbers")
  await numbers.filter({ hasText: new RegExp(`^\\s*${line}\\s*$`) }).click({ button: "right" })
  await chooseInMenu(page, entry)
}

async function clickLens(page: Page, lens: Locator): Promise<void> {
  // The editor draws only what is in view, and a panel may have taken the place.
  for (const down of [0, 200, -2_000, 400, -2_000]) {
    if (await isSeen(lens, 10_000)) break
    await page.locator(".editor-instance .view-lines").first().hover()
    await page.mouse.wheel(0, down)
  }
  await lens.click()
}

function viewRows(page: Page, text: string): Locator {
  return page.locator(".part.sidebar .monaco-list-row", { hasText: text })
}

async function openFile(page: Page, path: string): Promise<void> {
  for (const folder of path.split("/").slice(0, -1)) {
    const row = fileRow(page, folder)
    await until(`the folder ${folder} is open`, async () => {
      if (!(await isListed(page, row))) return false
      if ((await row.getAttribute("aria-expanded")) === "false") await row.click()
      return isSeen(row.and(page.locator("[aria-expanded=true]")), 10_000)
    })
  }
  const tab = page.locator(".tab.active", { hasText: basename(path) })
  const row = fileRow(page, basename(path))
  // The explorer draws its rows again when files change, and loses a click meanwhile.
  await until(`${path} is open`, async () => {
    if (!(await isListed(page, row))) return false
    await row.dblclick()
    return isSeen(tab, 10_000)
  })
  await page.locator(".editor-instance .view-line").first().waitFor()
}

/** On a busy machine the explorer may miss that there are new files. */
async function isListed(page: Page, row: Locator): Promise<boolean> {
  if (await isSeen(row, 10_000)) return true
  await runCommand(page, "Refresh Explorer")
  return false
}

function fileRow(page: Page, name: string): Locator {
  const rows = page.locator(".explorer-folders-view").getByRole("treeitem")
  return rows.filter({ has: page.getByText(name, { exact: true }) }).first()
}

/** A menu ignores clicks in its first moments. */
async function chooseInMenu(page: Page, entry: string): Promise<void> {
  const item = page.getByRole("menuitem", { name: entry })
  await item.waitFor()
  await until(`the menu closes after "${entry}"`, async () => {
    await item.click({ timeout: 1_000 }).catch(() => undefined)
    return (await item.count()) === 0
  })
}

async function goToLine(page: Page, line: number): Promise<void> {
  const input = await fillQuickInput(page, "Control+G", `:${line}`)
  await page.keyboard.press("Enter")
  await input.waitFor({ state: "hidden" })
}

/** Opens a quick input by its keys and fills it. One that is closing at that moment takes the keys for itself: they are pressed again. */
async function fillQuickInput(page: Page, keys: string, text: string): Promise<Locator> {
  const input = page.locator(".quick-input-widget input").first()
  await until(`${keys} opens a quick input`, async () => {
    await page.keyboard.press(keys)
    const filled = await input.fill(text, { timeout: 5_000 }).then(
      () => true,
      () => false,
    )
    if (!filled) await page.keyboard.press("Escape")
    return filled
  })
  return input
}

/** What is said to screen readers only stands outside the window, and would be found before it is seen. */
async function waitForText(page: Page, text: string): Promise<void> {
  const seen = page.locator("body :not(.monaco-aria-container *)")
  await page.getByText(text).and(seen).locator("visible=true").first().waitFor()
}

async function choose(page: Page, label: string): Promise<void> {
  await choiceOf(page, label).click()
}

function choiceOf(page: Page, label: string): Locator {
  return page.locator(`.quick-input-list .monaco-list-row[aria-label^=${JSON.stringify(label)}]`).first()
}

/**
 * Suggestions that are asked for before anyone can give them stay empty. Where there are none, Escape would leave the cell that is
 * being edited.
 */
async function waitForSuggestion(page: Page, name: RegExp): Promise<void> {
  const offer = page.getByRole("listbox", { name: "Suggest" }).getByRole("option", { name })
  await until(`${String(name)} is offered`, async () => {
    if (await isSeen(offer, 3_000)) return true
    if (await page.locator(".suggest-widget.visible").isVisible()) await page.keyboard.press("Escape")
    await page.keyboard.press("Control+Space")
    return isSeen(offer, 10_000)
  })
}

/**
 * Fixes that are asked for before anyone can give them are missing from the menu, or there is no menu: then Escape would leave
 * the cell that is being edited.
 */
async function quickFix(page: Page, title: string): Promise<void> {
  // Beside it there is a panel for what its entries open.
  const menu = page.locator(".action-widget").first()
  const offer = page.locator(".action-widget").getByText(title)
  await until(`"${title}" is offered`, async () => {
    await page.keyboard.press("Control+.")
    const offered = await isSeen(offer, 3_000)
    if (!offered && (await menu.isVisible())) await page.keyboard.press("Escape")
    return offered
  })
  // A menu that is being drawn may lose a click.
  await until(`the menu closes after "${title}"`, async () => {
    await offer.click({ timeout: 1_000 }).catch(() => undefined)
    return !(await menu.isVisible())
  })
}

const isSeen = (place: Locator, timeout: number): Promise<boolean> =>
  place.waitFor({ timeout }).then(
    () => true,
    () => false,
  )

/** An open palette does not take in commands that appear after it: it is opened again until it has this one. */
async function runCommand(page: Page, title: string): Promise<void> {
  await until(`the palette has "${title}"`, async () => {
    await fillQuickInput(page, "F1", `>${title}`)
    const listed = await isSeen(choiceOf(page, title), 5_000)
    if (!listed) await page.keyboard.press("Escape")
    return listed
  })
  await choose(page, title)
}

/** The editor draws added text as generated content of pseudo-elements, which only computed styles tell. */
async function decorationTexts(page: Page): Promise<ReadonlyArray<string>> {
  const found = await page.locator(".editor-instance .view-line span").evaluateAll((pieces) =>
    pieces.flatMap((piece) =>
      ["::before", "::after"].map((pseudo) => ({
        top: piece.getBoundingClientRect().top,
        content: getComputedStyle(piece, pseudo).content,
      })),
    ),
  )
  return found
    .filter((piece) => piece.content.startsWith('"'))
    .toSorted((left, right) => left.top - right.top)
    .map((piece) => String(JSON.parse(piece.content)).replaceAll("\u00a0", " ").trim())
    .filter((text) => text !== "")
}

async function colourOf(page: Page, text: string): Promise<string | undefined> {
  const pieces = page.locator('.editor-instance .view-line span[class^="mtk"]').filter({ hasText: text })
  // It never waits: the caller asks again, and says what it expected.
  return pieces.evaluateAll(([piece]) => (piece === undefined ? undefined : getComputedStyle(piece).color))
}

async function until(expectation: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = Date.now()
  while (!(await holds())) {
    const waited = Date.now() - begun
    if (waited > patience) throw new Error(`Timed out: ${expectation}`)
    // Each question is work for the window: what takes longer than a second is asked less often.
    await pause(waited < 1_000 ? 100 : 300)
  }
}

/** The editor clears and redraws what it shows, so a single reading may find nothing. */
async function some(what: string, read: () => Promise<ReadonlyArray<string>>): Promise<ReadonlyArray<string>> {
  let found: ReadonlyArray<string> = []
  await until(`there is ${what}`, async () => {
    found = await read()
    return found.length > 0
  })
  return found
}
