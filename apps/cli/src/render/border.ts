/**
 * Text as it may be output: characters that control a terminal or the service that stores a log, change the direction
 * of the text, or are invisible, are made visible or escaped. Our own styles and links contain a random number of this
 * process, so no text from outside can be mistaken for them.
 */
import { Visible } from "@dotrpc/spec"
import { randomInt } from "node:crypto"

/** Escape sequences take parameters of up to four digits where their width is counted. */
const own = Array.from({ length: 3 }, () => randomInt(1_000, 10_000))

/** Text in a style of ours, by the numbers that terminals know it by. */
export const styled = (open: number, close: number, text: string): string =>
  `\u001B[${open};${own.join(";")}m${text}\u001B[${close};${own.join(";")}m`

/** Text that leads to a page. The URL is one that a terminal takes to its end. */
export const linked = (url: string, text: string): string =>
  `\u001B]8;id=${own.join("-")};${url}\u0007${text}\u001B]8;id=${own.join("-")};\u0007`

/** Lines for a terminal: our styles and links, and everything else visible. */
export const forTerminal = (text: string): string => cleaned(text, (sequence) => sequence)

/** Lines for a file: as {@link forTerminal}, without styles. */
export const withoutStyles = (text: string): string => cleaned(text, () => "")

/** The same JSON, of which nothing steers anyone who prints it. */
export const escapedJson = (text: string): string => Visible.json(text).replace(bracketCommand, "#\\u0023")

/** As {@link escapedJson}, of JSON in pieces of which none ends within a surrogate pair. */
export function* escapedPieces(pieces: Iterable<string>): Generator<string, void> {
  let rest = ""
  for (const piece of pieces) {
    const text = rest + piece
    rest = text.endsWith("#") && !text.endsWith("##") ? "#" : ""
    // What may become a command by the next piece is escaped at once, which no reader of JSON notices.
    yield escapedJson(text.slice(0, text.length - rest.length)).replace(/##(?=[\w.-]*$)/, "#\\u0023")
  }
  yield rest
}

/** Each character that steers becomes one picture; line breaks and tabs stay as they are. */
const cleaned = (text: string, show: (sequence: string) => string): string =>
  text
    .replace(ownOrSteering, (found, style?: string, url?: string) => {
      if (style !== undefined) return show(`\u001B[${style}m`)
      if (url !== undefined) return show(`\u001B]8;;${url}\u0007`)
      return Visible.pictureOf(found)
    })
    .replace(colonCommand, (_, before: string) => `${before}${unknown}`)
    .replace(bracketCommand, `#${unknown}`)

const unknown = "\uFFFD"

const ownOrSteering = new RegExp(
  `\\u001B\\[(\\d+);${own.join(";")}m|\\u001B\\]8;id=${own.join("-")};([\\w\\-/#&.:=?%@~]*)\\u0007|[${Visible.unseen}]`,
  "gu",
)

/** `::error::…` at the beginning of a line: a command to the service whose log this may be, after white space and styles. */
// oxlint-disable-next-line no-control-regex -- Styles begin with one.
const colonCommand = /^((?:[^\S\n]|\u001B\[\d+m)*):(?=:)/gm

/** `##[…]` and `##vso[…]`: the same, anywhere in a line. */
const bracketCommand = /##(?=[\w.-]*\[)/g
