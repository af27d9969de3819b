/** Why a method cannot be charged. The method may come from a script without types. */
import { defaultSettlePolicy } from "../Price.ts"
import { amount, firstOf, isCredits, shown } from "./credits.ts"

/** In words that begin with the member, as `price.credits is NaN: expected …`; `undefined` when it can be charged. */
export const chargeProblem = (method: {
  readonly price: { readonly credits: unknown }
  readonly settle: object
}): string | undefined => {
  const { credits } = method.price
  if (!isCredits(credits)) return `price.credits is ${shown(credits)}: expected ${amount}`
  return firstOf(Object.keys(defaultSettlePolicy), (outcome) => {
    const rule: unknown = Reflect.get(method.settle, outcome)
    if (rule === "price" || isCredits(rule)) return undefined
    return `settle.${outcome} is ${rule === undefined ? "missing" : shown(rule)}: expected "price" or ${amount}`
  })
}
