/** The texts that the watchdog watches the extension host with, by their names. */
import { textBombs } from "@dotrpc/bombs"

const small = (sections: number): string =>
  Array.from({ length: sections }, (_, index) => `### s${index}\neth_getLogs [{}]\n?? ${index}\n`).join("")

export const texts: Readonly<Record<string, () => string>> = {
  "a text of 1 MB": () => small(30_000),
  "a text of 5 MB": () => small(150_000),
  "as many sections as are analysed": () => small(10_000),
  ...Object.fromEntries(textBombs.map(({ name, text }) => [name, text])),
}
