/** What one call of a method costs, where it may be made of calls of another one. */
import type { Method, Price } from "@dotrpc/spec"

/** The price of a method by that of the calls it makes: of itself, or of others if it is a composite. */
export const compositePriceOf = <M extends Pick<Method, "composite">>(
  method: M,
  priceOf: (sent: M | Method) => Price.PriceRange,
): Price.PriceRange => {
  const { composite } = method
  if (composite === undefined) return priceOf(method)
  const { least, most, of } = composite
  const one = priceOf(of)
  return { ...one, min: least * one.min, max: one.max === undefined ? undefined : most * one.max }
}
