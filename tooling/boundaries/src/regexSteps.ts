/**
 * Counts the steps of a regular expression that searches a text, as engines that go back over what they have read take them.
 * How the count grows with a text is the same on every machine.
 *
 * Limit: what a class of characters has of strings of several (flag `v`) is left out.
 */
import { type AST, RegExpParser } from "@eslint-community/regexpp"

type Instruction =
  | { readonly op: "sign"; readonly fits: (sign: string) => boolean; readonly back: boolean }
  | { readonly op: "try"; readonly first: number; readonly after: number }
  | { readonly op: "save"; readonly slot: number }
  | { readonly op: "moved"; readonly slot: number }
  | { readonly op: "repeat"; readonly group: number; readonly back: boolean }
  | { readonly op: "holds"; readonly test: (signs: ReadonlyArray<string>, at: number) => boolean }
  | { readonly op: "look"; readonly program: Program; readonly negate: boolean }

type Program = ReadonlyArray<Instruction>

/** Positions in a text, of groups and of the beginnings of repetitions. */
type Slots = ReadonlyArray<number>

export interface Compiled {
  readonly program: Program
  readonly slots: number
  readonly flags: string
}

export const compile = (source: string, flags: string): Compiled => {
  const [unicode, unicodeSets] = [flags.includes("u"), flags.includes("v")]
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, { unicode, unicodeSets })
  const builder = new Builder(source, flags)
  return { program: builder.programOf(pattern.alternatives, false), slots: builder.slots, flags }
}

/** The steps of `text.replace(expression, "")`; no more than `limit` are counted. */
export const countSteps = ({ flags, program, slots }: Compiled, text: string, limit: number): number => {
  const signs = /[uv]/.test(flags) ? Array.from(text) : text.split("")
  const counted = { steps: 0, limit }
  const none: Slots = Array.from({ length: slots }, () => -1)
  for (let at = 0; at <= signs.length && counted.steps < limit;) {
    const end = run(program, signs, at, none, counted)?.at
    if (end === undefined && flags.includes("y")) break
    if (end !== undefined && !flags.includes("g")) break
    at = Math.max(at + 1, end ?? 0)
  }
  return Math.min(counted.steps, limit)
}

/** A way on that is tried when others have failed. */
interface Way {
  readonly next: number
  readonly at: number
  readonly slots: Slots
}

const run = (
  program: Program,
  signs: ReadonlyArray<string>,
  from: number,
  before: Slots,
  counted: { steps: number; readonly limit: number },
): Way | undefined => {
  const ways: Array<Way> = [{ next: 0, at: from, slots: before }]
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    let { at, next, slots } = way
    for (;;) {
      if (++counted.steps > counted.limit) return undefined
      const instruction = program[next]
      if (instruction === undefined) return { next, at, slots }
      next++
      if (instruction.op === "sign") {
        const sign = signs[instruction.back ? at - 1 : at]
        if (sign === undefined || !instruction.fits(sign)) break
        at += instruction.back ? -1 : 1
      } else if (instruction.op === "try") {
        if (instruction.after !== instruction.first) ways.push({ next: instruction.after, at, slots })
        next = instruction.first
      } else if (instruction.op === "save") slots = slots.with(instruction.slot, at)
      else if (instruction.op === "moved") {
        if (slots[instruction.slot] === at) break
      } else if (instruction.op === "holds") {
        if (!instruction.test(signs, at)) break
      } else if (instruction.op === "look") {
        const found = run(instruction.program, signs, at, slots, counted)
        if ((found === undefined) !== instruction.negate) break
        slots = found?.slots ?? slots
      } else {
        const [one = -1, other = -1] = slots.slice(2 * instruction.group, 2 * instruction.group + 2)
        const word = one < 0 || other < 0 ? [] : signs.slice(Math.min(one, other), Math.max(one, other))
        const start = instruction.back ? at - word.length : at
        counted.steps += word.length
        if (start < 0 || word.some((sign, index) => signs[start + index] !== sign)) break
        at = instruction.back ? start : at + word.length
      }
    }
  }
  return undefined
}

class Builder {
  readonly #source: string
  readonly #flags: string
  /** As many as are in use; each group has two, those of repetitions follow. */
  slots = 100

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  programOf(alternatives: ReadonlyArray<AST.Alternative>, back: boolean): Program {
    const program: Array<Instruction> = []
    this.#any(program, alternatives, back)
    return program
  }

  #any(program: Array<Instruction>, alternatives: ReadonlyArray<AST.Alternative>, back: boolean): void {
    const ends: Array<number> = []
    for (const [index, { elements }] of alternatives.entries()) {
      const choice = program.length
      const isLast = index === alternatives.length - 1
      if (!isLast) program.push({ op: "try", first: choice + 1, after: choice + 1 })
      for (const element of back ? elements.toReversed() : elements) this.#element(program, element, back)
      if (isLast) break
      ends.push(program.length)
      program.push({ op: "try", first: 0, after: 0 })
      program[choice] = { op: "try", first: choice + 1, after: program.length }
    }
    for (const end of ends) program[end] = { op: "try", first: program.length, after: program.length }
  }

  #element(program: Array<Instruction>, element: AST.Element, back: boolean): void {
    switch (element.type) {
      case "Group":
        return this.#any(program, element.alternatives, back)
      case "CapturingGroup": {
        const group = this.#numberOf(element)
        program.push({ op: "save", slot: 2 * group })
        this.#any(program, element.alternatives, back)
        program.push({ op: "save", slot: 2 * group + 1 })
        return
      }
      case "Quantifier":
        return this.#quantifier(program, element, back)
      case "Assertion":
        return this.#assertion(program, element)
      case "Backreference": {
        const { resolved } = element
        program.push({ op: "repeat", group: this.#numberOf("length" in resolved ? resolved[0] : resolved), back })
        return
      }
      default:
        program.push({ op: "sign", fits: fitting(element.raw, this.#flags), back })
    }
  }

  #quantifier(program: Array<Instruction>, { element, greedy, max, min }: AST.Quantifier, back: boolean): void {
    const choose = (place: number, inside: number, after: number) =>
      (program[place] = greedy
        ? { op: "try", first: inside, after: after }
        : { op: "try", first: after, after: inside })
    for (let time = 0; time < min; time++) this.#element(program, element, back)
    if (max !== Infinity) {
      const places: Array<number> = []
      for (let time = min; time < max; time++) {
        places.push(program.length)
        program.push({ op: "try", first: 0, after: 0 })
        this.#element(program, element, back)
      }
      for (const place of places) choose(place, place + 1, program.length)
      return
    }
    const place = program.length
    program.push({ op: "try", first: 0, after: 0 })
    // What may read nothing would go round without end.
    const slot = element.type === "Group" || element.type === "CapturingGroup" ? this.slots++ : undefined
    if (slot !== undefined) program.push({ op: "save", slot })
    this.#element(program, element, back)
    if (slot !== undefined) program.push({ op: "moved", slot })
    program.push({ op: "try", first: place, after: place })
    choose(place, place + 1, program.length)
  }

  #assertion(program: Array<Instruction>, assertion: AST.Assertion): void {
    if (assertion.kind === "lookahead" || assertion.kind === "lookbehind") {
      const inside = this.programOf(assertion.alternatives, assertion.kind === "lookbehind")
      program.push({ op: "look", program: inside, negate: assertion.negate })
      return
    }
    const lines = this.#flags.includes("m")
    const negate = assertion.kind === "word" && assertion.negate
    const ends = (sign: string | undefined) => sign === undefined || (lines && /[\n\r\u2028\u2029]/.test(sign))
    const isWord = (sign: string | undefined) => sign !== undefined && /\w/.test(sign)
    const test = (signs: ReadonlyArray<string>, at: number): boolean => {
      if (assertion.kind === "start") return ends(signs[at - 1])
      if (assertion.kind === "end") return ends(signs[at])
      return (isWord(signs[at - 1]) === isWord(signs[at])) === negate
    }
    program.push({ op: "holds", test })
  }

  /** Groups are numbered by where they begin. */
  #numberOf(group: AST.CapturingGroup | undefined): number {
    return this.#source.slice(0, group?.start ?? 0).match(/\((?!\?)|\(\?<(?![=!])/g)?.length ?? 0
  }
}

/** Whether a sign is one that a part of an expression reads, as the engine itself says. */
const fitting = (raw: string, flags: string): ((sign: string) => boolean) => {
  const one = new RegExp(`^(?:${raw})$`, flags.replaceAll(/[^isuv]/g, ""))
  const known = new Map<string, boolean>()
  return (sign) => {
    const found = known.get(sign) ?? one.test(sign)
    known.set(sign, found)
    return found
  }
}
