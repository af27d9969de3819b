/** Explorers' pages behind the cells of a table, where a terminal can follow them. */
import type { Host, RawOutput } from "../Host.ts"
import { linked } from "./border.ts"
import { isDumb } from "./colors.ts"

/** The text, with the page behind it where there is one and the terminal follows it. */
export type Hyperlink = (text: string, page: string | undefined) => string

/** As {@link Hyperlink} is for this stream: nothing is put into what is piped, into a CI's log or where NO_COLOR is set. */
export const hyperlinksFor = (
  stream: Pick<RawOutput, "followsLinks" | "isTTY">,
  env: Host["Service"]["env"],
): Hyperlink => {
  const { FORCE_HYPERLINK, NO_COLOR } = env
  const isPlain = NO_COLOR !== undefined && NO_COLOR !== ""
  const mayFollow = (stream.isTTY && !isDumb(env)) || FORCE_HYPERLINK !== undefined
  return !isPlain && mayFollow && stream.followsLinks ? link : (text) => text
}

const link: Hyperlink = (text, page) => {
  const url = page === undefined || text === "" ? undefined : safeUrl(page)
  return url === undefined ? text : linked(url, text)
}

/**
 * What follows an explorer's URL comes from a server. Only signs are left as they are that no terminal takes for an end
 * of the URL, and that the table's count of columns knows to leave out.
 */
const safeUrl = (page: string): string | undefined => {
  if (!URL.canParse(page)) return undefined
  const { href, protocol } = new URL(page)
  if (protocol !== "https:" && protocol !== "http:") return undefined
  return href.replace(/[^\w\-/#&.:=?%@~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0")}`)
}
