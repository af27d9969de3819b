/**
 * What is run in a terminal to change a backfill, in its folder.
 *
 * Invariant: a line consists of words that mean the same to every shell and need no quotes. What comes from a file is compared with a
 * pattern before it becomes a part of one, and refused otherwise.
 */
import type { StatusFile } from "@dotrpc/backfill/StatusFile"

/** A line, or why it cannot be made. */
export type CommandLine = { readonly line: string } | { readonly problem: string }

/** `program` is the user's own word for the command. */
export const stateLine = (program: string, action: "cancel" | "pause", { id }: StatusFile): CommandLine => ({
  line: `${program} backfill ${action} ${id} --output .`,
})

/** Continues in the background of this machine, as the worker before did: with its configuration and its environment. */
export const resumeLine = (
  program: string,
  { config, environment, id }: StatusFile,
  maxCredits: number | undefined,
): CommandLine => {
  if (config !== null && !aConfig.test(config)) return elsewhere("a configuration that is not in a folder above")
  if (environment !== null && !anEnvironment.test(environment))
    return elsewhere("an environment whose name has to be quoted")
  const words = [
    program,
    "backfill resume",
    id,
    "--output . --detach",
    ...(config === null ? [] : ["--config", config]),
    ...(environment === null ? [] : ["--env", environment]),
    ...(maxCredits === undefined ? [] : ["--max-credits", String(maxCredits)]),
  ]
  return { line: words.join(" ") }
}

/** What is typed for the user to complete; it is not run. */
export const queryLine = (program: string): string => `${program} query "select * from data limit 20"`

/** Why no command is run in a folder: the editor would replace a part of its path, even by what a command returns. */
export const folderProblem = (path: string): string | undefined =>
  path.includes("${") ? 'The path of the folder has "${", which the editor replaces: use a terminal.' : undefined

/** Credits as a person types them; `undefined` for anything else. */
export const creditsIn = (typed: string): number | undefined => {
  const digits = typed.trim().replaceAll(",", "")
  const credits = /^\d{1,15}$/.test(digits) ? Number(digits) : 0
  return credits > 0 ? credits : undefined
}

const aConfig = /^(?:\.\.\/){0,30}rpc\.config\.json$/
const anEnvironment = /^[A-Za-z0-9][\w.-]{0,63}$/

const elsewhere = (what: string): CommandLine => ({
  problem: `It was started with ${what}: resume it in a terminal, with dotrpc backfill resume.`,
})
