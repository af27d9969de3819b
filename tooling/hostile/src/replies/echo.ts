/** The caller's key, repeated in every disguise and in every place where a server has text. */
import { body, result, rpcError } from "../answers.ts"
import { asks, type Case, log } from "../Case.ts"
import type { HttpCall } from "../HostileServer.ts"
import { type Disguise, disguises } from "../Key.ts"

const failed: Case["status"] = ["failed", "rpc-error"]

interface Place {
  readonly ask?: string | undefined
  readonly status?: Case["status"]
  readonly http: (said: (key: string) => string) => (call: HttpCall) => void | Promise<void>
}

/** As a provider's own words would have it, and far enough in for a line to be cut in the middle of it. */
const sentence = (said: string): string => `project ${said} has exceeded its rate`
const late = (said: string): string => `${"long words ".repeat(13)}${said}`

const places: Readonly<Record<string, Place>> = {
  "an-error-message": {
    status: failed,
    http: (said) => rpcError(({ key }) => ({ code: -32_000, message: sentence(said(key)) })),
  },
  "the-end-of-a-long-message": {
    status: failed,
    http: (said) => rpcError(({ key }) => ({ code: -32_000, message: late(said(key)) })),
  },
  "error-data": {
    status: failed,
    http: (said) =>
      rpcError(({ key }) => ({ code: -32_000, message: "no", data: { project: [said(key)], [said(key)]: 1 } })),
  },
  "a-500": {
    status: failed,
    http: (said) => body(500, ({ key }) => `<html><body>${sentence(said(key))}</body></html>`),
  },
  "the-cut-of-a-500": {
    status: failed,
    http: (said) => body(500, ({ key }) => `<html><body>${late(said(key))}</body></html>`),
  },
  "a-reply-that-is-no-json": { status: failed, http: (said) => body(200, ({ key }) => late(said(key)).slice(30)) },
  "a-misfit": {
    status: ["ok"],
    http: (said) => result(({ key }) => ({ project: said(key), [said(key)]: [said(key)] })),
  },
  "the-cut-of-a-misfit": {
    status: ["ok"],
    http: (said) => result(({ key }) => JSON.stringify(late(said(key)).slice(100))),
  },
  "columns-of-a-misfit": {
    status: ["ok"],
    http: (said) => result(({ key }) => [{ [said(key)]: 1 }, { [said(key)]: 2 }]),
  },
  "a-valid-result": {
    ask: asks.logs,
    http: (said) => result(({ key }) => [log({ memo: said(key), [said(key)]: { inner: [said(key)] } })]),
  },
}

const texts = Object.entries(places).flatMap(([place, { http, ...rest }]) =>
  Object.entries(disguises).map(([disguise, said]): Case => ({
    name: `echo-in-${place}-as-${disguise.replaceAll(/[^a-z0-9]+/gi, "-")}`,
    ...rest,
    http: http(said),
  })),
)

const asNumber: Disguise = (key) => BigInt(`0x${key}`).toString()

export const echoes: ReadonlyArray<Case> = [
  ...texts,
  {
    name: "echo-as-data-of-a-log",
    ask: asks.logs,
    http: result(({ key }) => [log({ data: `0x${Buffer.from(key).toString("hex")}` })]),
  },
  { name: "echo-as-the-data-itself", ask: asks.logs, http: result(({ key }) => [log({ data: `0x${key}` })]) },
  {
    name: "echo-as-a-word-of-storage",
    http: result(({ key }) => JSON.stringify(`0x${Buffer.from(key).toString("hex")}`)),
  },
  {
    name: "echo-as-a-number-in-a-result",
    ask: asks.logs,
    http: result(({ key }) => `[${JSON.stringify(log()).replace("{", `{"n":${asNumber(key)},`)}]`),
  },
  {
    name: "echo-as-a-number-in-data",
    status: failed,
    http: (call) => rpcError(`{"code":-32000,"message":"no","data":[${asNumber(call.key)}]}`)(call),
  },
  {
    name: "echo-as-an-id",
    status: failed,
    http: (call) => body(200, JSON.stringify({ jsonrpc: "2.0", id: call.url, result: "0x1" }))(call),
  },
  {
    name: "echo-as-another-id",
    status: failed,
    http: (call) => body(200, `{"jsonrpc":"2.0","id":${asNumber(call.key)},"result":"0x1"}`)(call),
  },
  { name: "echo-as-a-wait", status: failed, http: (call) => body(429, "", { "retry-after": call.key })(call) },
  {
    name: "echo-in-a-redirect",
    status: failed,
    http: (call) => body(302, "", { location: `http://${call.key}.example/v3/${call.key}` })(call),
  },
  {
    name: "echo-of-the-path",
    status: failed,
    http: (call) => rpcError({ code: -32_000, message: `POST ${call.origin}${call.url} failed` })(call),
  },
  {
    name: "echo-in-backoff",
    status: failed,
    http: (call) =>
      rpcError({ code: -32_005, message: `limit of ${call.key}`, data: { see: call.url, rate: { key: call.key } } })(
        call,
      ),
  },
]
