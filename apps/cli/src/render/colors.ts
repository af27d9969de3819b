/** Colours where they help: on a terminal, and not when NO_COLOR is set. */
import picocolors from "picocolors"

export type Colors = ReturnType<typeof picocolors.createColors>

export const colorsFor = (stream: { readonly isTTY?: boolean }): Colors => {
  const { NO_COLOR, FORCE_COLOR } = process.env
  const wanted = FORCE_COLOR !== undefined && FORCE_COLOR !== "0" ? true : stream.isTTY === true
  return picocolors.createColors(wanted && (NO_COLOR === undefined || NO_COLOR === ""))
}
