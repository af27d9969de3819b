/** `pnpm site`: writes the site to `dist`. Exits 1 where a link leads nowhere. */
import { buildSite } from "./Site.ts"

process.exitCode = (await buildSite()) ? 0 : 1
