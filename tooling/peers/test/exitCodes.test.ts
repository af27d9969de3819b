/** What the shell learns, with a real node on the other side, and what each of these runs spends. */
import { isDeep } from "@dotrpc/vitest/depth"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type AnvilNode, startAnvil } from "../src/AnvilNode.ts"
import { dotrpc, type Environment, finished, type RequestReport, reportOf, startDotrpc } from "../src/Dotrpc.ts"
import { type MeteredGateway, startGateway } from "../src/MeteredGateway.ts"
import { deadPort } from "../src/ports.ts"
import { gatewayEnvironment } from "./environment.ts"
import { storedNumbers } from "./questions.ts"

const nodeUrl = inject("nodeUrl")
const ledger = inject("ledger")
let gateway: MeteredGateway
let env: Environment

beforeAll(async () => {
  gateway = await startGateway(nodeUrl)
  env = gatewayEnvironment(nodeUrl, ledger, gateway)
})

afterAll(() => gateway.stop())

interface Case {
  readonly what: string
  readonly args: ReadonlyArray<string>
  /** An environment of `rpc.config.json`; `gateway` by default. */
  readonly place?: string
  readonly env?: () => Environment | Promise<Environment>
  readonly exitCode: number
  /** What the report says about a request. */
  readonly requests: Readonly<Record<string, object>>
  /** What the gateway charged. */
  readonly charged: number
  /** Whether a landing tries another way to the same code. */
  readonly isDeep?: true | undefined
}

const cases: ReadonlyArray<Case> = [
  {
    what: "0 when everything ran and every check held",
    args: ["ledger.rpc", "--name", "receipt"],
    exitCode: 0,
    requests: { deposits: { status: "ok", failedChecks: [] }, receipt: { status: "ok", failedChecks: [] } },
    charged: 255 + 80,
  },
  {
    what: "1 when a check does not hold, with what the node answered",
    args: ["wrong-check.rpc"],
    exitCode: 1,
    requests: {
      total: {
        status: "check-failed",
        failedChecks: [
          expect.stringContaining(`"actual":"0x${(storedNumbers["total"] ?? 0n).toString(16).padStart(64, "0")}"`),
        ],
      },
    },
    charged: 80,
  },
  {
    what: "2 when a method does not exist, and sends nothing",
    args: ["unknown-method.rpc"],
    exitCode: 2,
    requests: {
      misspelt: { status: "failed", calls: 0, error: { message: expect.stringContaining("eth_getLogs"), line: 6 } },
    },
    charged: 0,
  },
  {
    what: "3 when nothing listens at the endpoint, which costs nothing",
    args: ["wrong-check.rpc"],
    env: async () => ({ ...env, GATEWAY_PORT: await deadPort() }),
    exitCode: 3,
    requests: { total: { status: "failed", credits: 0, error: { reason: "Transport", retryable: true } } },
    charged: 0,
  },
  {
    what: "3 when the gateway does not know the key, which is not tried twice",
    args: ["wrong-check.rpc"],
    env: () => ({ ...env, API_KEY: "another/canary+9b3d 2a" }),
    exitCode: 3,
    requests: { total: { status: "rpc-error", calls: 1, error: { reason: "AuthFailed", code: 401 } } },
    charged: 0,
  },
  {
    what: "3 when a request fails, and what needs its result is skipped",
    args: ["blocks.rpc", "--name", "transactions"],
    place: "node-with-key",
    exitCode: 3,
    requests: { hashes: { status: "rpc-error", error: { code: 404 } }, transactions: { status: "skipped", calls: 0 } },
    charged: 0,
    isDeep: true,
  },
  {
    what: "4 when --max-credits does not cover the call, and sends nothing",
    args: ["ledger.rpc", "--name", "deposits", "--max-credits", "254"],
    exitCode: 4,
    requests: { deposits: { status: "refused", calls: 0, credits: 0, error: { reason: "BudgetRefused" } } },
    charged: 0,
    isDeep: true,
  },
  {
    what: "4 when --max-credits is used up on the way, and sends nothing more",
    args: ["ledger.rpc", "--name", "receipt", "--max-credits", "300"],
    exitCode: 4,
    requests: { deposits: { status: "ok", credits: 255 }, receipt: { status: "refused", calls: 0 } },
    charged: 255,
  },
]

describe("the exit code of dotrpc run", () => {
  it.each(cases.filter((row) => isDeep || row.isDeep !== true))(
    "is $what",
    async ({ args, charged, env: own, exitCode, place = "gateway", requests }) => {
      const before = await gateway.balance()
      const environment = await (own?.() ?? env)
      const run = await dotrpc(["run", ...args, "--env", place, "--format", "json"], environment)
      const found: Readonly<Record<string, RequestReport>> = reportOf(run).requests
      expect(found).toMatchObject(requests)
      expect(Object.keys(found)).toEqual(Object.keys(requests))
      expect(run.exitCode, run.stderr).toBe(exitCode)
      expect((await gateway.balance()).spent - before.spent).toBe(charged)
    },
  )

  it("is 2 for a flag that makes no sense, and says how to write it", async () => {
    const run = await dotrpc(["run", "ledger.rpc", "--max-credits", "plenty"], env)
    expect(run.exitCode).toBe(2)
    expect(run.stderr).toContain("max-credits")
    expect(run.stdout).toBe("")
  })
})

describe("Ctrl-C while the node behind the gateway does not answer", () => {
  let slowNode: AnvilNode
  let slowGateway: MeteredGateway

  beforeAll(async () => {
    slowNode = await startAnvil()
    slowGateway = await startGateway(slowNode.url)
    slowNode.freeze()
  })

  afterAll(async () => {
    await slowGateway.stop()
    await slowNode.stop()
  })

  it("ends the run with 130, and the call that was in flight is counted as the gateway counts it", async () => {
    const environment = { ...env, GATEWAY_PORT: slowGateway.port }
    const child = startDotrpc(["run", "ledger.rpc", "--name", "deposits", "--env", "gateway"], environment)
    await expect.poll(async () => (await slowGateway.balance()).spent).toBe(255)
    child.send("SIGINT")
    const run = await finished(child, environment)
    expect(run.exitCode).toBe(130)
    expect(run.stderr).toContain("interrupted: 255 credits spent")
    expect((await slowGateway.balance()).spent).toBe(255)
  })
})
