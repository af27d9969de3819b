/**
 * Property tests try the same cases in every run, so that a failure is a change's own and not the day's: `FC_SEED=7` tries
 * others, `FC_SEED=random` others each time. A failing test prints its seed. To look for what nobody thought of, there is
 * `pnpm fuzz`.
 */
import fc from "fast-check"

const chosen = process.env["FC_SEED"] ?? "1"
if (!/^(random|-?\d{1,10})$/.test(chosen))
  throw new TypeError(`FC_SEED is a whole number or "random"; it was ${JSON.stringify(chosen)}`)

if (chosen !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(chosen) | 0 })
