/** The headers of networks as a configuration has them: with the names of secrets, which are filled in when a request is sent. */
import { headersProblem, type ParamIssue, type ParamPath } from "@dotrpc/spec"
import { hasStrangePlaceholder, placeholder, strangePlaceholder } from "./placeholders.ts"

type Networks = Readonly<Record<string, { readonly headers?: Readonly<Record<string, string>> | undefined }>>

interface Holder {
  readonly networks?: Networks | undefined
  readonly environments?: Readonly<Record<string, { readonly networks?: Networks | undefined }>> | undefined
}

/** What is wrong with them before any secret is known, each at its place. */
export const headerIssues = ({ environments = {}, networks = {} }: Holder): ReadonlyArray<ParamIssue> => [
  ...issuesOf(networks, ["networks"]),
  ...Object.entries(environments).flatMap(([name, own]) =>
    issuesOf(own.networks ?? {}, ["environments", name, "networks"]),
  ),
]

const issuesOf = (networks: Networks, room: ParamPath): ReadonlyArray<ParamIssue> =>
  Object.entries(networks).flatMap(([id, { headers = {} }]) => {
    const path = [...room, id, "headers"]
    const strange = Object.entries(headers).find(([, value]) => hasStrangePlaceholder(value))
    if (strange !== undefined) return [{ path: [...path, strange[0]], message: `the header ${strangePlaceholder}` }]
    const problem = headersProblem(withSampleValues(headers))
    if (problem === undefined) return []
    const { message, name } = problem
    return [{ path: name === undefined ? path : [...path, name], message }]
  })

/** A secret may be any text: its own value is checked once it is known. */
const withSampleValues = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace(placeholder, "x")]))
