import { patience } from "@dotrpc/vscode-host/in-host"

/** Asks again and again until there is an answer. */
export const until = async <Value>(
  what: string,
  read: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> => {
  for (const start = Date.now(); Date.now() - start < patience;) {
    const value = await read()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`Timed out waiting for ${what}.`)
}
