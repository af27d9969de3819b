/** `pnpm site`: writes the site to `dist`. Exits 1 where a link leads nowhere, or a name that is exported has no docstring. */
import { buildSite } from "./Site.ts"

process.exitCode = (await buildSite()) ? 0 : 1
