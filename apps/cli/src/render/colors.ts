/** Colours where they help: on a terminal that has them, and not when NO_COLOR is set. */
import type { Host } from "../Host.ts"
import { styled } from "./border.ts"

type Style = "bold" | "dim" | "green" | "red" | "underline" | "yellow"

export type Colors = Readonly<Record<Style, (text: string) => string>>

export const colorsFor = (stream: { readonly isTTY: boolean }, env: Host["Service"]["env"]): Colors => {
  const { NO_COLOR, FORCE_COLOR } = env
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0" ? true : stream.isTTY && !isDumb(env)
  return wanted && (NO_COLOR === undefined || NO_COLOR === "") ? colored : plain
}

/** A terminal that only shows lines one below the other, as the shells of some editors do. */
export const isDumb = ({ TERM }: Host["Service"]["env"]): boolean => TERM === "dumb"

const style = (open: number, close: number) => (text: string) => styled(open, close, text)

const colored: Colors = {
  bold: style(1, 22),
  dim: style(2, 22),
  green: style(32, 39),
  red: style(31, 39),
  underline: style(4, 24),
  yellow: style(33, 39),
}

const asItIs = (text: string) => text

export const plain: Colors = {
  bold: asItIs,
  dim: asItIs,
  green: asItIs,
  red: asItIs,
  underline: asItIs,
  yellow: asItIs,
}
