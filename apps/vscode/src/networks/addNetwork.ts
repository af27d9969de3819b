/**
 * Adds a network: a URL is pasted, its key goes to the secret store, the chain is recognized by one call, and the rest is
 * proposed.
 *
 * Invariant: nothing is sent before the user chose the call, and nothing is kept before every question is answered.
 */
import type { NetworkSettings } from "@dotrpc/analysis"
import { providerOf, sheets } from "@dotrpc/prices"
import { shownHost } from "@dotrpc/project"
import { Destination, isThisMachine } from "@dotrpc/spec"
import { Redacted } from "effect"
import * as vscode from "vscode"

import { frontFile } from "../project/Front.ts"
import type { Project } from "../project/Project.ts"
import type { Projects } from "../project/Projects.ts"
import type { Secrets } from "../project/Secrets.ts"
import type { Runtimes } from "../run/Runtimes.ts"
import type { SecretHosts } from "../run/secretHosts.ts"
import { askText, choose, pick, showInformation, showWorking } from "../Shown.ts"
import { isWanted } from "./commandActions.ts"
import { askKeys, type NamedKey } from "./askKeys.ts"
import { type Chain, chainsOf, familiesFor, type Family } from "./families.ts"
import { cleanUrl, pastedProblem } from "./pastedUrl.ts"
import { freeNetwork, networkAt, networkProblem } from "./proposals.ts"
import { type Answer, type Candidate, questionFor } from "./recognise.ts"
import { writeNetwork } from "./writeNetwork.ts"

export interface AddNetworkParts {
  readonly projects: Projects
  readonly runtimes: Runtimes
  readonly secretHosts: SecretHosts
  readonly secrets: Secrets
}

export const addNetwork = async (parts: AddNetworkParts, argument: unknown): Promise<void> => {
  if (!vscode.workspace.isTrusted) throw new Error("This folder is not trusted: trust it first, then add a network.")
  const place = await choosePlace(parts.projects)
  if (place === undefined) return
  await parts.secrets.load()
  const wanted = isWanted(argument) ? argument.name : undefined
  // Keeps the input for another attempt.
  let typed = ""
  for (;;) {
    const pasted = await askText({
      title: wanted === undefined ? "Add a network (URL)" : `Add network ${wanted} (URL)`,
      value: typed,
      placeHolder: "https://mainnet.example/v3/0a1b2c…",
      prompt: "The URL of the server, with its key. The key goes to the secret store; nothing is sent yet.",
      ignoreFocusOut: true,
      validateInput: pastedProblem,
    })
    if (pasted === undefined) return
    typed = pasted
    if ((await addAt(parts, place, cleanUrl(pasted), wanted)) !== "change") return
  }
}

/** The file for the network, and its content. */
interface Place {
  readonly config: vscode.Uri
  readonly project: Project
}

const choosePlace = async (projects: Projects): Promise<Place | undefined> => {
  const front = frontFile()
  const folders = vscode.workspace.workspaceFolders ?? []
  const own = front === undefined ? undefined : vscode.workspace.getWorkspaceFolder(front)
  const ordered = folders.toSorted((left, right) => Number(right === own) - Number(left === own))
  const choices = ordered.map((folder) => ({ label: folder.name, description: folder.uri.path, value: folder }))
  const folder =
    folders.length < 2
      ? folders[0]
      : await pick(choices, { title: "Add the network to which folder?", ignoreFocusOut: true })
  if (folder === undefined && folders.length > 0) return undefined
  const isInFront = front !== undefined && (folder === undefined || folder === own)
  const file = isInFront ? front : folder && vscode.Uri.joinPath(folder.uri, "any.rpc")
  const project = file === undefined ? undefined : await projects.loaded(file)
  const config =
    project?.configFile === undefined
      ? folder && vscode.Uri.joinPath(folder.uri, "rpc.config.json")
      : vscode.Uri.parse(project.configFile.uri)
  if (project === undefined || config === undefined)
    throw new Error("Open a folder first: rpc.config.json belongs beside the requests it is for.")
  if (project.problems.length > 0) {
    if (project.configFile !== undefined) await vscode.window.showTextDocument(config)
    throw new Error("rpc.config.json has an error: correct it first.")
  }
  return { config, project }
}

/** `change` when the person wants another URL. */
const addAt = async (
  parts: AddNetworkParts,
  { config, project }: Place,
  url: string,
  wanted: string | undefined,
): Promise<"change" | undefined> => {
  const { hostname, protocol } = new URL(url)
  const named = await askKeys(parts.secrets, project, url)
  if (named === undefined || named === "change") return named
  const { keys, written } = named
  const destination = Destination.ofEndpoint(url) ?? new URL(url).origin
  const uses = keys.map((key) => ({ kind: "secret" as const, ...key, destination }))
  const isInHost = ({ value }: NamedKey) => destination.includes(Redacted.value(value).toLowerCase())
  const inHost = keys.find(isInHost)?.value ?? Redacted.make("")
  const host = shownHost({ kind: "secret", name: "", value: inHost, destination })
  const allow = async () => {
    for (const use of uses) await parts.secretHosts.allow(use)
  }
  const keepKeys = async () => {
    for (const key of keys) await keep(parts.secrets, key)
    await allow()
  }
  const known = networkAt(project.config.networks ?? {}, written)
  if (known !== undefined) {
    const isAgain = await askWhetherAgain(known)
    if (isAgain === undefined) return undefined
    if (!isAgain) {
      await keepKeys()
      showInformation(`Write # @network ${known} above a call.`)
      return undefined
    }
  }
  const prices = await askPrices(project, hostname, host)
  if (prices === undefined) return undefined
  const endpoint: NetworkSettings = {
    ...(protocol.startsWith("ws") ? { wsUrl: written } : { url: written }),
    ...prices,
  }
  const chain = await askChain(parts, project, url, host, { settings: endpoint, keys }, allow)
  if (chain === undefined || chain === "change") return chain
  const taken = new Set([
    ...Object.keys(project.config.networks ?? {}),
    ...Object.values(project.config.environments ?? {}).flatMap(({ networks = {} }) => Object.keys(networks)),
  ])
  const name = await askText({
    title: `${chain.title} (name of the network)`,
    value: freeNetwork(wanted ?? chain.name, taken),
    prompt: "As it is written in # @network NAME",
    ignoreFocusOut: true,
    validateInput: (text) => networkProblem(text.trim(), taken),
  })
  if (name === undefined) return undefined
  await keepKeys()
  await writeNetwork(config, name.trim(), { ...chain.settings, ...endpoint }, project.workspace.plugins)
  showInformation(`Network ${name.trim()} was added: write # @network ${name.trim()} above a call.`)
  return undefined
}

/** Asks before a URL that the configuration has is added once more. */
const askWhetherAgain = (id: string): Promise<boolean | undefined> =>
  pick(
    [
      { label: `Use network ${id}`, description: "nothing is sent, and rpc.config.json stays as it is", value: false },
      { label: "Add it again", description: "under another name", value: true },
    ],
    { title: `rpc.config.json already has this URL, as network ${id}`, ignoreFocusOut: true },
  )

/** The price sheet, chosen by the person; what the host suggests comes first. */
const askPrices = async (
  { config }: Project,
  hostname: string,
  host: string,
): Promise<Pick<NetworkSettings, "prices"> | undefined> => {
  if (isThisMachine(hostname)) return {}
  const provider = providerOf(hostname)
  const known = sheets().map(({ id, title }) => ({
    label: title,
    description: id === provider ? `proposed for ${host}` : "",
    value: { prices: id },
  }))
  const isProposed = ({ value }: (typeof known)[number]) => value.prices === provider
  const none = {
    label: config.prices === undefined ? "No price sheet" : `As for every network: ${config.prices}`,
    description: config.prices === undefined ? "calls have the prices of the plugin" : "",
    value: {},
  }
  return pick<Pick<NetworkSettings, "prices">>(
    [...known.filter(isProposed), none, ...known.filter((entry) => !isProposed(entry))],
    { title: `Which provider charges for calls to ${host}?`, ignoreFocusOut: true },
  )
}

/** The first entry sends nothing, as a careless Enter chooses it. */
const askChain = async (
  parts: AddNetworkParts,
  project: Project,
  url: string,
  host: string,
  candidate: Candidate,
  onAgreed: () => Promise<void>,
): Promise<Chain | "change" | undefined> => {
  const { plugins } = project.workspace
  const questions = familiesFor(url, plugins).map((family) => ({ family, ...questionFor(family, candidate, project) }))
  for (;;) {
    const skip = { label: "Skip", description: "nothing is sent; choose the chain yourself", value: undefined }
    const asking = questions.map((question) => ({
      label: `Send ${question.family.method} to ${host}`,
      description: `${question.price} · ${question.family.title}`,
      value: question,
    }))
    const chosen = await pick(
      [skip, ...asking].map((entry) => ({ ...entry, value: { question: entry.value } })),
      { title: `Recognize the chain with one call to ${host}?`, ignoreFocusOut: true },
    )
    if (chosen === undefined) return undefined
    const { question } = chosen
    if (question === undefined) return skipped(plugins)
    await parts.secretHosts.agreeToLedger(question.project)
    await onAgreed()
    const answer = await send(question, parts.runtimes, host)
    if ("chain" in answer) return answer.chain
    const again = await choose(
      `${question.family.method} at ${host} did not recognize a chain`,
      ["Choose Again", "Change the URL"],
      answer.problem,
    )
    if (again === undefined) return undefined
    if (again === "Change the URL") return "change"
  }
}

const skipped = (plugins: Project["workspace"]["plugins"]): Promise<Chain | undefined> =>
  pick(
    chainsOf(plugins).map((chain) => ({ label: chain.title, description: chain.name, value: chain })),
    { title: "Which chain is it?", ignoreFocusOut: true },
  )

const send = (
  { family, send: ask }: ReturnType<typeof questionFor> & { readonly family: Family },
  runtimes: Runtimes,
  host: string,
): Thenable<Answer> =>
  showWorking(`${family.method} at ${host}`, async (_, token) => {
    const stopping = new AbortController()
    token.onCancellationRequested(() => stopping.abort())
    try {
      return await ask(runtimes, stopping.signal)
    } catch (error) {
      if (stopping.signal.aborted) return { problem: "You cancelled the call." }
      throw error
    }
  })

const keep = async (secrets: Secrets, { name, value }: NamedKey): Promise<void> => {
  const text = Redacted.value(value)
  if (secrets.value(name) === text) return
  try {
    await secrets.set(name, text)
  } catch {
    // The store's own message may quote the value.
    throw new Error(
      `The secret store of this machine does not work, and nothing was added. Set the environment variable ${name}, or add it to .env beside rpc.config.json, then add the network by hand.`,
    )
  }
}
