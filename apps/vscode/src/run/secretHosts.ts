/**
 * Asks before a secret goes to a host that it does not belong to.
 *
 * Invariant: nothing is sent beyond what was allowed, even if the text has changed since: what opens a connection asks the gate.
 */
import {
  configuredLedger,
  ledgerUrl,
  type PrivateUse,
  privatesOfUrl,
  type Read,
  readInRun,
  usesAt,
  usesOfRun,
} from "@dotrpc/analysis"
import { isThisMachine } from "@dotrpc/spec"
import {
  type JudgedUse,
  judgeUses,
  keyOf,
  recordUses,
  type ReleasingGate,
  type SecretHostStore,
  shownHost,
} from "@dotrpc/project"
import type { RunPlan } from "@dotrpc/runner"
import type { Redacted } from "effect"

import type { Project } from "../project/Project.ts"

/** Whether a plan sends nothing but what was agreed to. */
export type Agreed = (plan: RunPlan, project: Project) => boolean

/** Asks a person; `detail` says what is known, and `config` is the file that says where the secret goes, if there is one. */
export type AskPerson = (question: string, detail: string, config: string | undefined) => Promise<boolean>

/** What would send a secret, as it is named to a person. */
interface SourcedUse extends PrivateUse {
  readonly source: string
}

export class SecretHosts {
  readonly #store: SecretHostStore
  readonly #gate: ReleasingGate
  readonly #ask: AskPerson
  /** A variable of the process may be a key of something else. */
  readonly #isOfProcess: (value: Pick<PrivateUse, "kind" | "name">) => boolean

  constructor(
    store: SecretHostStore,
    gate: ReleasingGate,
    isOfProcess: (value: Pick<PrivateUse, "kind" | "name">) => boolean,
    ask: AskPerson,
  ) {
    this.#store = store
    this.#gate = gate
    this.#ask = ask
    this.#isOfProcess = isOfProcess
  }

  /** Rejects with words for the user when the person does not agree to something that the plan would send. */
  async agree(plan: RunPlan, project: Project): Promise<Agreed> {
    const uses = usesOf(plan, project)
    await this.#agreeTo(uses, project)
    const allowed = new Set(uses.map(keyOf))
    return (later, of) => usesOf(later, of).every((use) => allowed.has(keyOf(use)))
  }

  /** As `agree`, before the server is asked that counts the credits of a project. */
  agreeToLedger(project: Project): Promise<void> {
    return this.#agreeTo(ledgerUses(project), project)
  }

  /** The hosts that a secret was sent to, or may be, as they may be shown. */
  async hostsOf(name: string, value: Redacted.Redacted<string>): Promise<ReadonlyArray<string>> {
    const [judged] = await judgeUses(
      [{ kind: "secret", name, value, destination: "https://unset.invalid" }],
      this.#store,
    )
    return judged?.hosts ?? []
  }

  /** A person has said that a secret goes to a host. A store that does not work asks again the next time. */
  async allow(use: PrivateUse): Promise<void> {
    this.#gate.release([use])
    await recordUses([use], this.#store).catch(() => undefined)
  }

  async #agreeTo(uses: ReadonlyArray<SourcedUse>, { configFile }: Project): Promise<void> {
    const sources = new Map(uses.toReversed().map((use) => [keyOf(use), use.source]))
    const agreed: Array<PrivateUse> = []
    for (const found of await judgeUses(uses, this.#store)) {
      const before = agreed.filter(({ name }) => name === found.use.name).map(shownHost)
      const entry =
        before.length === 0 ? found : { ...found, verdict: "other" as const, hosts: [...found.hosts, ...before] }
      if (found.verdict === "known") continue
      if (
        !this.#isTakenOnTrust(entry) &&
        !(await this.#isAgreedTo(entry, sources.get(keyOf(found.use)), configFile?.uri))
      )
        throw new Error(`Nothing was sent: ${found.use.name} was not allowed for ${shownHost(found.use)}.`)
      agreed.push(found.use)
    }
    this.#gate.release(uses)
    // A store that does not work asks again the next time.
    await recordUses(agreed, this.#store).catch(() => undefined)
  }

  #isAgreedTo({ hosts, use }: JudgedUse, source = "This request", config?: string): Promise<boolean> {
    const host = shownHost(use)
    const known = hosts.length > 0
    const detail = [
      `${use.name} ${known ? `was only ever sent to ${hosts.join(", ")}` : "has not been sent anywhere yet"}.`,
      `${source} ${known ? "now sends" : "sends"} it to ${host}.`,
      "If you send it, dotrpc remembers this host and does not ask again.",
    ]
    return this.#ask(`Send ${use.name} to ${host}?`, detail.join(" "), config)
  }

  #isTakenOnTrust({ use, verdict }: JudgedUse): boolean {
    return verdict === "first" && (isThisMachine(new URL(use.destination).hostname) || !this.#isOfProcess(use))
  }
}

const usesOf = (plan: RunPlan, project: Project): ReadonlyArray<SourcedUse> => {
  const read = readInRun([plan])
  const ofRequests = [...usesOfRun([plan], read)].flatMap(([request, uses]) => {
    const network = `Network "${request.network?.id ?? ""}"${inFile(project)}`
    return uses.map((use) => ({ ...use, source: use.readBy === undefined ? network : `"${use.readBy}"` }))
  })
  return [...ofRequests, ...ledgerUses(project, read)]
}

const inFile = ({ configFile }: Project): string => (configFile === undefined ? "" : " in rpc.config.json")

/** The server gets what each call costs, so it is given what a run has read as well. */
const ledgerUses = (project: Project, read: ReadonlyArray<Read> = []): ReadonlyArray<SourcedUse> => {
  const { config, workspace } = project
  const ledger = configuredLedger(config, workspace)
  try {
    const source = `The ledger${inFile(project)}`
    return usesAt(ledgerUrl(ledger, workspace), [...read, ...privatesOfUrl(ledger, workspace)]).map((use) => ({
      ...use,
      source,
    }))
  } catch {
    // A secret that is not set is sent nowhere, and the run says so.
    return []
  }
}
