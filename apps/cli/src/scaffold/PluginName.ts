/** The name of a new plugin, and the names derived from it. */
import { carriedPlugins } from "@dotrpc/project"
import { Result } from "effect"

export interface PluginName {
  /** As in package.json: `@acme/plugin-solana`. */
  readonly packageName: string
  /** The folder, beside which nothing is touched: `plugin-solana`. */
  readonly folder: string
  /** As in `.rpc` files and configurations: `solana`. */
  readonly id: string
}

/** Reads a name as npm has them: lower case, with or without a scope. */
export const readPluginName = (text: string): Result.Result<PluginName, string> => {
  const [, folder] = /^(?:@[a-z0-9][a-z0-9-]*\/)?([a-z][a-z0-9-]*)$/.exec(text) ?? []
  if (folder === undefined || folder.endsWith("-") || text.length > maxLength)
    return Result.fail(
      `"${text}" cannot name a plugin: use lower-case letters, digits and "-", beginning with a letter, such as solana or @acme/plugin-solana`,
    )
  const id = folder.replace(/^(dotrpc-)?plugin-(?=[a-z])/, "")
  if ([...carriedPlugins.values()].some((plugin) => plugin.id === id))
    return Result.fail(`"${id}" is the id of a built-in plugin: choose another name`)
  return Result.succeed({ packageName: text, folder, id })
}

/** npm's own limit. */
const maxLength = 214
