/** Made-up chains, a server over them, and ways to scan it: for the tests of the planner and for the benchmarks. */
export { type Contract, contracts, type ContractWorld, searchCost } from "./contracts.ts"
export { type Planned, plannedAgain, plannedByEnds } from "./planned.ts"
export { type Planner, simulate, type Simulation, type SimulationOptions } from "./simulate.ts"
export { askAll, bisection, fixed, growingStep, proportional } from "./strategies.ts"
export { fewestCalls, itemsIn, lastWithin, type Random, randomOf, type World, worlds } from "./worlds.ts"
