/** The answer to `dotrpc --version`. */
import packageJson from "../package.json" with { type: "json" }

export const { version } = packageJson

export const versionLine = `dotrpc v${version}`
