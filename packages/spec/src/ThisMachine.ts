/** Which host names mean the machine that a program runs on. */

/**
 * Whether what is sent to a host stays on this machine: `localhost` and every name below it, which name no other machine
 * (RFC 6761), and the loopback addresses of IPv4 and IPv6.
 *
 * `0.0.0.0` and `::` are not: they are addresses to listen on, for every network of the machine, and where a request to one
 * goes depends on the system. Callers that have only an address that was resolved already, or must not depend on how names
 * below `localhost` are resolved, need to be stricter.
 *
 * @param host as `URL.hostname` has it, which knows one notation of each address; the brackets of IPv6 may be missing
 * @example
 * ```ts
 * isThisMachine(new URL("http://node.localhost:8545").hostname) // true
 * ```
 */
export const isThisMachine = (host: string): boolean => thisMachine.test(host)

/** In IPv6, `127.0.0.1` is `::ffff:7f00:1`. */
const thisMachine =
  /^(?:(?:[\w-]+\.)*localhost\.?|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[?::(?:1|ffff:7f[\da-f]{2}:[\da-f]{1,4})\]?)$/i
