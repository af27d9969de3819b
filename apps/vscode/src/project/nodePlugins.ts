/** A bundle of its own for the Node host: what imports the modules of a project, and keeps files of the user's. */
export { findConfig, foreignOwner, importAgainFrom, secretHostFile } from "@dotrpc/project/node"
