/** The next commands once a package has been written, for the folder it is in. */
import { readTextFileSync } from "@dotrpc/project/node"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { pnpmVersion, versions } from "./versions.ts"

/** Where a package gets those of dotrpc from. */
export type Source =
  /** The pnpm workspace of dotrpc, which the new package is a member of. */
  | { readonly kind: "workspace" }
  /** A clone of dotrpc somewhere else, whose command this is. */
  | { readonly kind: "clone"; readonly root: string }
  /** The command alone, installed by npm. */
  | { readonly kind: "installed" }

/** `command` is the folder of the running command, which tells a clone from what npm has installed. */
export const sourceFor = (folder: string, command: string): Source => {
  if (workspaceAround(folder) !== undefined) return { kind: "workspace" }
  const root = workspaceAround(command)
  return root === undefined ? { kind: "installed" } : { kind: "clone", root }
}

/** `scripts` are those of the package to run, `others` are commands of packages it depends on. */
export const nextSteps = (
  folder: string,
  source: Source,
  scripts: ReadonlyArray<string>,
  others: ReadonlyArray<string> = [],
  node = process.versions.node,
): string => {
  const manager = source.kind === "workspace" ? pnpm : "npm"
  const root = source.kind === "clone" ? source.root : "CLONE"
  const install =
    source.kind === "workspace"
      ? ["install"]
      : ["install", ...tarballs.map((file) => word(join(root, "tarballs", file)))]
  const steps = [
    ...(source.kind === "clone" ? [`${pnpm} --dir ${word(source.root)} tarballs`] : []),
    `cd ${folder}`,
    `${manager} ${install.join(" ")}`,
    ...scripts.map((script) => `${manager} ${script}`),
    ...others.map((command) => `${source.kind === "workspace" ? `${pnpm} exec` : "npx"} ${command}`),
  ]
  const note = notes[source.kind]
  const remarks = [
    note,
    canTest(node) ? undefined : `The tests need Node 22.12 or newer, 24, or 26 or newer; this is Node ${node}.`,
  ]
  return `Next:\n${[...steps.map((step) => `  ${step}`), ...remarks.filter((line) => line !== undefined)].join("\n")}\n`
}

/** Whether a version of Node is in {@link nodeRange}. */
const canTest = (node: string): boolean => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  return major === 22 ? minor >= 12 : major === 24 || major >= 26
}

const pnpm = `npx -y pnpm@${pnpmVersion}`

const notes: { readonly [Kind in Source["kind"]]?: string } = {
  workspace: "To keep it here, add it to tooling/boundaries/src/rules.ts and to the table in ARCHITECTURE.md.",
  installed: `The packages are not on npm yet: CLONE is a clone of dotrpc, in which \`${pnpm} tarballs\` has written them.`,
}

/** The root of the workspace that a folder is in, if it is the one whose members are the packages of dotrpc. */
const workspaceAround = (folder: string): string | undefined => {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, "pnpm-workspace.yaml"))) {
      const manifest = join(current, "packages/spec/package.json")
      const text = readTextFileSync(manifest)
      return typeof text === "string" && /"name":\s*"@dotrpc\/spec"/.test(text) ? current : undefined
    }
    if (current === dirname(current)) return undefined
  }
}

/** A new package depends on these; what they need is inside them or on npm. */
const tarballs = (["@dotrpc/spec", "@dotrpc/plugin-kit", "dotrpc"] as const).map(
  (name) => `${name.replace(/^@dotrpc\//, "dotrpc-")}-${versions[name].slice(1)}.tgz`,
)

/** As one word of a command line. */
const word = (path: string): string => (/^[\w./:@+\\-]+$/.test(path) ? path : JSON.stringify(path))
