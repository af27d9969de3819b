/** The other networks of a project that have a method, as far as this is known without a call. */
import { answersPlugin, type Method, type Network } from "@dotrpc/spec"
import type { Workspace } from "./Workspace.ts"

/** Networks by their ids, in the order of the configuration. */
export interface NetworksWith {
  /** Networks whose preset or configuration says that they have it. */
  readonly known: ReadonlyArray<string>
  /** Networks of the same plugin that may have it: nothing says whether they do. None where `network` was asked to find out. */
  readonly perhaps: ReadonlyArray<string>
}

/**
 * The networks that could answer a method that `network` does not have, by its configuration or by its answer. Networks that cannot be used,
 * for example without an endpoint, are left out. After an answer, only what is better known is named: who follows it never comes back.
 *
 * @example
 * ```ts
 * const { known } = networksWith(workspace, method, network) // ["mantle"]
 * ```
 */
export const networksWith = (
  { networks }: Pick<Workspace, "networks">,
  { name, plugin }: Pick<Method, "name" | "plugin">,
  network: Pick<Network, "id" | "methods">,
): NetworksWith => {
  const others = networks
    .filter(
      (entry) => entry.problem === undefined && answersPlugin(entry.network, plugin) && entry.network.id !== network.id,
    )
    .map((entry) => entry.network)
  const having = (answer: boolean | undefined) =>
    others.filter((other) => hasMethod(other, name) === answer).map(({ id }) => id)
  const said = hasMethod(network, name)
  return { known: said === true ? [] : having(true), perhaps: said === false ? having(undefined) : [] }
}

/** Whether a network has a method; `undefined` if nothing says so. */
export const hasMethod = ({ methods }: Pick<Network, "methods">, name: string): boolean | undefined =>
  methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined

/** Advice on a method that a network does not have; `undefined` when no other network is known to answer it. */
export const adviceOnMethod = ({ known, perhaps }: NetworksWith): string | undefined => {
  const [first] = known
  if (first !== undefined) return `network "${first}" has it: write # @network ${first}`
  const some = perhaps.slice(0, mostNamed)
  const [only, ...rest] = some
  if (only === undefined) return undefined
  const more = perhaps.length > some.length ? ` and ${perhaps.length - some.length} more` : ""
  return rest.length === 0
    ? `network "${only}" may have it: write # @network ${only}`
    : `one of the networks ${some.join(", ")}${more} may have it: write # @network ID`
}

/** The most networks that the advice names. */
const mostNamed = 5
