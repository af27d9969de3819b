/** What the name of a method that no plugin knows says about it. */

/**
 * Whether a method may change something, by its name: its first verb says so, and what has none counts as a change, unless all that stands
 * behind its family names what is only read.
 */
export const mayChange = (name: string): boolean => {
  const verb = wordsOf(name).find((word) => reading.test(word) || changing.test(word))
  if (verb !== undefined) return !reading.test(verb)
  return !wordsOf(name.replace(/^[^_.:/]+[_.:/](?=.)/, "")).every((word) => isRead.test(word))
}

const wordsOf = (name: string): ReadonlyArray<string> =>
  name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? []

/** Some names have no sign between their words: `getblockcount`. */
const reading =
  /^(?:get|list|find|fetch|read|quer|count|estimat|simulat|lookup|search|view|show|describe|verif|validat|decod|encod|trac|resolv|check|dry|subscrib|unsubscrib|(?:is|has|call|test)$)/

const changing =
  /^(?:abandon|add(?!r)|approv|ban$|broadcast|bump|burn|cancel|connect|creat|delet|deploy|deposit|disabl|disconnect|enabl|execut|fund|generat|import|insert|invalidat|kick|load|lock|mine$|mint|new|pay|post|publish|put|register|remov|reset|restart|revok|save|send|set(?!t)|sign(?!a)|start|stop|submit|transfer|unlock|updat|upload|withdraw|write)/

const isRead =
  /^(?:account|at|balance|base|batch|blob|block|by|chain|change|client|code|coinbase|commit|config|consensus|consolidated|content|difficulty|discover|entry|epoch|event|fee|final|fork|gas|genesis|hash|hashrate|head|header|health|height|history|id|info|inspect|issuance|last|latest|light|listening|log|max|metadata|method|metric|mining|network|node|nonce|number|param|peer|per|ping|point|price|priority|proof|protocol|range|receipt|result|rate|root|schema|sha|slot|stat|state|status|storage|supply|supported|sync|syncing|time|transaction|tx|validator|version|virtual)(?:e?s)?$/
