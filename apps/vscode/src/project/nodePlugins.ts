/** A bundle of its own for the Node host: what finds and imports the modules of a project. */
export { importAgainFrom } from "@dotrpc/project/node"
