/** The planner alone, as programs that drive it see it. */
export * as Endpoint from "../../src/scan/Endpoint.ts"
export { frontier, isDone, next, type Outcome, type Plan, plan, type Query, settle, take } from "../../src/scan/Plan.ts"
