/** Stands for `nodePost.ts` in a bundle for browsers: `browser` in package.json says so. */
import type { nodePost as ofNode } from "./nodePost.ts"

export const nodePost: typeof ofNode = () => undefined
