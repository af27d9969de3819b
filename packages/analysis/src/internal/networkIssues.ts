/** Problems of the networks of a configuration other than the types of their members, each at its place. */
import { addressKey, headersProblem, labelProblem, type ParamIssue, type ParamPath, Visible } from "@dotrpc/spec"
import { hasStrangePlaceholder, placeholder, strangePlaceholder } from "./placeholders.ts"

interface Settings {
  readonly url?: string | undefined
  readonly wsUrl?: string | undefined
  readonly plugin?: string | undefined
  readonly plugins?: ReadonlyArray<string> | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

type Networks = Readonly<Record<string, Settings>>

interface Holder {
  readonly networks?: Networks | undefined
  readonly environments?: Readonly<Record<string, { readonly networks?: Networks | undefined }>> | undefined
}

/** No secret is known yet. */
export const networkIssues = ({ environments = {}, networks = {} }: Holder): ReadonlyArray<ParamIssue> => [
  ...issuesIn(networks, ["networks"]),
  ...Object.entries(environments).flatMap(([name, own]) =>
    issuesIn(own.networks ?? {}, ["environments", name, "networks"]),
  ),
]

const issuesIn = (networks: Networks, room: ParamPath): ReadonlyArray<ParamIssue> =>
  Object.entries(networks).flatMap(([id, settings]) => [
    ...pluginIssues(settings, [...room, id]),
    ...urlIssues(settings, [...room, id]),
    ...headerIssues(settings, [...room, id, "headers"]),
    ...labelIssues(settings, [...room, id, "labels"]),
  ])

const pluginIssues = ({ plugin, plugins }: Settings, path: ParamPath): ReadonlyArray<ParamIssue> => {
  if (plugins === undefined) return []
  const at = [...path, "plugins"]
  if (plugin !== undefined)
    return [{ path: at, message: '"plugin" and "plugins" both say whose methods it answers: keep one' }]
  if (plugins.length === 0) return [{ path: at, message: 'expected at least one plugin, such as ["evm"]' }]
  const twice = plugins.findIndex((id, index) => plugins.indexOf(id) !== index)
  return twice < 0 ? [] : [{ path: [...at, twice], message: "the plugin is already in the list: remove it" }]
}

/** A URL is sent without them, so it is not the one that a reader sees. */
const urlIssues = (settings: Settings, path: ParamPath): ReadonlyArray<ParamIssue> =>
  (["url", "wsUrl"] as const).flatMap((member) => {
    const url = settings[member] ?? ""
    if (Visible.line(url) === url) return []
    const message = `the ${member} contains a line break, a tab or an invisible character: remove it`
    return [{ path: [...path, member], message }]
  })

const headerIssues = ({ headers = {} }: Settings, path: ParamPath): ReadonlyArray<ParamIssue> => {
  const strange = Object.entries(headers).find(([, value]) => hasStrangePlaceholder(value))
  if (strange !== undefined) return [{ path: [...path, strange[0]], message: `the header ${strangePlaceholder}` }]
  const problem = headersProblem(withSampleValues(headers))
  if (problem === undefined) return []
  const { message, name } = problem
  return [{ path: name === undefined ? path : [...path, name], message }]
}

const labelIssues = ({ labels = {} }: Settings, path: ParamPath): ReadonlyArray<ParamIssue> => {
  const seen = new Set<string>()
  return Object.entries(labels).flatMap(([address, label]) => {
    const key = addressKey(address)
    const isTwice = seen.has(key)
    seen.add(key)
    const message = isTwice ? "the address has a label already: remove one of them" : labelProblem(label)
    return message === undefined ? [] : [{ path: [...path, address], message }]
  })
}

/** A secret may be any text: its own value is checked once it is known. */
const withSampleValues = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(placeholder, "x")]))
