/** Where a program runs: what paths are relative to, which variables are set, and whose files it reads. */
import { homedir } from "node:os"

/** What a project is read from: the working directory, the environment and the home. */
export interface Surroundings {
  /** The working directory, absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The home folder of the user. */
  readonly home: string
}

/** Those of this process, as they are now. */
export const processSurroundings = (): Surroundings => ({ cwd: process.cwd(), env: process.env, home: homedir() })

/** The value of a variable: what is set, and nothing that every object has. */
export const variableIn = ({ env }: Pick<Surroundings, "env">, name: string): string | undefined =>
  Object.hasOwn(env, name) ? env[name] : undefined
