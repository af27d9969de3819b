/** A drawing as a file, in the colours that it has on the screen. */
import { svgElement } from "./drawn.ts"

export interface SavedPicture {
  readonly name: string
  readonly format: "svg" | "png"
  /** The text of an SVG, or a PNG in base64. */
  readonly content: string
}

/** Properties that a drawing gets from a style sheet; a file needs them itself. */
const copied = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "opacity"] as const

/** Pixels of a PNG for each unit of the drawing. */
const sharpness = 2

export const savePicture = async (
  svg: SVGSVGElement,
  name: string,
  format: SavedPicture["format"],
): Promise<SavedPicture> => {
  const text = new XMLSerializer().serializeToString(withOwnLook(svg))
  return { name, format, content: format === "svg" ? text : await pngOf(text, svg.viewBox.baseVal) }
}

const withOwnLook = (svg: SVGSVGElement): Node => {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return copy
  const originals = [svg, ...svg.querySelectorAll("*")]
  const copies = [copy, ...copy.querySelectorAll("*")]
  originals.forEach((original, index) => {
    const look = getComputedStyle(original)
    for (const property of copied) copies[index]?.setAttribute(property, look.getPropertyValue(property))
  })
  const { height, width } = svg.viewBox.baseVal
  copy.setAttribute("width", String(width))
  copy.setAttribute("height", String(height))
  // The page itself is transparent, and words in a light colour would be lost on white paper.
  const ground = svgElement("rect", { width: "100%", height: "100%", fill: groundOf(svg) })
  copy.prepend(ground)
  return copy
}

/** The colour behind the page. */
const groundOf = (svg: SVGSVGElement): string => {
  const probe = svgElement("g", {})
  probe.style.fill = "var(--vscode-editor-background, Canvas)"
  svg.append(probe)
  const { fill } = getComputedStyle(probe)
  probe.remove()
  return fill
}

const pngOf = async (text: string, { height, width }: DOMRect): Promise<string> => {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement("canvas")
  canvas.width = width * sharpness
  canvas.height = height * sharpness
  const context = canvas.getContext("2d")
  if (context === null) throw new Error("This page cannot draw a picture.")
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL("image/png").replace(/^data:image\/png;base64,/, "")
}
