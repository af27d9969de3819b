/** The CPU from the text of a reply with 10,000 logs to values of whom the program knows the type. */
import { Evm } from "@dotrpc/plugin-evm"
import { defineNetwork, Wire } from "@dotrpc/spec"
import { Ajv } from "ajv"
import { Result, Schema } from "effect"
import { JsonRpcProvider, type LogParams, Network } from "ethers"
import { formatLog, type RpcLog } from "viem"
import { z } from "zod"
import { type Likeness, replyOfLogs } from "./logs.ts"
import { cpuPerPiece } from "./measure.ts"

/** A contender's name is followed by what it reads: `ajv: nothing repeated`. */
export const measure = async (contender: string): Promise<number> => {
  const [name = "", likeness = ""] = contender.split(": ")
  const make = makers[name]
  if (make === undefined) throw new Error(`Unknown contender: ${name}`)
  const text = replyOfLogs(likeness === "nothing repeated" ? likeness : "one token's transfers")
  const decode = make()
  const size = decode(text).length
  if (size !== 10_000) throw new Error(`${name} found ${size} logs`)
  return cpuPerPiece(
    (count) => {
      for (let left = count; left > 0; left--) decode(text)
    },
    { warmUp: 15, count: 25 },
  )
}

type Decode = (text: string) => ReadonlyArray<unknown>

interface Envelope {
  readonly result: ReadonlyArray<unknown>
}

const makers: Readonly<Record<string, () => Decode>> = {
  "JSON.parse": () => (text) => (JSON.parse(text) as Envelope).result,
  dotrpc: () => {
    const network = defineNetwork({ id: "local", plugin: "evm" })
    const request = { method: Evm.GetLogs, network, params: [] }
    return (text) => {
      const reply = { status: 200, headers: () => undefined, body: text, now: 0 }
      const { result } = Result.getOrThrow(Wire.decodeReply(request, 1, reply))
      const issue = Evm.GetLogs.resultIssue(result)
      if (issue !== undefined) throw new Error(issue.message)
      return result as ReadonlyArray<unknown>
    }
  },
  viem: () => (text) => (JSON.parse(text) as { result: ReadonlyArray<RpcLog> }).result.map((log) => formatLog(log)),
  ethers: () => {
    const provider = new JsonRpcProvider("http://127.0.0.1", 1, { staticNetwork: true })
    const network = Network.from(1)
    return (text) =>
      (JSON.parse(text) as { result: ReadonlyArray<LogParams> }).result.map((log) => provider._wrapLog(log, network))
  },
  ajv: () => {
    const hex = (pattern: string) => ({ type: "string", pattern })
    const [hash, quantity] = [hex("^0x[0-9a-fA-F]{64}$"), hex("^0x[0-9a-fA-F]+$")]
    const fields = {
      removed: { type: "boolean" },
      logIndex: { ...quantity, nullable: true },
      transactionIndex: { ...quantity, nullable: true },
      transactionHash: { ...hash, nullable: true },
      blockHash: { ...hash, nullable: true },
      blockNumber: { ...quantity, nullable: true },
      address: hex("^0x[0-9a-fA-F]{40}$"),
      data: hex("^0x([0-9a-fA-F]{2})*$"),
      topics: { type: "array", maxItems: 4, items: hash },
    }
    const validate = new Ajv().compile({
      type: "array",
      items: { type: "object", properties: fields, required: Object.keys(fields) },
    })
    return (text) => {
      const { result } = JSON.parse(text) as Envelope
      if (!validate(result)) throw new Error("refused")
      return result
    }
  },
  zod: () => {
    const hash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
    const quantity = z.string().regex(/^0x[0-9a-fA-F]+$/)
    const logs = z.array(
      z.object({
        removed: z.boolean(),
        logIndex: quantity.nullable(),
        transactionIndex: quantity.nullable(),
        transactionHash: hash.nullable(),
        blockHash: hash.nullable(),
        blockNumber: quantity.nullable(),
        address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
        data: z.string().regex(/^0x([0-9a-fA-F]{2})*$/),
        topics: z.array(hash).max(4),
      }),
    )
    return (text) => logs.parse((JSON.parse(text) as Envelope).result)
  },
  "Effect Schema, interpreted": () => {
    const decode = Schema.decodeUnknownSync(Evm.GetLogs.result)
    return (text) => decode((JSON.parse(text) as Envelope).result)
  },
}

/** Who refuses a log with a value of the wrong kind, length or digits. */
export const checks: ReadonlySet<string> = new Set(["dotrpc", "ajv", "zod", "Effect Schema, interpreted"])

export const likenesses: readonly [Likeness, Likeness] = ["one token's transfers", "nothing repeated"]

export const contenders = Object.keys(makers).flatMap((name) => likenesses.map((likeness) => `${name}: ${likeness}`))
