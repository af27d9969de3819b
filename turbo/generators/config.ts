/** `turbo gen plugin`: the package that `dotrpc new plugin NAME` makes, among the packages of this workspace. */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { PlopTypes } from "@turbo/gen"

export default function generator(plop: PlopTypes.NodePlopAPI): void {
  const root = join(plop.getPlopfilePath(), "../..")
  plop.setGenerator("plugin", {
    description: "A plugin with one method that works, as dotrpc new plugin makes it",
    prompts: [
      { type: "input", name: "name", message: "The name of the package, such as solana or @acme/plugin-solana" },
    ],
    actions: [(answers) => newPlugin(root, String(answers["name"]))],
  })
}

/** Gives the folder that was made; the command itself says what to do next. */
const newPlugin = (root: string, name: string): string => {
  const command = join(root, "apps/cli/dist/dotrpc.mjs")
  if (!existsSync(command)) throw new Error("build dotrpc first: pnpm turbo run build --filter=@dotrpc/cli")
  const made = spawnSync(process.execPath, [command, "new", "plugin", name], {
    cwd: join(root, "packages"),
    encoding: "utf8",
  })
  if (made.status !== 0) throw new Error(made.stderr.trim())
  process.stdout.write(made.stdout)
  return join("packages", name.replace(/^.*\//, ""))
}
