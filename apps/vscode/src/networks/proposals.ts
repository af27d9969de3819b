/** Proposed names for networks and secrets: free ones, after the chain and the provider. */
import { type NetworkSettings, secretName } from "@dotrpc/analysis"
import { isThisMachine } from "@dotrpc/spec"

/** The name itself, or the first number that makes it free: `ethereum`, `ethereum-2`. */
export const freeNetwork = (wanted: string, taken: ReadonlySet<string>): string =>
  numbered(wanted, "-", (name) => taken.has(name))

/** The network that has a URL already, as a configuration writes it. */
export const networkAt = (networks: Readonly<Record<string, NetworkSettings>>, written: string): string | undefined =>
  Object.keys(networks).find((id) =>
    [networks[id]?.url, networks[id]?.wsUrl].some(
      (url) => url !== undefined && comparable(url) === comparable(written),
    ),
  )

/** `ALCHEMY_KEY` for `eth-mainnet.g.alchemy.com`; `NODE_KEY` for an address. */
export const proposedSecret = (host: string, provider: string | undefined, isTaken: IsTaken): string => {
  const isNumber = /^[\d.]+$|:/.test(host) || isThisMachine(host)
  const owner = provider ?? (isNumber ? "node" : (host.split(".").at(-2) ?? host))
  const name = `${secretName(owner).slice(0, 40)}_KEY`.replace(/^(?=\d)/, "N")
  return numbered(name, "_", isTaken)
}

/** The problem of a network's name; `undefined` if it can be used. */
export const networkProblem = (name: string, taken: ReadonlySet<string>): string | undefined => {
  if (!/^[A-Za-z][\w.-]{0,63}$/.test(name)) return "A letter, then letters, digits, _, . or -; at most 64 characters."
  return taken.has(name) ? `rpc.config.json already has a network "${name}".` : undefined
}

/** The problem of a secret's name; `undefined` if it can be used. */
export const secretProblem = (name: string, isTaken: IsTaken): string | undefined => {
  if (!/^[A-Za-z_]\w{0,63}$/.test(name)) return "Letters, digits and _, as in API_KEY; at most 64 characters."
  return isTaken(name) ? `${name} is already set, to another value.` : undefined
}

/** Whether a name means something else already. */
type IsTaken = (name: string) => boolean

/** A server reads the same of a host in capitals and of a path that is `/` or absent. */
const comparable = (url: string): string =>
  url
    .trim()
    .replace(/^[^/]*:\/\/[^/?#{}]*/, (start) => start.toLowerCase())
    .replace(/\/$/, "")

const numbered = (wanted: string, mark: string, isTaken: IsTaken): string => {
  let number = 1
  const name = () => (number === 1 ? wanted : `${wanted}${mark}${number}`)
  while (isTaken(name())) number++
  return name()
}
