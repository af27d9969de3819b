/** Methods that no single call of another tool can stand for. */
import { isStream, type Method } from "@dotrpc/spec"

/** Why a request of the method cannot be written as one call, as a sentence without a full stop; `undefined` when it can. */
export const methodObstacle = (method: Method): string | undefined => {
  if (method.composite !== undefined)
    return `dotrpc answers ${method.name} with calls of ${method.composite.of.name}, each of which depends on the result of the one before`
  return isStream(method) ? "it listens to a subscription, and an exported request is a single call" : undefined
}
