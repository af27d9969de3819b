/** Private values of a project in its `.env`. Node reads such files itself from 20.12 on only, and dotrpc runs on any 20. */
import { parse } from "dotenv"

/**
 * The values of a `.env` by their names. Lines that say nothing are left out, as everywhere else. No name has a value
 * that the file does not give it, `constructor` included.
 */
export const parseDotEnv = (text: string): Readonly<Record<string, string | undefined>> =>
  Object.assign(Object.create(null) as Record<string, string>, parse(text))
