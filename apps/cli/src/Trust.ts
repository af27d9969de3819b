/** Whether the code of a project may run: as `dotrpc trust` has recorded, or `--trust` says for this process. */
import { type JudgeTrust, type Project, showProblem, type Surroundings, trustStore } from "@dotrpc/project/node"
import { ExitCode } from "@dotrpc/runner"
import { CommandFailed } from "./CommandFailed.ts"
import { userFile } from "./UserData.ts"

/** Where it is recorded what this user trusts. */
export const trustFile = (user: Surroundings): string => userFile(user, "trust.json")

/** How a command judges projects; `isTrusted` is its flag `--trust`. */
export const judgeOf = (user: Surroundings, isTrusted: boolean): JudgeTrust =>
  isTrusted ? () => "trusted" : trustStore(trustFile(user)).judge

/** What a command that sends something reports about plugins that were not imported, as it needs them. */
export const needsTrust = (projects: Iterable<Project>): CommandFailed | undefined => {
  const withheld = [...projects].flatMap((project) => project.withheld)
  if (withheld.length === 0) return undefined
  const lines = [...new Set(withheld.map(showProblem)), "Or add --trust, which applies to this command only."]
  return new CommandFailed({ lines, exitCode: ExitCode.invalid })
}
