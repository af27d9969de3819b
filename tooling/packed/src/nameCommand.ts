/**
 * Copies the packed command of a folder to `dotrpc-VERSION.tgz`: the name that a reader of the folder looks for. The package
 * in it is `@dotrpc/cli`, as in the file that npm named.
 */
import { copyFileSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

const [folder = ""] = process.argv.slice(2)
const manifest = readFileSync(join(import.meta.dirname, "../../../apps/cli/package.json"), "utf8")
const { version } = JSON.parse(manifest) as { readonly version: string }
const inFolder = (name: string) => join(resolve(folder), `${name}-${version}.tgz`)
copyFileSync(inFolder("dotrpc-cli"), inFolder("dotrpc"))
