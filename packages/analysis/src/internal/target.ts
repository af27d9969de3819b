/** Which method a call names, and which network it goes to. */
import type { CallNode, Diagnostic, Fix, SectionNode } from "@dotrpc/lang"
import {
  answersPlugin,
  isThisMachine,
  isUnchecked,
  type Method,
  nearest,
  type Network,
  type Plugin,
  pluginsOf,
  Price,
  PriceSheet,
  uncheckedMethod,
  wireName,
  withoutChecks,
} from "@dotrpc/spec"
import { problem, replacement, warning } from "../Problem.ts"
import { adviceOnMethod, hasMethod, networksWith } from "../NetworksWith.ts"
import type { Settings } from "../Settings.ts"
import { mayChange } from "../MayChange.ts"
import {
  callable,
  entryOf,
  findMethod,
  listedNetworks,
  unknownName,
  type Workspace,
  type WorkspaceNetwork,
} from "../Workspace.ts"
import type { LeastPrice } from "./leastPrice.ts"

/** The method of a call. Of several plugins that know it, the one of the network that the call names decides. */
export const methodOf = (call: CallNode, settings: Settings, workspace: Workspace): Method | undefined => {
  const byId = (id: string | undefined) => entryOf(workspace, id)
  const forced = byId(workspace.forcedNetwork)?.network
  const said = byId(settings.network?.value.text)?.network
  // A network that was chosen for calls of its plugins does not change the network of other calls.
  const known =
    [forced, said]
      .flatMap((network) => (network === undefined ? [] : pluginsOf(network)))
      .map((plugin) => ofPlugin(plugin, call, workspace))
      .find((method) => method !== undefined) ?? findMethod(workspace, call.method.text)
  if (known !== undefined) return settings.unchecked ? withoutChecks(known) : known
  if (workspace.isWithheld === true) return undefined
  const named = forced ?? said
  const entries = workspace.networks.filter(({ network }) => named === undefined || network === named)
  const knowing = knowingNetwork(call, entries, workspace)?.network
  if (knowing !== undefined) return ofProvider(likelyPlugin(call, knowing, workspace), call.method.text)
  if (!settings.unchecked) return undefined
  const network = settings.network === undefined ? (forced ?? likelyNetwork(call, workspace)?.network) : said
  const plugin = network === undefined ? undefined : likelyPlugin(call, network, workspace)
  return plugin === undefined ? undefined : uncheckedMethod(plugin, call.method.text)
}

/** Where a method goes that no plugin knows: a network whose price sheet names it, or a node on this machine of a kind that has it. */
const knowingNetwork = (
  call: CallNode,
  entries: ReadonlyArray<WorkspaceNetwork>,
  workspace: Workspace,
): WorkspaceNetwork | undefined => {
  const name = call.method.text
  return entries.find(({ hosts, network }) => {
    const plugin = workspace.plugins.find(({ id }) => id === likelyPlugin(call, network, workspace))
    if (plugin === undefined || !isLikeThoseOf(plugin, name, workspace)) return false
    if (network.prices !== undefined && PriceSheet.namesMethod(network.prices, name)) return true
    const host = hosts?.url ?? hosts?.wsUrl
    const isLocal =
      host !== undefined && URL.canParse(`http://${host}`) && isThisMachine(new URL(`http://${host}`).hostname)
    return isLocal && plugin.localPrefixes?.some((prefix) => name.startsWith(prefix)) === true
  })
}

/** A sheet has methods of several families. Whether a name can be one of this plugin's, by how names of the others begin. */
const isLikeThoseOf = (plugin: Plugin, name: string, { networks, plugins }: Workspace): boolean => {
  const prefix = prefixOf(name)
  if (prefix === "") return plugin.methods.some((method) => prefixOf(method.name) === "")
  if (hasPrefix(plugin, prefix)) return true
  const isSpelledBy = (other: Plugin) =>
    networks.some(
      ({ network }) =>
        answersPlugin(network, other.id) && network.methodWord !== undefined && prefix === `${network.methodWord}_`,
    )
  if (isSpelledBy(plugin)) return true
  return (
    plugin.methods.some((method) => prefixOf(method.name) !== "") &&
    !plugins.some((other) => other !== plugin && (hasPrefix(other, prefix) || isSpelledBy(other)))
  )
}

/** As any unchecked one, but what may change something says so. */
const ofProvider = (plugin: string, name: string): Method => {
  const method = uncheckedMethod(plugin, name)
  return mayChange(name) ? { ...method, writes: true } : method
}

const ofPlugin = (plugin: string, call: CallNode, workspace: Workspace): Method | undefined => {
  const method = findMethod(workspace, call.method.text, plugin)
  return method?.plugin === plugin ? method : undefined
}

/**
 * Where a method that no plugin knows is sent without `# @network`: to the family whose names begin alike, or the only one.
 * Whether a network can be used does not matter: that may depend on a secret, and would tell the next network about it.
 */
const likelyNetwork = ({ method }: CallNode, { networks, plugins }: Workspace): WorkspaceNetwork | undefined => {
  const alike = plugins.filter((plugin) => hasPrefix(plugin, prefixOf(method.text)))
  return (
    networks.find(({ network }) => alike.some(({ id }) => answersPlugin(network, id))) ??
    (networks.every(({ network }) => network.plugin === networks[0]?.network.plugin) ? networks[0] : undefined)
  )
}

/** The plugin of a network whose methods begin with the same prefix, or the first. */
const likelyPlugin = ({ method }: CallNode, network: Network, { plugins }: Workspace): string =>
  pluginsOf(network).find((id) =>
    plugins.some((plugin) => plugin.id === id && hasPrefix(plugin, prefixOf(method.text))),
  ) ?? network.plugin

const prefixOf = (name: string): string => name.slice(0, name.indexOf("_") + 1)

const hasPrefix = ({ methods }: Plugin, prefix: string): boolean =>
  prefix !== "" && methods.some(({ name }) => name.startsWith(prefix))

export const unknownMethod = (call: CallNode, settings: Settings, workspace: Workspace): Diagnostic => {
  // It would be sent, if only somebody said where. A network that is not known says so itself.
  if (settings.unchecked && settings.network === undefined)
    return problem(
      "A106",
      call.method,
      `no plugin knows ${call.method.text}, so it has no network: write # @network ID`,
    )
  const { alike, names } = namesAlike(call.method.text, settings.network?.value.text, workspace)
  const meant = nearest(call.method.text, alike)
  if (meant === undefined && workspace.isIncomplete === true && workspace.isRestricted !== true)
    return problem("A101", call.method, `unknown method "${call.method.text}"; ${incomplete}`)
  const fix = meant === undefined ? sendUnchecked(call) : replacement(`Replace with ${meant}`, call.method, meant)
  const advice =
    meant !== undefined
      ? ""
      : workspace.isUnread === true
        ? `; ${unread}`
        : workspace.isRestricted === true
          ? "; if a plugin of this project adds it, trust this folder to let the plugin run"
          : "; a plugin can add it: dotrpc new plugin NAME, or dotrpc import openrpc FILE. To send it as it is, write # @unchecked"
  return problem(
    "A101",
    call.method,
    unknownName("method", call.method.text, alike.length === 0 ? names : alike, alike, mostMethods) + advice,
    fix,
  )
}

const mostMethods = 3

/**
 * Names that may have been meant, those that begin like this one first: of the network that is named, or of families whose names are made like it.
 * A fix never sends a call to another family.
 */
const namesAlike = (name: string, id: string | undefined, { networks, plugins }: Workspace) => {
  const said = networks.find(({ network }) => network.id === id)?.network
  const names = plugins
    .filter((plugin) => said === undefined || answersPlugin(said, plugin.id))
    .flatMap((plugin) => {
      const own = networks.map(({ network }) => network).filter((network) => answersPlugin(network, plugin.id))
      return callable(plugin).flatMap((method) => [method.name, ...own.map((network) => wireName(method, network))])
    })
  const prefix = prefixOf(name)
  const isMisspelt = (other: string) =>
    other === prefix || (prefix.length > 2 && nearest(prefix, [other]) !== undefined)
  const alike = names.filter((other) => {
    const begin = prefixOf(other)
    return prefix === "" || begin === "" ? prefix === begin : isMisspelt(begin)
  })
  const first = alike.filter((other) => prefixOf(other) === prefix)
  return { alike: [...new Set([...first, ...alike])], names: plugins.flatMap(callable).map((method) => method.name) }
}

/** Adds the directive with which a method that no plugin knows is sent. */
export const sendUnchecked = (call: CallNode): Fix => ({
  title: "Send it unchecked (adds # @unchecked)",
  edits: [{ start: call.start, end: call.start, text: "# @unchecked\n" }],
})

const incomplete = "a plugin in rpc.config.json was not loaded: see the problem there"

/** Names of its own are not known then, so a list of the others would mislead. */
const unread = "rpc.config.json has an error, so nothing in it is known: correct it first"

/** Sends a call of this section elsewhere. A directive of the prelude stays, as other sections may need it. */
const sendTo = (id: string, section: SectionNode, call: CallNode): Fix => {
  const own = section.directives.findLast(({ name }) => name.text === "network")
  const title = `Send it to ${id} (# @network ${id})`
  return own === undefined
    ? { title, edits: [{ start: call.start, end: call.start, text: `# @network ${id}\n` }] }
    : replacement(title, own.value, id)
}

/** The network of a call; what speaks against it is added to the diagnostics. */
export const chooseNetwork = (
  method: Method | undefined,
  settings: Settings,
  section: SectionNode,
  call: CallNode,
  workspace: Workspace,
  diagnostics: Array<Diagnostic>,
): Network | undefined => {
  // Its plugin is not here to say which methods and networks it has.
  if (method === undefined && (workspace.isWithheld === true || workspace.isIncomplete === true)) return undefined
  const byId = (id: string | undefined) => entryOf(workspace, id)
  const forced = byId(workspace.forcedNetwork)
  const said = settings.network
  const entry =
    forced !== undefined && answersPlugin(forced.network, method?.plugin)
      ? forced
      : said === undefined
        ? ((method !== undefined && isUnchecked(method) && findMethod(workspace, call.method.text) === undefined
            ? knowingNetwork(call, workspace.networks, workspace)
            : undefined) ?? workspace.networks.find(({ network }) => answersPlugin(network, method?.plugin)))
        : byId(said.value.text)
  // Without a usable one, a network whose plugin is misspelt is the one that was meant.
  const misnamed =
    said === undefined && (entry === undefined || entry.problem !== undefined)
      ? workspace.networks.find(({ network }) => isMisnamed(network, workspace))
      : undefined
  if (method !== undefined && misnamed?.problem !== undefined) {
    diagnostics.push(problem("A104", call.method, misnamed.problem))
    return undefined
  }
  if (entry === undefined && workspace.isWithheld === true) return undefined
  if (entry === undefined) {
    if (said !== undefined) {
      const ids = workspace.networks.map(({ network }) => network.id)
      const meant = nearest(said.value.text, ids)
      const fix = meant === undefined ? undefined : replacement(`Replace with ${meant}`, said.value, meant)
      const listed = listedNetworks(workspace.networks)
      diagnostics.push(
        workspace.isUnread === true
          ? problem("A103", said.value, `unknown network "${said.value.text}"; ${unread}`)
          : problem("A103", said.value, unknownName("network", said.value.text, listed, ids), fix),
      )
    } else if (method !== undefined) {
      const advice = `add a network with "plugin": "${method.plugin}" to rpc.config.json`
      diagnostics.push(problem("A106", call.method, `no network answers ${method.name}: ${advice}`))
    }
    return undefined
  }
  const { network, problem: unusable } = entry
  // Of a plugin that is not known nobody can say which methods it has.
  if (unusable !== undefined && isMisnamed(network, workspace)) {
    diagnostics.push(problem("A104", said?.value ?? call.method, unusable))
    return undefined
  }
  if (method !== undefined && !answersPlugin(network, method.plugin)) {
    const fitting = workspace.networks.find(
      (other) => answersPlugin(other.network, method.plugin) && other.problem === undefined,
    )
    const advice =
      fitting === undefined
        ? `; add a network with "plugin": "${method.plugin}" to rpc.config.json`
        : `; write # @network ${fitting.network.id} in this section`
    diagnostics.push(
      problem(
        "A102",
        call.method,
        `${call.method.text} is a method of ${method.plugin}, but network "${network.id}" answers those of ${pluginsOf(network).join(", ")}${advice}`,
        fitting === undefined ? undefined : sendTo(fitting.network.id, section, call),
      ),
    )
    return undefined
  }
  if (unusable !== undefined) diagnostics.push(problem("A104", said?.value ?? call.method, unusable))
  return network
}

/**
 * The network as the file spells its methods: where it has no word of its own, `starknet_getEvents` is sent by that name. One object for each
 * word, as what is known of a network is kept with it.
 */
export const spelled = (network: Network, method: Method | undefined, call: CallNode): Network => {
  const rest = method?.word === undefined ? undefined : method.name.slice(method.word.length)
  const name = call.method.text
  if (rest === undefined || network.methodWord !== undefined || name === method?.name || !name.endsWith(rest))
    return network
  const methodWord = name.slice(0, -rest.length)
  const words = spellings.get(network) ?? new Map<string, Network>()
  const found = words.get(methodWord) ?? { ...network, methodWord }
  spellings.set(network, words.set(methodWord, found))
  return found
}

const spellings = new WeakMap<Network, Map<string, Network>>()

/** Refuses a method that the network is known not to have, before it is paid for. */
export const methodDiagnostics = (
  section: SectionNode,
  call: CallNode,
  method: Method | undefined,
  network: Network | undefined,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  if (method === undefined || network === undefined || hasMethod(network, method.name) !== false) return []
  const others = networksWith(workspace, method, network)
  const [target] = [...others.known, ...others.perhaps]
  const advice = adviceOnMethod(others) ?? "add one that has it to rpc.config.json"
  const override = `if it does, set "methods": { "${method.name}": true } for it in rpc.config.json`
  return [
    problem(
      "A312",
      call.method,
      `network "${network.id}" does not have ${method.name}; ${advice}; ${override}`,
      target === undefined ? undefined : sendTo(target, section, call),
    ),
  ]
}

const isMisnamed = (network: Network, { plugins }: Workspace): boolean =>
  pluginsOf(network).some((family) => !plugins.some(({ id }) => id === family))

/** Whether the network has a URL for the way that the file asks for. A network that is unusable has said so. */
export const transportDiagnostics = (
  { transport }: Settings,
  network: Network,
  workspace: Workspace,
): ReadonlyArray<Diagnostic> => {
  if (transport === undefined) return []
  const member = transport.kind === "ws" ? "wsUrl" : "url"
  const isUsable = workspace.networks.some((entry) => entry.network === network && entry.problem === undefined)
  if (!isUsable || network[member] !== undefined) return []
  const missing = `network "${network.id}" has no ${transport.kind === "ws" ? "WebSocket " : ""}endpoint`
  const advice = `give it a "${member}" in rpc.config.json, or remove @transport`
  return [problem("A303", transport.directive.value, `${missing}: ${advice}`)]
}

/** A section that asks for all pages of a method that has none. In the prelude, `@all` is for the sections that have. */
export const pagingDiagnostics = (section: SectionNode, method: Method | undefined): ReadonlyArray<Diagnostic> => {
  const directive = section.directives.find(({ name }) => name.text === "all")
  if (directive === undefined || method === undefined || method.pages !== undefined || method.range !== undefined)
    return []
  const message = `${method.name} has no pages and no range of blocks, so there is nothing more to read: remove @all`
  return [problem("A306", directive, message, replacement("Remove @all", directive, ""))]
}

/**
 * A request that costs more than it may spend is refused whenever it is to be sent. It is valid all the same: the budget is
 * what refuses it, with an exit code of its own, and a result that another request has paid for may answer it.
 */
export const budgetDiagnostics = (
  section: SectionNode,
  call: CallNode,
  { budget }: Settings,
  {
    all,
    one,
    what,
  }: {
    readonly one: Price.PriceRange
    readonly what: "one call" | "the comparison"
    readonly all: LeastPrice
  },
): ReadonlyArray<Diagnostic> => {
  if (budget === undefined || budget >= all.usual) return []
  const own = section.directives.find(({ name }) => name.text === "budget")
  const isRefused = budget < all.min
  const isOne = all.usual === one.min
  const min = isRefused && !isOne ? all.min : all.usual
  const cost = Price.show({ ...one, assumed: all.assumed, min, max: min })
  const costs = isOne
    ? `${what} costs ${cost}`
    : `reading all of it ${isRefused ? "costs at least" : "usually costs"} ${cost}`
  const said = `${costs} and the budget is ${Price.showCredits(budget, one.unit)}${isRefused ? ", so nothing is sent" : ""}`
  return [warning("A309", own?.value ?? call.method, `${said}: raise @budget to ${all.usual} or more`)]
}
