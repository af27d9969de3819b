/** The service for names on the network of a request; `undefined` where there is none. */
import type { BoundRequest } from "@dotrpc/analysis"
import type { NamesReader } from "@dotrpc/spec"

export const namesReaderOf = ({
  network,
  workspace,
}: Pick<BoundRequest, "network" | "workspace">): NamesReader | undefined => {
  const names = workspace.plugins.find(({ id }) => id === network?.plugin)?.names
  return network !== undefined && names?.isOn(network) === true ? names : undefined
}
