/** ponder does not start without an API; this one serves nothing. */
import { Hono } from "hono"

export default new Hono()
