/** The labels that the project gives to an address. */
import { type Analysis, workspaceAt } from "@dotrpc/analysis"
import { sectionAt } from "@dotrpc/lang/locate"
import { type Json, labelOf } from "@dotrpc/spec"
import { escapeMarkdown } from "../internal/markdown.ts"

/** Of the network of the request, and outside requests of every network that has one. */
export const labelLines = (analysis: Analysis, offset: number, value: Json.Json): ReadonlyArray<string> => {
  if (typeof value !== "string") return []
  const section = sectionAt(analysis.tree, offset)
  const own = analysis.requests.find((request) => request.section === section)?.network
  const networks =
    own === undefined ? workspaceAt(analysis.tree, section, analysis.workspace).networks : [{ network: own }]
  const labels = networks.flatMap(({ network }) => {
    const label = labelOf(network, value)
    return label === undefined ? [] : [`- **${escapeMarkdown(label)}** on ${escapeMarkdown(network.id)}`]
  })
  return labels.length === 0 ? [] : [labels.join("\n")]
}
