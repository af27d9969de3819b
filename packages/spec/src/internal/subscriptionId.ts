/** The id of a subscription: a name that the server chose, bounded like everything from a server. */

/** The id of a subscription, as the server gave it. */
export type SubscriptionId = string | number

const longestId = 200

/** Whether a value can be the id of a subscription. */
export const isSubscriptionId = (value: unknown): value is SubscriptionId =>
  typeof value === "number" ? Number.isSafeInteger(value) : typeof value === "string" && isName(value)

const isName = (text: string): boolean => text.length > 0 && text.length <= longestId
