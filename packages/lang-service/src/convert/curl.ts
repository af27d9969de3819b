/** Reads curl commands whose data is JSON-RPC, as people paste them and browsers copy them. */
import { headersAreLeft, keptParts, keysOf, keysOfHeader, readUrl, withoutKeys } from "./urls.ts"
import { cmdCommands, isForCmd } from "./cmdWords.ts"
import type { ConvertedUrl, Converted, ConvertedSection, ReadMentioned } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"
import { mentionedBody } from "./mentioned.ts"
import { type ShellCommand, shellCommands } from "./shellWords.ts"

/** A request for each curl command. Other commands are reported and left out. */
export const readCurl = (text: string, readMentioned: ReadMentioned): Converted => {
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  const keys = new Set<string>()
  for (const command of isForCmd(text) ? cmdCommands(text) : shellCommands(text)) {
    const start = startOf(command.words)
    const words = command.words.slice(start)
    for (const word of command.words.slice(0, start))
      for (const key of keysOfHeader(word.slice(word.indexOf("=") + 1))) keys.add(key)
    const [program = ""] = words
    if (program === "") continue
    const problem = (message: string) => problems.push({ line: command.line, message })
    if (!/(^|\/)curl(\.exe)?$/.test(program)) {
      problem(`"${/^[\w./-]{1,40}$/.test(program) ? program : "a command"}" is not a curl command; it is left out`)
      continue
    }
    const request = readOptions({ ...command, words }, readMentioned)
    request.problems.forEach(problem)
    for (const key of request.keys) keys.add(key)
    const unknown = command.problem ?? request.missing
    const calls = unknown === undefined ? readJsonRpc(request.data) : { problem: unknown }
    const [title, ...comments] = command.comments
    const { url } = request
    if (url === undefined) problem("its URL cannot be read: no network is added for it")
    if (url?.leavesCredentials === true) problem(keyIsLeft("the user name and password of its URL"))
    if (url !== undefined) keptParts(url).forEach(problem)
    if ("problem" in calls) {
      problem(`this command cannot be converted: ${calls.problem}; it is kept as a comment`)
      const kept = [...command.comments, `curl ${url?.url ?? "a URL that could not be read"}`, request.data]
      sections.push({ title: "", comments: kept.flatMap((line) => line.split("\n")), checks: [] })
      continue
    }
    for (const call of calls) {
      const to = url === undefined ? {} : { url }
      sections.push({ title: title ?? call.method, comments, call, ...to, checks: [] })
    }
  }
  const hidden = withoutKeys(sections, keys)
  return {
    variables: [],
    sections: hidden.sections,
    problems: [...hidden.problems, ...problems],
  }
}

/** Where a command begins behind the prompt it was copied with, and behind variables that are set for it. */
const startOf = (words: ReadonlyArray<string>): number => {
  const start = words.findIndex((word, index) => !(index === 0 && /^[$%>]$/.test(word)) && !/^[A-Za-z_]\w*=/.test(word))
  return start < 0 ? words.length : start
}

interface CurlRequest {
  readonly data: string
  /** Why a part of the data is not there. */
  readonly missing: string | undefined
  readonly url: ConvertedUrl | undefined
  readonly problems: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
}

const readOptions = ({ words, input }: ShellCommand, readMentioned: ReadMentioned): CurlRequest => {
  const problems: Array<string> = []
  const data: Array<string> = []
  const urls: Array<string> = []
  const otherUrls: Array<string> = []
  const headerKeys: Array<string> = []
  let missing: string | undefined
  const readData = (value: string, isLiteral: boolean): void => {
    if (isLiteral || !value.startsWith("@")) return void data.push(value)
    const path = value.slice(1)
    const found =
      path !== "-"
        ? mentionedBody(path, readMentioned)
        : input === undefined
          ? { problem: "comes from another command" }
          : { text: input }
    if ("problem" in found) missing ??= `its data ${found.problem}`
    data.push("text" in found ? found.text : value)
  }
  const queue = words.slice(1).flatMap(splitOption)
  for (let index = 0; index < queue.length; index++) {
    const word = queue[index] ?? ""
    if (!word.startsWith("-") || word === "-") {
      urls.push(word)
      continue
    }
    if (flags.has(word)) continue
    const value = queue[++index] ?? ""
    if (/^(-d|--data|--data-ascii|--data-binary|--json)$/.test(word)) readData(value, false)
    else if (word === "--data-raw") readData(value, true)
    else if (word === "--url") urls.push(value)
    else if (/^(-X|--request)$/.test(word)) {
      if (value.toUpperCase() !== "POST")
        problems.push(
          `its method is ${/^[a-z]{1,10}$/i.test(value) ? value : "another"}: calls are always sent with POST`,
        )
    } else if (/^(-H|--header)$/.test(word)) {
      const [, name = "one that has no name"] = /^\s*([A-Za-z][\w-]{0,40})\s*[:;]/.exec(value) ?? []
      if (ofEveryRequest.test(name)) continue
      problems.push(headersAreLeft(name))
      for (const key of keysOfHeader(value.slice(value.search(/[:;]/) + 1))) headerKeys.push(key)
    } else if (/^(-u|--user|-b|--cookie|--oauth2-bearer)$/.test(word)) {
      problems.push(keyIsLeft(word))
      for (const key of keysOfHeader(value)) headerKeys.push(key)
    } else if (/^(-x|--proxy|-e|--referer)$/.test(word)) otherUrls.push(value)
    else if (!withValue.has(word)) {
      problems.push(
        `${/^--?[a-z][a-z-]{0,24}$/i.test(word) ? `the option ${word}` : "an option"} is not known; it is left out`,
      )
      index--
    }
  }
  const [first, ...others] = urls
  if (others.length > 0) problems.push("it has several URLs: only the first is imported")
  const url = first === undefined ? undefined : readUrl(withScheme(first), () => undefined)
  const keys = [
    ...headerKeys,
    ...[...urls, ...otherUrls].flatMap((other) => keysOf(withScheme(other), () => undefined)),
  ]
  return { data: data.join("&"), missing, url, problems, keys }
}

/** Headers that browsers and programs add on their own. */
const ofEveryRequest =
  /^(content-type|content-length|accept|accept-(encoding|language)|user-agent|origin|referer|host|connection|cache-control|pragma|te|upgrade-insecure-requests|sec-[\w-]+|dnt|priority)$/i

const keyIsLeft = (what: string): string =>
  `${what} ${/ and /.test(what) ? "are" : "is"} not imported: a key belongs in the "url" or the "headers" of the network in rpc.config.json, as a secret`

/** `-XPOST` is `-X POST`, `--data=x` is `--data x`, `-sS` is `-s -S`. */
const splitOption = (word: string): ReadonlyArray<string> => {
  const [, long, value] = /^(--[\w-]+)=([\s\S]*)$/.exec(word) ?? []
  if (long !== undefined && value !== undefined) return [long, value]
  if (!/^-[A-Za-z]./.test(word)) return [word]
  const letter = word.slice(0, 2)
  if (!flags.has(letter)) return [letter, word.slice(2)]
  return [letter, ...splitOption(`-${word.slice(2)}`)]
}

/** A host without scheme is meant as curl means it. */
const withScheme = (url: string): string => (/^([a-z]+:\/\/|\{\{)/i.test(url) ? url : `http://${url}`)

const flags: ReadonlySet<string> = new Set(
  "-s -S -k -L -i -v -f -g -G -N -4 -6 -# -0 --silent --show-error --insecure --location --include --verbose --fail --fail-with-body --globoff --compressed --no-buffer --http1.1 --http2 --http3 --ipv4 --ipv6 --tcp-nodelay --progress-bar --no-progress-meter --post301 --post302".split(
    " ",
  ),
)

/** Options about how curl works, which a call has no use for. */
const withValue: ReadonlySet<string> = new Set(
  "-o --output -w --write-out -m --max-time --connect-timeout --retry --retry-delay --retry-max-time -A --user-agent -e --referer -x --proxy --resolve --cacert --capath --cert --key --tlsv1.2 --limit-rate -D --dump-header -c --cookie-jar --interface --trace --trace-ascii".split(
    " ",
  ),
)
