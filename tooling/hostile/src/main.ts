/** `pnpm --filter @dotrpc/hostile figures`: prints what the latest run of the collection measured, as the table of docs/reliability.md. */
import { type Figure, readFigures } from "./Figures.ts"

const most = (figures: ReadonlyArray<Figure>, of: (figure: Figure) => number): Figure =>
  figures.reduce((worst, figure) => (of(figure) > of(worst) ? figure : worst))

const groups = Map.groupBy(readFigures(), ({ group }) => group)
const rows = [...groups].map(([group, figures]) => {
  const longest = most(figures, ({ seconds }) => seconds)
  const largest = most(figures, ({ megabytes }) => megabytes)
  const runs = figures.length
  const seconds = longest.seconds < 10 ? longest.seconds.toFixed(1) : longest.seconds.toFixed(0)
  return `| ${group} | ${runs} | ${seconds} s (\`${longest.name}\`) | ${Math.ceil(largest.megabytes / 10) * 10} MB (\`${largest.name}\`) |`
})
process.stdout.write(["| what | runs | longest | most memory |", "|---|---:|---|---|", ...rows, ""].join("\n"))
