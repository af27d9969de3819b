import { describe, expect, it } from "vitest"
import { alignedUrls, gatewayUrls } from "../src/GatewayUrls.ts"

describe("the URL of a network", () => {
  const check = (host: string, key: string | undefined, expected: string) =>
    it(`of a gateway on ${host} is ${expected}`, () =>
      expect(gatewayUrls({ host, port: 8645, networks: ["l2"] }, key)).toEqual({ l2: expected }))
  check("127.0.0.1", "made", "http://127.0.0.1:8645/l2/v3/made")
  check("127.0.0.1", undefined, "http://127.0.0.1:8645/l2/v3/KEY")
  check("localhost", "local", "http://localhost:8645/l2/v3/local")
  check("10.0.0.5", undefined, "http://10.0.0.5:8645/l2/v3/KEY")
  check("0.0.0.0", undefined, "http://127.0.0.1:8645/l2/v3/KEY")
  check("::1", "made", "http://[::1]:8645/l2/v3/made")
  check("::", undefined, "http://[::1]:8645/l2/v3/KEY")
})

describe("the URLs of networks", () => {
  it("are aligned, one per line", () =>
    expect(alignedUrls({ l2: "http://a/l2", "evm-l2": "http://a/evm-l2" })).toEqual([
      "l2      http://a/l2",
      "evm-l2  http://a/evm-l2",
    ]))
})
