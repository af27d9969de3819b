/** The planner alone, as programs that drive it see it. */
export * as Endpoint from "../../src/scan/Endpoint.ts"
export { frontier, isDone, type QueryOutcome, type ScanPlan, type Query } from "../../src/scan/ScanPlan.ts"
export { next, plan, settle, take } from "../../src/scan/planning.ts"
