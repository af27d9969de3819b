/** Milliseconds since 1970 as ISO 8601, which every reader of text takes for a moment in UTC. */
export const showTime = (millis: bigint | string | boolean): string => new Date(Number(millis)).toISOString()
