/** Which host names mean the machine that a program runs on. */

/**
 * Whether what is sent to a host stays on this machine: `localhost`, and the loopback addresses of IPv4 and IPv6.
 *
 * Names below `localhost` are not: RFC 6761 keeps them on this machine, and yet many systems ask a name server about them. Nor are
 * `0.0.0.0` and `::`: they are addresses to listen on, for every network of the machine, and where a request to one goes depends
 * on the system.
 *
 * @param host as `URL.hostname` has it, which knows one notation of each address; the brackets of IPv6 may be missing
 * @example
 * ```ts
 * isThisMachine(new URL("http://localhost:8545").hostname) // true
 * ```
 */
export const isThisMachine = (host: string): boolean => thisMachine.test(host)

/** In IPv6, `127.0.0.1` is `::ffff:7f00:1`. */
const thisMachine =
  /^(?:localhost\.?|127(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}|\[?::(?:1|ffff:7f[\da-f]{2}:[\da-f]{1,4})\]?)$/i
