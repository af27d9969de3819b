/** The methods that the networks of a project answer, with prices: for `dotrpc methods` and for agents. */
import type { Workspace, WorkspaceNetwork } from "@dotrpc/analysis"
import { answersPlugin, type Method, Price, PriceSheet } from "@dotrpc/spec"

/** A network that is known by name, and that nobody has said the place of. */
export const isPreset = ({ hosts, problem }: WorkspaceNetwork): boolean => problem !== undefined && hosts === undefined

export interface ListedMethod {
  readonly method: Method
  /** As words, each once: networks may be paid by different sheets. */
  readonly prices: ReadonlyArray<string>
  /** The ids of the networks that answer it; at least one. */
  readonly networks: ReadonlyArray<string>
}

/** Those whose name or summary has the `word`, in any case, in the order of the plugins. */
export const listedMethods = (
  { networks, plugins }: Pick<Workspace, "networks" | "plugins">,
  word: string,
): ReadonlyArray<ListedMethod> => {
  const all = networks.filter((entry) => !isPreset(entry)).map(({ network }) => network)
  return plugins
    .flatMap(({ methods }) => methods)
    .filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(word.toLowerCase()))
    .flatMap((method) => {
      const able = all.filter(
        (network) => answersPlugin(network, method.plugin) && network.methods?.[method.name] !== false,
      )
      const prices = able.map((network) =>
        Price.showCredits(PriceSheet.usualPrice(method, network).credits, network.prices?.unit),
      )
      return able.length === 0 ? [] : [{ method, prices: [...new Set(prices)], networks: able.map(({ id }) => id) }]
    })
}
