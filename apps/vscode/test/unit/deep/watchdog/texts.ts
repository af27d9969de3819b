/** What the watchdog watches the extension host with, by names: files by theirs, of which `main.rpc` is opened. */
import { importBombs, textBombs } from "@dotrpc/bombs"

export type Files = Readonly<Record<string, string>>

const alone = (text: string): Files => ({ "main.rpc": text })

const small = (sections: number): string =>
  Array.from({ length: sections }, (_, index) => `### s${index}\neth_getLogs [{}]\n?? ${index}\n`).join("")

export const texts: Readonly<Record<string, () => Files>> = {
  "a text of 1 MB": () => alone(small(30_000)),
  "a text of 5 MB": () => alone(small(150_000)),
  "as many sections as are analysed": () => alone(small(10_000)),
  ...Object.fromEntries(textBombs.map(({ name, text }) => [name, () => alone(text())])),
  ...Object.fromEntries(importBombs.map(({ files, name }) => [name, files])),
}
