/** The rules for a method that is made of calls of another one. */
import { Json, type Method, type Network } from "@dotrpc/spec"
import type { Settings } from "../Check.ts"
import { anyJson } from "./arbitraries.ts"
import { expect, fail, never } from "./expect.ts"
import { law } from "./law.ts"
import { show } from "./show.ts"

/** With any results that fit the method that is called, it ends, with a result of its own or a reason. */
export const checkComposite = (
  method: Method,
  networks: ReadonlyArray<Network>,
  settings: Settings,
  words: Parameters<typeof anyJson>[0],
): void => {
  const { composite } = method
  if (composite === undefined) return
  const { calls, least, most, of } = composite
  expect(of.composite === undefined, `${of.name}, which it calls, is made of calls as well`)
  expect(of.plugin === method.plugin, `${of.name}, which it calls, is a method of another plugin`)
  expect(
    Number.isSafeInteger(least) && Number.isSafeInteger(most) && 0 <= least && least <= most,
    `it declares ${least} to ${most} calls`,
  )
  law(settings, anyJson(words), (result) => {
    if (of.resultIssue(result) !== undefined) return
    for (const { params } of method.examples) {
      const network = networks.find((entry) => method.issues(params, entry).length === 0)
      if (network === undefined) continue
      const steps = never(`composite.calls(${show(params)})`, () => calls(params, { network, now: 1_700_000_000_000 }))
      let step = never("its first step", () => steps.next())
      for (let made = 0; step.done !== true; made++) {
        if (made >= most) return fail(`it makes more than the ${most} calls that it declares`)
        const [issue] = of.issues(step.value, network)
        if (issue !== undefined)
          return fail(`it calls ${of.name} with ${show(step.value)}, which has: ${issue.message}`)
        step = never("a step", () => steps.next(result))
      }
      const end = step.value
      if ("reason" in end) continue
      const issue = method.resultIssue(end.result)
      if (issue !== undefined) return fail(`its result ${Json.stringify(end.result)} does not fit it: ${issue.message}`)
    }
  })
}
