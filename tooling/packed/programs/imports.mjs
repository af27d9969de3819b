/** Imports every entry that it is given, and prints those that export nothing. */
const empty = []
for (const entry of process.argv.slice(2)) {
  const exported = await import(entry)
  if (Object.keys(exported).length === 0) empty.push(entry)
}
process.stdout.write(`${JSON.stringify(empty)}\n`)
