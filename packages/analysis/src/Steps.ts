/** Long work in steps, as the analysis of a large file is. */
export { atOnce, inSlices, type SliceOptions, type Steps } from "@dotrpc/spec"
