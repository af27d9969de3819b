/** Made-up chains, a server over them, and ways to scan it: for the tests of the planner and for the benchmarks. */
export { type Planner, simulate, type Simulation, type SimulationOptions } from "./simulate.ts"
export { bisection, fixed, growingStep } from "./strategies.ts"
export { fewestCalls, randomOf, type World, worlds } from "./worlds.ts"
