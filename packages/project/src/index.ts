/** The plugins of a project, wherever it is opened. `@dotrpc/project/node` finds projects and their own plugins on disk. */
export { carriedPlugin, carriedPlugins } from "./CarriedPlugins.ts"
export { type ImportedPlugin, type ImportPlugin, loadPlugins } from "./LoadPlugins.ts"
export {
  type JudgedUse,
  judgeUses,
  aHost,
  isHost,
  keyOf,
  listsHost,
  makeGate,
  namedHost,
  recordUses,
  refusedBy,
  type ReleasingGate,
  type SecretHostStore,
  shownHost,
} from "./SecretHosts.ts"
