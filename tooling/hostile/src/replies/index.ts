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

/** Each group is run as the requests of one file. */
export const lightGroups: Readonly<Record<string, ReadonlyArray<Case>>> = {
  "replies that break the protocol": protocol,
  "refusals and redirects": refusals,
  "text that steers": steering,
  "keys repeated": echoes,
  "pages and ranges": pages,
}
