/** The versions of Node that the packages are for. */
import { join } from "node:path"

const older = (name: string): string => join(import.meta.dirname, "../../nodes/node_modules", name, "bin/node")

export const nodes: Readonly<Record<string, string>> = {
  "Node 20": older("node-20"),
  "Node 22": older("node-22"),
  "Node 24": process.execPath,
}
