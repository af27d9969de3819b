/**
 * What can be done with a backfill. The command line does it, where the person sees it: it has the keys, and its own rules for them.
 *
 * Invariant: nothing is run in a folder that is not trusted, and nothing that spends credits before somebody has seen the price.
 */
import type { StatusFile } from "@dotrpc/backfill/StatusFile"
import { Table } from "@dotrpc/spec"
import * as vscode from "vscode"

import type { Commands } from "../HostPort.ts"
import { agrees, askText, showDone } from "../Shown.ts"
import type { BackfillFolders } from "./BackfillFolders.ts"
import type { SeenBackfill } from "./backfillNodes.ts"
import { type CommandLine, creditsIn, folderProblem, queryLine, resumeLine, stateLine } from "./commandLine.ts"
import { asElsewhere, runLine } from "./runLine.ts"

export const makeBackfillCommands = (folders: BackfillFolders, runsCommands: boolean): Commands => {
  const chosen = (argument: unknown): Chosen => {
    const backfill = folders.at(folderIn(argument) ?? "")
    if (backfill === undefined) throw new Error("Choose a backfill in the Backfills view first.")
    return { ...backfill, uri: vscode.Uri.parse(backfill.folder) }
  }
  const toRun = (argument: unknown): Chosen & { readonly status: StatusFile } => {
    const backfill = chosen(argument)
    const { status, uri } = backfill
    if (!runsCommands)
      throw new Error(
        "The editor has no terminal in a browser: run dotrpc backfill in a terminal on the machine that has the folder.",
      )
    if (!vscode.workspace.isTrusted) throw new Error("This folder is not trusted, so no command is run in it.")
    if ("problem" in status) throw new Error(`${backfill.name}: ${status.problem}.`)
    const problem = uri.scheme === "file" ? folderProblem(uri.fsPath) : "The folder is not on a disk: use a terminal."
    if (problem !== undefined) throw new Error(problem)
    return { ...backfill, status }
  }
  const run = async ({ uri }: Chosen, line: CommandLine, done: string, isShown = false): Promise<void> => {
    if ("problem" in line) throw new Error(line.problem)
    await runLine(line.line, uri.fsPath, isShown)
    showDone(done)
  }
  return {
    "dotrpc.pauseBackfill": async (argument) => {
      const backfill = toRun(argument)
      await run(backfill, stateLine(program(), "pause", backfill.status), `Paused the backfill in ${backfill.name}`)
    },
    "dotrpc.cancelBackfill": async (argument) => {
      const backfill = toRun(argument)
      const question = `Cancel the backfill in ${backfill.name}?`
      if (!(await agrees(question, "Cancel Backfill", "The parts that are written stay. It can be resumed."))) return
      await run(backfill, stateLine(program(), "cancel", backfill.status), `Cancelled the backfill in ${backfill.name}`)
    },
    "dotrpc.resumeBackfill": async (argument) => {
      const backfill = toRun(argument)
      const { name, status } = backfill
      const limit = await limitFor(status)
      if (limit === "none") return
      const line = resumeLine(program(), status, limit)
      if ("problem" in line) throw new Error(line.problem)
      if (!(await agrees(`Resume the backfill in ${name}?`, "Resume", priceWords(status)))) return
      // It may ask there whether a secret may be sent.
      await run(backfill, line, `Resumed the backfill in ${name}, in the background`, true)
    },
    "dotrpc.queryBackfill": async (argument) => {
      const { uri } = toRun(argument)
      const terminal = vscode.window.createTerminal({ name: "dotrpc query", cwd: uri, env: { ...asElsewhere } })
      terminal.show()
      terminal.sendText(queryLine(program()), false)
    },
    "dotrpc.revealBackfill": async (argument) => {
      await vscode.commands.executeCommand("revealInExplorer", chosen(argument).uri)
    },
  }
}

type Chosen = SeenBackfill & { readonly uri: vscode.Uri }

/** The user's own word for the command line: no folder can set it. */
const program = (): string => vscode.workspace.getConfiguration("dotrpc").get("command", "dotrpc")

/** A higher limit for a backfill that has one, or none; `"none"` where nobody wants to resume it after all. */
const limitFor = async ({ credits, creditsLeft, maxCredits }: StatusFile): Promise<number | "none" | undefined> => {
  if (maxCredits === null) return undefined
  const value = Math.ceil(Math.max(maxCredits, credits + (creditsLeft ?? 0)))
  const typed = await askText({
    title: "Credits that all workers may spend in total",
    prompt: `Credits spent so far: ${Table.groupDigits(Math.ceil(credits))}. The backfill pauses before it would exceed this limit.`,
    value: String(value),
    validateInput: (text) => (creditsIn(text) === undefined ? "Write a whole number, 1 or more." : undefined),
  })
  return typed === undefined ? "none" : (creditsIn(typed) ?? "none")
}

/** As its workers have learned it. */
const priceWords = ({ blocks, callsLeft, credits, creditsLeft, method, network }: StatusFile): string => {
  const count = (number: number) => Table.groupDigits(Math.max(0, Math.ceil(number)))
  // The file may be a stranger's; the limits of the command hold whatever it says.
  const price =
    creditsLeft === null || callsLeft === null
      ? "The cost is not known yet."
      : `Likely cost: ${count(creditsLeft)} credits, as its workers reported. Likely calls: ${count(callsLeft)}.`
  return [
    `Blocks left: ${count(blocks.total - blocks.read)} (${method} on ${network}).`,
    price,
    `Credits spent so far: ${count(credits)}.`,
    "The backfill continues in the background on this machine.",
  ].join(" ")
}

const folderIn = (argument: unknown): string | undefined =>
  typeof argument === "object" && argument !== null && "folder" in argument && typeof argument.folder === "string"
    ? argument.folder
    : undefined
