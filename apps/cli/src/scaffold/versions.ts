/** What a new package depends on and is made with. A test holds these against the versions of this workspace. */
export const versions = {
  "@dotrpc/plugin-kit": "^0.1.0",
  "@dotrpc/spec": "^0.1.0",
  dotrpc: "^0.1.0",
  effect: "4.1.0",
  typescript: "7.0.2",
  vitest: "5.1.1",
} as const

/** The package manager of this workspace. */
export const pnpmVersion = "12.21.0"

/** The versions of Node that can test a new package: those of vitest. */
export const nodeRange = "^22.12.0 || ^24.0.0 || >=26.0.0"
