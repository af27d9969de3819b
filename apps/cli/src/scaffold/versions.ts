/** What a new package depends on. A test holds these against the versions of this workspace. */
export const versions = {
  "@dotrpc/cli": "^0.1.0",
  "@dotrpc/plugin-kit": "^0.1.0",
  "@dotrpc/spec": "^0.1.0",
  effect: "4.1.0",
  typescript: "7.0.2",
  vitest: "5.1.1",
} as const
