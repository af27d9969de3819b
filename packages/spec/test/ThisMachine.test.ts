/** Which hosts are this machine. */
import { describe, expect, it } from "vitest"
import { isThisMachine } from "../src/index.ts"

describe("a host that is this machine", () => {
  const check = (host: string, expected = true) =>
    it(`${host === "" ? "nothing" : host} is ${expected ? "" : "not "}one`, () =>
      expect(isThisMachine(host)).toBe(expected))
  check("localhost")
  check("LOCALHOST")
  check("localhost.")
  check("node.localhost", false)
  check("a.b.localhost.", false)
  check("127.0.0.1")
  check("127.9.9.9")
  check("127.255.255.255")
  check("[::1]")
  check("::1")
  check("[::ffff:7f00:1]")

  check("::ffff:7f00:1")
  for (const url of [
    "http://127.1",
    "http://2130706433",
    "http://0x7f.1",
    "http://[0:0::1]",
    "http://[::ffff:127.0.0.1]",
  ])
    check(new URL(url).hostname)

  check("", false)
  check("127.1", false)
  check("2130706433", false)
  check("0.0.0.0", false)
  check("::", false)
  check("[::]", false)
  check("128.0.0.1", false)
  check("10.127.0.1", false)
  check("127.0.0.256", false)
  check("127.0.0.1.example", false)
  check("notlocalhost", false)
  check("localhost.example", false)
  check("localhost:8545", false)
  check("127.0.0.1:8545", false)
  check("localhost/@node.example", false)
  check("node.example#.localhost", false)
  check("user@localhost", false)
  check("[::2]", false)
  check("::ffff:8000:1", false)
})
