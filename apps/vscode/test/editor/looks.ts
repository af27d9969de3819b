/** How a result of a notebook looks: by the colours of its table and its buttons. */
import { equal, ok } from "node:assert/strict"

import type { Workbench } from "@dotrpc/vscode-host"

/** How much text must stand out from what is behind it, as the Web Content Accessibility Guidelines say. */
export interface Expected {
  readonly theme: string
  readonly contrast: number
  readonly bordered: boolean
}

export interface Looks {
  /** The colour of the theme for text. */
  readonly foreground: string
  readonly color: string
  readonly backgroundColor: string
  /** Of a button. */
  readonly background: string
  readonly border: string
}

/** Reads the colours of the result of this name once it is drawn. */
export const looksOf = async ({ webview }: Workbench, name: string): Promise<Looks> => {
  const result = webview().getByRole("region", { name: `Result of ${name}` })
  const heading = result.getByRole("columnheader", { name: "log", exact: true })
  const colours = await heading.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    const probe = document.body.appendChild(document.createElement("i"))
    probe.style.color = "var(--vscode-foreground)"
    const foreground = getComputedStyle(probe).color
    probe.remove()
    return { color, backgroundColor, foreground }
  })
  const button = result.getByRole("button", { name: "Save" }).first()
  const ofButton = await button.evaluate((element) => {
    const { backgroundColor, borderTopColor } = getComputedStyle(element)
    return { background: backgroundColor, border: borderTopColor }
  })
  return { ...colours, ...ofButton }
}

/** Text has the colour of the theme and stands out, and buttons are seen. */
export const checkLooks = (looks: Looks, { theme, contrast, bordered }: Expected): void => {
  const { background, color, backgroundColor, foreground, border } = looks
  equal(color, foreground, `${theme}: text has the colour of the theme`)
  const ratio = contrastOf(color, backgroundColor)
  ok(ratio >= contrast, `${theme}: ${color} on ${backgroundColor} stands out ${ratio.toFixed(1)} to 1`)
  if (bordered) ok(channelsOf(border).at(3) !== 0, `${theme}: buttons have a border of ${border}`)
  const isSeen = [border, background].some((colour) => channelsOf(colour).at(3) !== 0)
  ok(isSeen, `${theme}: buttons are seen, by ${border} or ${background}`)
}

/** Red, green and blue, and the opacity if there is one. */
const channelsOf = (colour: string): ReadonlyArray<number> => (colour.match(/[\d.]+/g) ?? []).map(Number)

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour)
    .slice(0, 3)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrastOf = (text: string, behind: string): number => {
  const [darker = 0, lighter = 0] = [luminance(text), luminance(behind)].toSorted((left, right) => left - right)
  return (lighter + 0.05) / (darker + 0.05)
}
