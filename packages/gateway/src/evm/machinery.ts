/** Everything that needs the EVM library, loaded together. */
export { CallTracer } from "./CallTracer.ts"
export { Machine } from "./Machine.ts"
export { StepTracer } from "./StepTracer.ts"
export { touchedAccounts } from "./touchedAccounts.ts"
export { WorkLimit } from "./WorkLimit.ts"
