/** How many requests a report is about, read as the programs read it that such reports are made for. */
export const countedIn = (format: string, text: string): number => {
  if (format === "ndjson")
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown).length
  if (format === "junit") return testCasesIn(text)
  return testPointsIn(text)
}

/** Every line of TAP is a point, a comment, the version, the plan or part of an indented block. */
const testPointsIn = (text: string): number => {
  const lines = text.trimEnd().split("\n")
  const other = lines.filter((line) => !/^((not )?ok \d+\b|#|TAP version 1[34]$|1\.\.\d+|\s|$)/.test(line))
  if (other.length > 0) throw new Error(`not TAP: ${JSON.stringify(other.slice(0, 3))}`)
  const points = lines.filter((line) => /^(not )?ok /.test(line)).length
  const [plan] = lines.flatMap((line) => /^1\.\.(\d+)/.exec(line)?.[1] ?? [])
  if (Number(plan) !== points) throw new Error(`${plan} points are planned, ${points} are there`)
  return points
}

/** Counts elements the way a parser does: tags must be closed in their order, and text holds no bare marks. */
const testCasesIn = (text: string): number => {
  const open: Array<string> = []
  let cases = 0
  let at = 0
  const tag = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|<\?xml [^<>]*\?>/gy
  while (at < text.length) {
    const next = text.indexOf("<", at)
    const between = text.slice(at, next < 0 ? text.length : next)
    if (/&(?!(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-f]+);)/i.test(between) || between.includes("]]>"))
      throw new Error(`not XML: ${between.slice(0, 100)}`)
    if (next < 0) break
    tag.lastIndex = next
    const found = tag.exec(text)
    if (found === null) throw new Error(`not XML: ${text.slice(next, next + 100)}`)
    const [, close, name = "", , alone] = found
    if (name !== "") {
      if (close === "/") {
        const opened = open.pop()
        if (opened !== name) throw new Error(`not XML: ${name} closes ${opened}`)
      } else {
        if (name === "testcase") cases += 1
        if (alone !== "/") open.push(name)
      }
    }
    at = tag.lastIndex
  }
  if (open.length > 0) throw new Error(`not XML: ${open.join(", ")} stay open`)
  return cases
}
