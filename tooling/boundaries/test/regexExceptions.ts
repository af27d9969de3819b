/** Files whose expressions read short texts only, or texts of our own. */
export const exceptions: ReadonlyArray<{ readonly path: string; readonly longest: number; readonly why: string }> = [
  {
    path: "packages/plugin-evm/src/classify.ts",
    longest: 4_096,
    why: "an error's message is cut at 4,096 characters when the reply is read (Wire.ts)",
  },
  {
    path: "packages/plugin-kit/src/Golden.ts",
    longest: 500,
    why: "reads the golden files that a plugin's author wrote",
  },
  {
    path: "packages/lang-service/src/signatureHelp.ts",
    longest: 500,
    why: "reads signatures of functions, which stand in the code of a plugin",
  },
]
