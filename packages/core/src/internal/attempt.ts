/** One attempt, as the layers above the wire see it: whether it was sent, how it ended, and so its charge. */
import { Cause, type Exit } from "effect"
import { Price, type RpcError, type RpcReply, type RpcRequest, type Transport } from "@dotrpc/spec"

export interface Attempt {
  /** What is sent on: it tells when it leaves. */
  readonly request: RpcRequest
  /** Whether its first byte has left. */
  sent: boolean
  /** How many times it was sent: more than once where something below, of a user's own perhaps, sends it again by itself. */
  sendings: number
  /** Credits for the way it was sent; `undefined` once it was given as something else: then nobody knows what it cost. */
  surcharge: number | undefined
}

export const attemptOf = (request: RpcRequest): Attempt => {
  const attempt: Attempt = {
    request: {
      ...request,
      onSend: (surcharge = 0) => {
        attempt.sent = true
        attempt.sendings++
        attempt.surcharge =
          attempt.surcharge === undefined || !Price.isCredits(surcharge) ? undefined : attempt.surcharge + surcharge
        request.onSend?.(surcharge)
      },
    },
    sent: false,
    sendings: 0,
    surcharge: 0,
  }
  return attempt
}

/** The most that one sending of this request is charged. Throws a `RangeError` when that is not a number of credits. */
export const highestPrice = (request: RpcRequest, transport: Transport["Service"]): number => {
  const { credits } = Price.priceOf(request.method, request.network)
  const surcharge = transport.surchargeOf?.(request).credits ?? 0
  checkPart("price", credits, request)
  checkPart("surcharge", surcharge, request)
  return credits + surcharge
}

const checkPart = (what: string, credits: number, { method }: RpcRequest): void => {
  if (!Price.isCredits(credits))
    throw new RangeError(`The ${what} of ${method.name} must be a number of credits, zero or more; it is ${credits}.`)
}

/** An attempt that was stopped counts as a timeout once its first byte had left: the server may have charged it. */
export const outcomeOf = ({ sent }: Attempt, exit: Exit.Exit<RpcReply, RpcError>): Price.Outcome => {
  if (exit._tag === "Success") return "ok"
  const error = Cause.findError(exit.cause)
  if (error._tag === "Success") return error.success.outcome
  return sent ? "timeout" : "unsent"
}

/** What is charged for an attempt that ended so, and for which `reserved` is set aside. */
export const chargeOf = (attempt: Attempt, exit: Exit.Exit<RpcReply, RpcError>, reserved: number): number => {
  const { method, network } = attempt.request
  const price = Price.priceOf(method, network).credits
  // How the sendings before the last one ended is not known here: each may have been charged.
  const before = Math.max(0, attempt.sendings - 1) * price
  const outcome = outcomeOf(attempt, exit)
  if (outcome === "unsent") return before
  const charged = before + Price.chargeFor(method.settle, price, outcome)
  // A batch is charged as such, whatever its calls cost.
  return attempt.surcharge === undefined ? Math.max(charged, reserved) : charged + attempt.surcharge
}
