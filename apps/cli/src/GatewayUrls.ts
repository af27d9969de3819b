/** The URLs of a gateway that listens, to be pasted into a configuration, curl or a wallet. */
import type { Served } from "@dotrpc/gateway/server"

/** By the id of the network. `KEY` stands for a key that the gateway must not repeat. */
export const gatewayUrls = (
  { host, networks, port }: Pick<Served, "host" | "networks" | "port">,
  key = "KEY",
): Readonly<Record<string, string>> => {
  // An address that means every one of this machine is not one to connect to.
  const own = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host
  const base = `http://${own.includes(":") ? `[${own}]` : own}:${port}`
  return Object.fromEntries(networks.map((id) => [id, `${base}/${id}/v3/${key}`]))
}

/** For people: one network per line. */
export const alignedUrls = (urls: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const width = Math.max(...Object.keys(urls).map((id) => id.length))
  return Object.entries(urls).map(([id, url]) => `${id.padEnd(width)}  ${url}`)
}
