/** The whole collection. */
import type { Case } from "../Case.ts"
import { depth } from "./depth.ts"
import { echoes } from "./echo.ts"
import { pages } from "./pages.ts"
import { protocol } from "./protocol.ts"
import { refusals } from "./refusals.ts"
import { sizes } from "./sizes.ts"
import { sockets } from "./sockets.ts"
import { steering } from "./steering.ts"

/** Each is run in a process of its own, which is watched: time and memory are what they are after. */
export const heavyGroups: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "nested replies": depth,
  "large and endless replies": sizes,
  WebSockets: sockets,
}

/** Of each group one of each kind, which a landing runs in one process. */
export const heavyKinds: Readonly<Record<string, ReadonlyArray<string>>> = {
  "nested replies": ["many-values-500-deep-beside-the-key", "result-nested-1000000", "error-data-nested-10000-in-500"],
  "large and endless replies": [
    "plain-1.2-GB",
    "gzip-2-GB",
    "spaces-10-MB-in-500",
    "message-1-MB-of-digits",
    "number-of-10-million-digits",
    "exponent-of-a-billion",
    "account-base58-of-1-MB",
    "a-million-empty-logs",
    "headers-without-end",
    "chunks-that-drip",
  ],
  WebSockets: [
    "socket-junk",
    "socket-a-frame-of-1.2-GB",
    "socket-replies-to-nobody",
    "socket-the-reply-twice",
    "socket-nested-a-million-deep",
    "socket-a-close-with-the-key",
  ],
}

/** Each group is run as the requests of one file. */
export const lightGroups: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "replies that break the protocol": protocol,
  "refusals and redirects": refusals,
  "text that steers": steering,
  "keys repeated": echoes,
  "pages and ranges": pages,
}
