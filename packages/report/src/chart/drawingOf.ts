/** The drawing of a chart, in pixels: it fills whatever place it has, and its words are as large as those around it. */
import { amountScale, axisNumber, mostTicks } from "./amountScale.ts"
import { type Chart, type Point, type Series, subjectOf } from "./chartsOf.ts"
import { legend, lookOf, wide } from "./legend.ts"
import { bandsOf, cut, type Part, part, pathOf, texts, words } from "./parts.ts"

/** Pixels of a drawing. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Fewer pixels have no room for the names beside the bars, or for a line to be read. */
export const leastHeight = ({ kind, points }: Chart): number =>
  kind === "ranking" ? points.length * 16 + margin.top + margin.bottom : 110

const margin = { top: 10, bottom: 34 }

/** Pixels of a drawing for each number beside it. */
const tickHeight = 45

/** What a chart looks like in a place of some size. */
export interface Drawing {
  readonly parts: ReadonlyArray<Part>
  /** What marks the points from one to another, to go behind the parts. */
  readonly mark: (first: number, last: number) => Part
  /** The point nearest to a place in the drawing. */
  readonly nearest: (x: number, y: number) => number
}

export const drawingOf = (chart: Chart, size: Size): Drawing => {
  const series = chart.series ?? [{ name: chart.title, values: chart.points.map(({ value }) => value) }]
  const frame = frameOf(chart, series, size)
  const { bands, bottom, isRanking, key, left, middle, right, top } = frame
  const shapes = chart.kind === "line" ? series.flatMap(courseIn(frame)) : chart.points.map(barIn(frame))
  return {
    parts: [...key, axisOf(chart, frame, size), ...shapes],
    mark: (first, last) => {
      const half = chart.kind === "line" ? 3 : bands.step / 2
      const [start, end] = [middle(first) - half, middle(last) + half]
      const box = isRanking
        ? { x: left, y: start, width: right - left, height: end - start }
        : { x: start, y: top, width: end - start, height: bottom - top }
      return part("rect", texts(box))
    },
    nearest: (x, y) =>
      nearestTo(
        isRanking ? y : x,
        chart.points.map((_, index) => middle(index)),
      ),
  }
}

type Frame = ReturnType<typeof frameOf>

/** Where everything is: amounts along one axis, points along the other, and what is written beside both. */
const frameOf = (chart: Chart, series: ReadonlyArray<Series>, { height, width }: Size) => {
  const { points } = chart
  const isRanking = chart.kind === "ranking"
  const values = series.flatMap((one) => one.values.flatMap((value) => value ?? []))
  const along = isRanking ? [] : ends(points.length).map((index) => ({ index, text: acrossText(chart, index) }))
  // What is written beside the axis, and half of what is written below its ends.
  const count = isRanking ? mostTicks : Math.max(1, Math.min(mostTicks, Math.floor(height / tickHeight)))
  const beside = isRanking ? points.map(subjectName) : amountScale(values, [0, 1], count).ticks.map(({ text }) => text)
  const left = Math.min(width * 0.4, Math.max(longest(beside) * wide + 10, (along[0]?.text.length ?? 0) * (wide / 2)))
  const right = width - Math.max(16, (along.at(-1)?.text.length ?? 0) * (wide / 2))
  const key = chart.series === undefined ? undefined : legend(chart.series, left, right)
  const top = margin.top + (key?.height ?? 0)
  const bottom = height - margin.bottom
  const amount = amountScale(values, isRanking ? [left, right] : [bottom, top], count)
  const bands = bandsOf(points.length, isRanking ? [top, bottom] : [left, right], isRanking ? 0.2 : 0.1)
  const placeAt = placesOf(
    points.map(({ at }) => at),
    [left, right],
  )
  const middle = (index: number): number =>
    chart.kind === "line" ? placeAt(points[index]?.at ?? 0) : bands.start(index) + bands.width / 2
  return { along, amount, bands, beside, bottom, isRanking, key: key?.parts ?? [], left, middle, right, top }
}

const axisOf = (
  { across }: Chart,
  { along, amount, beside, bottom, isRanking, left, middle, right, top }: Frame,
  { height }: Size,
): Part => {
  const ticks = amount.ticks.flatMap(({ place, text }) => {
    const line = isRanking
      ? { x1: place, x2: place, y1: top, y2: bottom }
      : { x1: left, x2: right, y1: place, y2: place }
    const label = isRanking ? words(text, place, bottom + 14, "middle") : words(text, left - 6, place + 4, "end")
    return [part("line", texts(line)), label]
  })
  return part(
    "g",
    { class: "axis" },
    ...ticks,
    words(isRanking ? "rows" : across, (left + right) / 2, height - 4, "middle"),
    ...(isRanking ? beside.map((text, index) => words(text, left - 6, middle(index) + 4, "end")) : []),
    ...along.map(({ index, text }) => words(text, middle(index), bottom + 14, "middle")),
  )
}

/** A line through the values, with a dot for each where there is room, and for one that stands alone. */
const courseIn =
  ({ amount, middle }: Frame) =>
  ({ values }: Series, index: number): ReadonlyArray<Part> => {
    const places = values.map((value, at) =>
      value === undefined ? undefined : ([middle(at), amount.place(value)] as const),
    )
    const dots = places.flatMap((place, at) => {
      const isAlone = places[at - 1] === undefined && places[at + 1] === undefined
      if (place === undefined || (!isAlone && places.length > mostDots)) return []
      return [part("circle", { ...texts({ cx: place[0], cy: place[1], r: 2.5 }), ...lookOf(index) })]
    })
    return [part("path", { d: pathOf(places), ...lookOf(index) }), ...dots]
  }

const mostDots = 60

const barIn =
  ({ amount, bands, isRanking }: Frame) =>
  (point: Point, index: number): Part => {
    const { text, value = 0 } = point
    const start = bands.start(index)
    const [zero, end] = [amount.place(0), amount.place(value)]
    const [least, long] = [Math.min(zero, end), Math.abs(end - zero)]
    const box = isRanking
      ? { x: least, y: start, width: long, height: bands.width }
      : { x: start, y: least, width: bands.width, height: long }
    const title = part("title", {}, `${subjectOf(point)}: ${text ?? ""}`)
    return part("rect", { ...texts(box), class: "bar" }, title)
  }

/** The index of the place nearest to the one that is wanted. */
const nearestTo = (wanted: number, places: ReadonlyArray<number>): number =>
  places.reduce(
    (best, place, index) => (Math.abs(place - wanted) < Math.abs((places[best] ?? 0) - wanted) ? index : best),
    0,
  )

/** The places of numbers from the smallest to the largest, from left to right; one in the middle is halfway between them. */
const placesOf = (ats: ReadonlyArray<number>, [left, right]: readonly [number, number]): ((at: number) => number) => {
  const first = ats.reduce((low, at) => Math.min(low, at), ats[0] ?? 0)
  const scale = amountSpan(ats.map((at) => at - first))
  return (at) => left + scale(at - first) * (right - left)
}

/** The share of the largest. */
const amountSpan = (spans: ReadonlyArray<number>): ((span: number) => number) => {
  const most = spans.reduce((high, span) => Math.max(high, span), 0)
  return (span) => (most === 0 ? 0.5 : span / most)
}

/** What is written below a point. */
const acrossText = ({ across, points }: Chart, index: number): string =>
  axisNumber(across === "row" ? index + 1 : (points[index]?.at ?? 0))

/** What is written beside a bar. */
const subjectName = ({ label, name }: Point): string =>
  name === undefined ? `${label.slice(0, 10)}…${label.slice(-6)}` : cut(name, longestName)

/** Characters of the longest text. */
const longest = (all: ReadonlyArray<string>): number => all.reduce((most, { length }) => Math.max(most, length), 0)

const longestName = 24

/** A few places along an axis, both ends included. */
const ends = (count: number): ReadonlyArray<number> => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (count - 1)))),
]
