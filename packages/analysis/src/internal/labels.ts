/** Problems of the `labels` of a configuration that need its plugins: each address is one of its network's family. */
import type { AddressForm, ParamPath, Plugin } from "@dotrpc/spec"
import type { NetworkSettings, ProjectConfig } from "../ProjectConfig.ts"
import type { WorkspaceProblem } from "../WorkspaceProblem.ts"

/** Plugins that do not say how addresses are written accept any. */
export const labelProblems = (
  { environments = {}, networks = {} }: ProjectConfig,
  plugins: ReadonlyArray<Plugin>,
): ReadonlyArray<WorkspaceProblem> => {
  const problemsIn = (room: ParamPath, own: Networks, base: Networks): ReadonlyArray<WorkspaceProblem> =>
    Object.entries(own).flatMap(([id, settings]) => {
      const { chainId, forms } = formsOf(id, settings, Object.hasOwn(base, id) ? base[id] : undefined, plugins)
      return Object.keys(settings.labels ?? {}).flatMap((address) => {
        const problems = forms.map((form) => form?.problem(address, chainId))
        const [problem] = problems
        return problem === undefined || problems.includes(undefined)
          ? []
          : [{ message: `labels of network "${id}": ${problem}`, path: [...room, id, "labels", address] }]
      })
    })
  return [
    ...problemsIn(["networks"], networks, {}),
    ...Object.entries(environments).flatMap(([name, own]) =>
      problemsIn(["environments", name, "networks"], own.networks ?? {}, networks),
    ),
  ]
}

type Networks = Readonly<Record<string, NetworkSettings>>

/** Of each plugin whose methods the network answers, and the chain of the network. */
const formsOf = (
  id: string,
  own: NetworkSettings,
  base: NetworkSettings | undefined,
  plugins: ReadonlyArray<Plugin>,
): { readonly chainId: number | undefined; readonly forms: ReadonlyArray<AddressForm | undefined> } => {
  const named = familiesOf(own) ?? (base === undefined ? undefined : familiesOf(base))
  const presetId = own.preset ?? base?.preset ?? id
  const preset = plugins.flatMap(({ networks }) => networks).find((network) => network.id === presetId)
  const families = named ?? (preset === undefined ? [] : [preset.plugin])
  return {
    chainId: own.chainId ?? base?.chainId ?? preset?.chainId,
    forms: families.map((family) => plugins.find((plugin) => plugin.id === family)?.address),
  }
}

const familiesOf = ({ plugin, plugins }: NetworkSettings): ReadonlyArray<string> | undefined =>
  plugins ?? (plugin === undefined ? undefined : [plugin])
