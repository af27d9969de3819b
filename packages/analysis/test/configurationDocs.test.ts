import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Evm } from "@dotrpc/plugin-evm"
import { L2Events } from "@dotrpc/plugin-l2-events"
import { expect, it } from "vitest"
import { parseConfig } from "../src/index.ts"

const page = readFileSync(join(import.meta.dirname, "../../../docs/configuration.md"), "utf8")

it("docs/configuration.md shows a configuration that is accepted", () =>
  expect(parseConfig(/```jsonc\n(.*?)```/s.exec(page)?.[1] ?? "").problems).toEqual([]))

it.each([Evm.plugin, L2Events.plugin])(
  "docs/configuration.md lists every preset of $id, and no other",
  ({ id, networks }) => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${id}\` | \`${networks[0]?.id}`)) ?? ""
    const listed = [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    expect(listed).toEqual([id, ...networks.map((network) => network.id)])
  },
)
