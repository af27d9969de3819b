/**
 * Asks before a secret goes to a host that it does not belong to.
 *
 * Invariant: what is sent is no more than what was agreed to, however the text has changed since.
 */
import { addressUses, ledgerAddress, type PrivateUse, privateUses } from "@dotrpc/analysis"
import { isThisMachine, type JudgedUse, judgeUses, recordUses, type SecretHostStore, shownHost } from "@dotrpc/project"
import type { Plan } from "@dotrpc/runner"
import { Redacted } from "effect"

import type { Project } from "../project/Project.ts"

/** Whether a plan sends nothing but what was agreed to. */
export type Agreed = (plan: Plan, project: Project) => boolean

/** Asks a person; the second line says what is known. */
export type AskPerson = (question: string, detail: string) => Promise<boolean>

export class SecretHosts {
  readonly #store: SecretHostStore
  readonly #ask: AskPerson
  /** A variable of the process may be a key of something else. */
  readonly #isOfProcess: (name: string) => boolean

  constructor(store: SecretHostStore, isOfProcess: (name: string) => boolean, ask: AskPerson) {
    this.#store = store
    this.#ask = ask
    this.#isOfProcess = isOfProcess
  }

  /** Rejects with words for the user when the person does not agree to something that the plan would send. */
  async agree(plan: Plan, project: Project): Promise<Agreed> {
    const uses = usesOf(plan, project)
    await this.#agreeTo(uses)
    const allowed = new Set(uses.map(keyOf))
    return (later, of) => usesOf(later, of).every((use) => allowed.has(keyOf(use)))
  }

  /** As `agree`, before the server is asked that counts the credits of a project. */
  agreeToLedger(project: Project): Promise<void> {
    return this.#agreeTo(ledgerUses(project))
  }

  async #agreeTo(uses: ReadonlyArray<PrivateUse>): Promise<void> {
    const agreed: Array<PrivateUse> = []
    for (const found of await judgeUses(uses, this.#store)) {
      const before = agreed.filter(({ name }) => name === found.use.name).map(shownHost)
      const entry =
        before.length === 0 ? found : { ...found, verdict: "other" as const, hosts: [...found.hosts, ...before] }
      if (found.verdict === "known") continue
      if (!this.#isTakenOnTrust(entry) && !(await this.#isAgreedTo(entry)))
        throw new Error(`Nothing was sent: ${found.use.name} was not allowed for ${shownHost(found.use)}.`)
      agreed.push(found.use)
    }
    // A store that does not work asks again the next time.
    await recordUses(agreed, this.#store).catch(() => undefined)
  }

  #isAgreedTo({ hosts, use }: JudgedUse): Promise<boolean> {
    const before = hosts.length === 0 ? "It has not been sent anywhere yet." : `It belongs to ${hosts.join(", ")}.`
    return this.#ask(`Send ${use.name} to ${shownHost(use)}?`, before)
  }

  #isTakenOnTrust({ use, verdict }: JudgedUse): boolean {
    return verdict === "first" && (isThisMachine(use.origin) || !this.#isOfProcess(use.name))
  }
}

const usesOf = ({ analysis, requests }: Plan, project: Project): ReadonlyArray<PrivateUse> => [
  ...requests.flatMap((request) => (request.errors.length > 0 ? [] : privateUses(analysis, request))),
  ...ledgerUses(project),
]

const ledgerUses = ({ config, workspace }: Project): ReadonlyArray<PrivateUse> => {
  const { ledger = "memory" } = config
  try {
    return addressUses(ledger, ledgerAddress(ledger, workspace), workspace)
  } catch {
    // A secret that is not set is sent nowhere, and the run says so.
    return []
  }
}

const keyOf = ({ name, origin, value }: PrivateUse): string => JSON.stringify([name, origin, Redacted.value(value)])
