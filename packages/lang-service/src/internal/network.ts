/** The network that a request goes to, also one that is not written yet. */
import { type Analysis, compositePriceOf, workspaceAt } from "@dotrpc/analysis"
import type { SectionNode } from "@dotrpc/lang"
import { answersPlugin, type Method, type Network, Price, PriceSheet } from "@dotrpc/spec"

/** What `# @network` says, in the section or above all sections. */
export const networkSaid = ({ tree, workspace }: Analysis, section: SectionNode | undefined): Network | undefined => {
  const said = [section, tree.prelude]
    .map((holder) => holder?.directives.findLast((directive) => directive.name.text === "network"))
    .find((directive) => directive !== undefined)
  const { networks } = workspaceAt(tree, section, workspace)
  return networks.find(({ network }) => network.id === said?.value.text)?.network
}

/** The network for calls of a method in a section: the one that it names, else the first that answers the methods of its plugin. */
export const networkFor = (
  analysis: Analysis,
  section: SectionNode | undefined,
  method: Method,
): Network | undefined => {
  const workspace = workspaceAt(analysis.tree, section, analysis.workspace)
  const said = networkSaid(analysis, section)
  const forced = workspace.networks.find(({ network }) => network.id === workspace.forcedNetwork)?.network
  return (
    [forced, said].find((network) => network !== undefined && answersPlugin(network, method.plugin)) ??
    workspace.networks.find(({ network }) => answersPlugin(network, method.plugin))?.network
  )
}

/** `255 credits`, `~80 credits`: one call of a method there. */
export const priceOn = (method: Method, network: Network | undefined): string => {
  const unit = network?.prices?.unit
  const price = compositePriceOf(method, (sent) => {
    const { credits, assumed } = network === undefined ? sent.price : PriceSheet.usualPrice(sent, network)
    return { min: credits, max: credits, assumed, unit }
  })
  return Price.show(price)
}
