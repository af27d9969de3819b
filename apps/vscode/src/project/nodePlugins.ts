/** A bundle of its own for the Node host: what reads files and imports modules of a project, and keeps files of the user's. */
export {
  findConfig,
  foreignOwner,
  importAgainFrom,
  keptFile,
  projectRoot,
  readTextFileAtHome,
  readTextFileWithin,
  secretHostFile,
} from "@dotrpc/project/node"
