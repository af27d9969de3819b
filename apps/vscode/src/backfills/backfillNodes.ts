/** Backfills as lines of a view, as plain data. What they say comes from files that anybody may have written. */
import type { StatusFile } from "@dotrpc/backfill/StatusFile"
import { Table } from "@dotrpc/spec"

/** A backfill that was found in a folder. */
export interface SeenBackfill {
  /** The URI of its folder. */
  readonly folder: string
  /** The folder as people know it. */
  readonly name: string
  /** What its workers have written last, or why that cannot be read. */
  readonly status: StatusFile | { readonly problem: string }
  /** When the editor has seen the file change, in milliseconds since 1970; absent where it has not. */
  readonly changedAt?: number | undefined
}

/** What can be done with a backfill, in the order of its menu. */
export type BackfillAction = "pause" | "resume" | "cancel" | "query" | "reveal"

/** A line of the view. */
export interface BackfillNode {
  readonly id: string
  /** The URI of the backfill's folder. */
  readonly folder: string
  readonly label: string
  readonly description: string
  readonly tooltip?: string | undefined
  /** What screen readers say; the label and the description where it is absent. */
  readonly spoken?: string | undefined
  /** An icon of the editor's own set. */
  readonly icon: string
  readonly actions: ReadonlyArray<BackfillAction>
  /** Whether it shows the files of the backfill. */
  readonly opensManifest?: boolean | undefined
  /** Whether its own lines are shown from the start. */
  readonly isOpen?: boolean | undefined
  readonly children?: ReadonlyArray<BackfillNode> | undefined
}

/** Where the view is. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether commands can be run here, on this folder. */
  readonly canRun: boolean
  readonly showTime: (millis: number) => string
}

/** A worker that writes nothing for so long has probably ended: it writes every five seconds. */
const silence = 20_000

/** Whether somebody works on a backfill that is to run. */
export const isWorkedOn = ({ changedAt = 0, status }: SeenBackfill, now: number): boolean => {
  if ("problem" in status || status.state !== "running" || status.ended) return false
  const { at } = status
  // The clock of a worker elsewhere may be another one: a file that changes is proof as well.
  return Math.abs(now - at) < silence || now - changedAt < silence
}

/** A line for each backfill with lines of its own: those that run come first, and those that are over last. */
export const nodesOf = (
  backfills: ReadonlyArray<SeenBackfill>,
  surroundings: Surroundings,
): ReadonlyArray<BackfillNode> => {
  const placed = backfills.map((backfill) => ({ backfill, place: placeOf(backfill, surroundings.now) }))
  placed.sort((left, right) => left.place - right.place || left.backfill.name.localeCompare(right.backfill.name))
  return placed.map(({ backfill, place }) => ({
    ...nodeOf(backfill, surroundings),
    isOpen: place === 0 || backfills.length === 1,
  }))
}

const placeOf = (backfill: SeenBackfill, now: number): number => {
  if (isWorkedOn(backfill, now)) return 0
  return "state" in backfill.status && isOver(backfill.status) ? 2 : 1
}

const isOver = ({ state }: StatusFile): boolean => state === "done" || state === "cancelled"

const nodeOf = (backfill: SeenBackfill, surroundings: Surroundings): BackfillNode => {
  const { folder, name, status } = backfill
  if ("problem" in status)
    return { id: folder, folder, label: name, description: status.problem, icon: "warning", actions: ["reveal"] }
  const standing = standingOf(backfill, status, surroundings)
  const share = shareOf(status)
  const left = standing.isWorkedOn ? leftOf(status) : []
  const words = [standing.words, ...left, amountOf(status.credits, "credit")]
  const why = [...(standing.more === undefined ? [] : [standing.more]), ...(status.why === "" ? [] : [status.why])]
  return {
    id: folder,
    folder,
    label: name,
    description: [share, ...words].join(" · "),
    tooltip: [
      `${status.method} on ${status.network}, blocks ${Table.groupDigits(status.from)}–${Table.groupDigits(status.to)}`,
      [share, ...words].join(" · "),
      ...why,
    ].join("\n"),
    spoken: [
      `${name}, backfill of ${status.method}`,
      standing.words,
      ...why,
      `${share.replace(" %", " percent")} read`,
      ...left,
      amountOf(status.credits, "credit"),
    ].join(", "),
    icon: standing.icon,
    actions: actionsOf(status, standing.isWorkedOn, surroundings.canRun),
    children: childrenOf(backfill, status, standing, surroundings),
  }
}

interface Standing {
  readonly words: string
  /** More of it, where there is room. */
  readonly more?: string | undefined
  readonly icon: string
  readonly isWorkedOn: boolean
}

const standingOf = (
  backfill: SeenBackfill,
  { at, blocks, follow, state, wake }: StatusFile,
  { now, showTime }: Surroundings,
): Standing => {
  if (state !== "running") return { words: state, icon: icons[state], isWorkedOn: false }
  if (!isWorkedOn(backfill, now))
    return { words: "no worker", more: `the last one wrote at ${showTime(at)}`, icon: noWorker, isWorkedOn: false }
  if (follow && blocks.read >= blocks.total)
    return { words: `up to date, looks again at ${showTime(wake)}`, icon: "check-all", isWorkedOn: true }
  if (wake > now) return { words: `waits until ${showTime(wake)}`, icon: "watch", isWorkedOn: true }
  return { words: "running", icon: "sync", isWorkedOn: true }
}

const noWorker = "debug-disconnect"

const icons: Readonly<Record<Exclude<StatusFile["state"], "running">, string>> = {
  paused: "debug-pause",
  cancelled: "circle-slash",
  failed: "error",
  done: "pass",
}

const actionsOf = (
  { parts, state, store }: StatusFile,
  isWorkedOn: boolean,
  canRun: boolean,
): ReadonlyArray<BackfillAction> => {
  const canChange = canRun && store === "folder"
  return [
    ...(canChange && isWorkedOn ? (["pause"] as const) : []),
    ...(canChange && !isWorkedOn && state !== "done" ? (["resume"] as const) : []),
    ...(canChange && state !== "done" && state !== "cancelled" ? (["cancel"] as const) : []),
    ...(canRun && parts > 0 ? (["query"] as const) : []),
    "reveal",
  ]
}

const childrenOf = (
  { folder }: SeenBackfill,
  status: StatusFile,
  { isWorkedOn }: Standing,
  { showTime }: Surroundings,
): ReadonlyArray<BackfillNode> => {
  const { blocks, calls, callsLeft, credits, creditsLeft, maxCredits, parts, rows, store, why, workers } = status
  const line = (id: string, icon: string, label: string, description = "", more = ""): BackfillNode => ({
    id: `${folder}#${id}`,
    folder,
    label,
    description,
    tooltip: [label, description, more].filter((words) => words !== "").join("\n"),
    spoken: [label, description].filter((words) => words !== "").join(", "),
    icon,
    actions: [],
  })
  const more = [
    amountOf(calls, "call"),
    ...(isOver(status) || creditsLeft === null || creditsLeft === 0 ? [] : [`about ${numberOf(creditsLeft)} more`]),
    ...(maxCredits === null ? [] : [`${numberOf(maxCredits)} at most`]),
  ]
  return [
    ...(why === "" ? [] : [line("why", "warning", why)]),
    line(
      "blocks",
      "layers",
      `${Table.groupDigits(blocks.read)} of ${amountOf(blocks.total, "block")}`,
      shareOf(status),
    ),
    { ...line("rows", "table", amountOf(rows, "row"), `in ${amountOf(parts, "part")}`), opensManifest: parts > 0 },
    line("credits", "pulse", amountOf(credits, "credit"), more.join(" · ")),
    ...(isOver(status) || callsLeft === null || callsLeft === 0
      ? []
      : [line("left", "history", `About ${amountOf(callsLeft, "call")} left`, isWorkedOn ? timeOf(status) : "")]),
    // The time of one that works would draw the view again with every file that it writes.
    ...workers.map(({ pieces, seenAt, worker }, index) =>
      isWorkedOn && pieces > 0
        ? line(`worker-${index}`, "server-process", worker, `reads ${amountOf(pieces, "piece")}`)
        : line(`worker-${index}`, "server-process", worker, "", `seen at ${showTime(seenAt)}`),
    ),
    ...(store === "folder" || isOver(status)
      ? []
      : [line("store", "database", "Its state is in a database", "pause, resume and cancel it in a terminal")]),
  ]
}

const shareOf = ({ blocks, state }: StatusFile): string => {
  if (state === "done") return "100 %"
  // Nothing that is not whole is shown as whole.
  const tenths = Math.min(999, Math.floor((blocks.read * 1_000) / Math.max(1, blocks.total)))
  return blocks.read >= blocks.total && blocks.total > 0 ? "100 %" : `${tenths / 10} %`
}

const leftOf = (status: StatusFile): ReadonlyArray<string> => {
  const time = timeOf(status)
  return time === "" ? [] : [`${time} left`]
}

/** At the pace since it was started. */
const timeOf = ({ blocks, millisLeft }: StatusFile): string => {
  if (millisLeft === null || blocks.read >= blocks.total) return ""
  const minutes = Math.max(1, Math.ceil(millisLeft / 60_000))
  if (minutes < 120) return `about ${minutes} min`
  const hours = Math.ceil(minutes / 60)
  return hours < 72 ? `about ${hours} h` : `about ${Table.groupDigits(Math.ceil(hours / 24))} days`
}

const amountOf = (value: number, word: string): string => `${numberOf(value)} ${word}${value === 1 ? "" : "s"}`

const numberOf = (value: number): string => Table.groupDigits(Number.isInteger(value) ? value : Math.ceil(value))
