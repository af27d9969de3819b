/** `node src/main.ts install`: prepares the host ahead of the tests, for a container image or a slow connection. */
import { installHost } from "./Install.ts"

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const [command, ...rest] = process.argv.slice(2)
if (command !== "install" || rest.length > 0) {
  process.stderr.write("usage: node src/main.ts install\n")
  process.exitCode = 2
} else {
  const installation = await installHost(print)
  print(`Ready: ${installation.folder}`)
}
