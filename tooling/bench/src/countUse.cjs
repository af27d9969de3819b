// Loaded into a process before its program: tells at its end, through descriptor 3, the microseconds of CPU of all its threads and
// the most memory that it took, in kilobytes.
process.on("exit", () => {
  const { maxRSS, systemCPUTime, userCPUTime } = process.resourceUsage()
  require("node:fs").writeSync(3, JSON.stringify({ micros: systemCPUTime + userCPUTime, peak: maxRSS }))
})
