/** Reads curl commands whose data is JSON-RPC, as people paste them and browsers copy them. */
import { headersAreLeft, keysOf, missingUrl, readUrl, shownUrl } from "./urls.ts"
import { cmdCommands, isForCmd } from "./cmdWords.ts"
import { keysOfHeader, withoutKeys } from "./keys.ts"
import type { ConvertedUrl, Converted, ConvertedSection, ReadMentioned } from "./Converted.ts"
import { readJsonRpc } from "./jsonRpc.ts"
import { mentionedBody } from "./mentioned.ts"
import { filledIn, shellVariables } from "./shellVariables.ts"
import { type ShellCommand, shellCommands } from "./shellWords.ts"

/** A request for each curl command. Other commands are reported and left out. */
export const readCurl = (text: string, readMentioned: ReadMentioned): Converted => {
  const problems: Array<{ line: number; message: string }> = []
  const sections: Array<ConvertedSection> = []
  const keys = new Set<string>()
  const commands = isForCmd(text) ? cmdCommands(text) : shellCommands(text)
  const { values } = shellVariables(commands)
  for (const command of commands) {
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
    const request = readOptions({ ...command, words }, values, readMentioned)
    request.problems.forEach(problem)
    for (const key of request.keys) keys.add(key)
    const unknown = command.problem ?? request.missing
    const calls = unknown === undefined ? readJsonRpc(request.data) : { problem: unknown }
    const [title, ...comments] = command.comments
    const { url } = request
    url.problems.forEach(problem)
    if ("problem" in calls) {
      problem(`this command cannot be converted: ${calls.problem}; it is kept as a comment`)
      const kept = [...command.comments, `curl ${shownUrl(url)}`, request.data]
      sections.push({ title: "", comments: kept.flatMap((line) => line.split("\n")), checks: [] })
      continue
    }
    for (const call of calls) sections.push({ title: title ?? call.method, comments, call, url, checks: [] })
  }
  return withoutKeys({ variables: [], sections, problems }, keys)
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
  readonly url: ConvertedUrl
  readonly problems: ReadonlyArray<string>
  readonly keys: ReadonlyArray<string>
}

const readOptions = (
  { words, input }: ShellCommand,
  values: ReadonlyMap<string, string>,
  readMentioned: ReadMentioned,
): CurlRequest => {
  const read: ReadOptions = { problems: [], data: [], urls: [], otherUrls: [], headerKeys: [], isUnsure: false }
  const queue = words.slice(1).flatMap(splitOption)
  for (let index = 0; index < queue.length; index++) {
    const word = queue[index] ?? ""
    if (!word.startsWith("-") || word === "-") read.urls.push(word)
    else if (/^(?:-G|--get)$/.test(word)) read.problems.push("its method is GET: calls are always sent with POST")
    else if (!flags.has(word)) {
      const readOption = optionReader(word)
      if (readOption === undefined) readUnknown(read, word)
      else readOption(read, queue[++index] ?? "", word)
    }
  }
  const found = read.data.map((each) => dataOf(each, input, readMentioned))
  const missing = found.flatMap((each) => ("problem" in each ? [`its data ${each.problem}`] : [])).at(0)
  const data = found.map((each, index) => ("text" in each ? each.text : (read.data[index]?.value ?? ""))).join("&")
  const url = urlOf(read, values)
  const { headerKeys, otherUrls, problems, urls } = read
  const texts = [...urls, filledIn(urls[0] ?? "", values), ...otherUrls]
  return { data, missing, url, problems, keys: [...headerKeys, ...texts.flatMap((text) => keysOf(text))] }
}

/** What the options of a command say. */
interface ReadOptions {
  readonly problems: Array<string>
  readonly data: Array<Data>
  readonly urls: Array<string>
  /** To which the call is not sent. */
  readonly otherUrls: Array<string>
  readonly headerKeys: Array<string>
  /** Whether an option is not known: a word behind it may be its value. */
  isUnsure: boolean
  /** The option with which it is sent elsewhere than to its URL. */
  elsewhere?: string | undefined
  /** The value of a `Host` header. */
  host?: string | undefined
}

/** A value of `--data`: `@` stands for a file, unless it is literal. */
interface Data {
  readonly value: string
  readonly isLiteral: boolean
}

type OptionReader = (read: ReadOptions, value: string, option: string) => void

/** How an option with a value is read; `undefined` for one that is not known. */
const optionReader = (option: string): OptionReader | undefined =>
  optionReaders.find(([options]) => options.test(option))?.[1] ??
  (changesAddress.has(option) ? readElsewhere : withValue.has(option) ? leaveOut : undefined)

const leaveOut: OptionReader = () => {}

const readElsewhere: OptionReader = (read, _, option) => {
  read.elsewhere = option
}

const readMethod: OptionReader = ({ problems }, value) => {
  const shown = /^[a-z]{1,10}$/i.test(value) ? value : "another"
  if (value.toUpperCase() !== "POST") problems.push(`its method is ${shown}: calls are always sent with POST`)
}

const readHeader: OptionReader = (read, value) => {
  const [, name = "one that has no name"] = /^\s*([A-Za-z][\w-]{0,40})\s*[:;]/.exec(value) ?? []
  if (/^host$/i.test(name)) read.host = value.slice(value.indexOf(":") + 1).trim()
  if (ofEveryRequest.test(name)) return
  read.problems.push(headersAreLeft(name))
  read.headerKeys.push(...keysOfHeader(value.slice(value.search(/[:;]/) + 1)))
}

const readLogin: OptionReader = ({ headerKeys, problems }, value, option) => {
  problems.push(keyIsLeft(option))
  headerKeys.push(...keysOfHeader(value))
}

const readProxy: OptionReader = ({ otherUrls, problems }, value, option) => {
  problems.push(`its proxy is not imported: set HTTPS_PROXY instead of ${option}`)
  otherUrls.push(value)
}

const optionReaders: ReadonlyArray<readonly [options: RegExp, OptionReader]> = [
  [
    /^(?:-d|--data|--data-ascii|--data-binary|--json)$/,
    ({ data }, value) => void data.push({ value, isLiteral: false }),
  ],
  [/^--data-raw$/, ({ data }, value) => void data.push({ value, isLiteral: true })],
  [/^--url$/, ({ urls }, value) => void urls.push(value)],
  [/^(?:-X|--request)$/, readMethod],
  [/^(?:-H|--header)$/, readHeader],
  [/^(?:-u|--user|-b|--cookie|--oauth2-bearer|--aws-sigv4)$/, readLogin],
  [/^(?:-e|--referer)$/, ({ otherUrls }, value) => void otherUrls.push(value)],
  [/^(?:-x|--(?:pre)?proxy|--proxy1\.0|--socks\w+(?:-hostname)?)$/, readProxy],
]

const readUnknown = (read: ReadOptions, option: string): void => {
  read.isUnsure = true
  const what = /^--?[a-z][a-z-]{0,24}$/i.test(option) ? `the option ${option}` : "an option"
  read.problems.push(`${what} is not known; it is left out`)
}

const dataOf = (
  { isLiteral, value }: Data,
  input: string | undefined,
  readMentioned: ReadMentioned,
): { readonly text: string } | { readonly problem: string } => {
  if (isLiteral || !value.startsWith("@")) return { text: value }
  const path = value.slice(1)
  if (path !== "-") return mentionedBody(path, readMentioned)
  return input === undefined ? { problem: "comes from another command" } : { text: input }
}

/** Where it is sent; what is lost or unsure about that becomes a problem. */
const urlOf = (
  { elsewhere, host, isUnsure, problems, urls: [first = "", ...others] }: ReadOptions,
  values: ReadonlyMap<string, string>,
): ConvertedUrl => {
  const isOne = others.length === 0
  if (!isOne && !isUnsure) problems.push("it has several URLs: only the first is imported")
  if (elsewhere !== undefined)
    return missingUrl(
      undefined,
      `${elsewhere} sends it elsewhere than to its URL: write the "url" of its network in rpc.config.json`,
    )
  // The first may as well be the value of an option that is not known.
  if (!isOne && isUnsure) return missingUrl()
  const url = readUrl(filledIn(first, values))
  if (host !== undefined && url.url !== undefined && !url.url.includes(`//${host}`))
    problems.push(headersAreLeft("Host"))
  return url
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

/** Options without a value, of which a call has no use. */
const flags: ReadonlySet<string> = new Set(
  "--anyauth -a --append --basic --cert-status --compressed --compressed-ssh --create-dirs --crlf --digest -q --disable --disable-eprt --disable-epsv --disallow-username-in-url --doh-cert-status --doh-insecure -f --fail --fail-early --fail-with-body --false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control -g --globoff --haproxy-protocol -I --head --http0.9 -0 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length -i --include -k --insecure -4 --ipv4 -6 --ipv6 -j --junk-session-cookies -l --list-only -L --location --location-trusted --mail-rcpt-allowfails -M --manual --metalink --negotiate -n --netrc --netrc-optional -: --next --no-alpn -N --no-buffer --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --ntlm --ntlm-wb -Z --parallel --parallel-immediate --path-as-is --post301 --post302 --post303 -# --progress-bar --proxy-anyauth --proxy-basic --proxy-digest --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast --proxy-ssl-auto-client-cert --proxy-tlsv1 -p --proxytunnel --raw -J --remote-header-name -O --remote-name --remote-name-all -R --remote-time --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir -S --show-error -s --silent --socks5-basic --socks5-gssapi --socks5-gssapi-nec --ssl --ssl-allow-beast --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort -2 --sslv2 -3 --sslv3 --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tr-encoding --trace-time -B --use-ascii -v --verbose -V --version --xattr --ca-native --proxy-ca-native --skip-existing --mptcp --tls-earlydata --proxy-http2 --trace-ids --follow --dump-ca-embed --out-null --no-compressed --no-location --no-silent --no-insecure --no-fail".split(
    " ",
  ),
)

/** Options with a value about how curl works, which a call has no use for either. Without them, their values would look like URLs. */
const withValue: ReadonlySet<string> = new Set(
  "--alt-svc --cacert --capath -E --cert --cert-type --ciphers -K --config --connect-timeout -C --continue-at -c --cookie-jar --create-file-mode --crlfile --curves --data-urlencode --delegation --dns-interface --dns-ipv4-addr --dns-ipv6-addr --dns-servers --doh-url -D --dump-header --egd-file --engine --etag-compare --etag-save --expect100-timeout -F --form --form-string --ftp-account --ftp-alternative-to-user --ftp-method -P --ftp-port --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms -h --help --hostpubmd5 --hostpubsha256 --hsts --interface --keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port --login-options --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs -m --max-time --netrc-file --noproxy -o --output --output-dir --parallel-max --pass --pinnedpubkey --proto --proto-default --proto-redir --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser -U --proxy-user --pubkey -Q --quote --random-file -r --range --rate --retry --retry-delay --retry-max-time --sasl-authzid --service-name --socks5-gssapi-service -Y --speed-limit -y --speed-time --stderr -t --telnet-option --tftp-blksize -z --time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace --trace-ascii -T --upload-file -A --user-agent -w --write-out --variable --haproxy-clientip --ipfs-gateway --ech --trace-config --vlan-priority --ip-tos --keepalive-cnt --sigalgs --upload-flags --parallel-max-host --knownhosts".split(
    " ",
  ),
)

/** Options with which a call goes to another address than that of its URL. */
const changesAddress: ReadonlySet<string> = new Set(
  "--connect-to --resolve --unix-socket --abstract-unix-socket --request-target --url-query".split(" "),
)
