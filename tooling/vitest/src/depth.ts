/**
 * How deep the tests go. A landing tries some cases of each law, and one thing of each kind. `pnpm test:deep` sets `TEST_DEEP`: it tries
 * all of them and measures time, for a person who changes a law.
 */

/** Whether everything is tried. Tests in a folder `deep` run only then. */
export const isDeep = (process.env["TEST_DEEP"] ?? "") !== ""

/** A tenth of the cases of a law, but twenty at least where it has as many; all of them where everything is tried. */
export const runs = (all: number): number => (isDeep ? all : Math.max(Math.min(all, 20), Math.ceil(all / 10)))
