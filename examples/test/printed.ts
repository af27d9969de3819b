/**
 * What a program prints that is imported into this process. All of them share the modules and the sample data, which a process of
 * its own takes seconds to make; `scanToFile.test.ts` starts processes.
 */
import { format } from "node:util"
import { vi } from "vitest"

export const printedBy = async (file: string): Promise<string> => {
  let printed = ""
  const add = (...values: ReadonlyArray<unknown>) => void (printed += `${format(...values)}\n`)
  const spies = [vi.spyOn(console, "log").mockImplementation(add), vi.spyOn(console, "error").mockImplementation(add)]
  try {
    await import(file)
    return printed
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}
