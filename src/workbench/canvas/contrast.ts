/** Red, green and blue of 0 to 255, and the opacity, 0 to 1. */
export type Colour = readonly [red: number, green: number, blue: number, cover: number]

/** A colour as computed by browsers, `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`; null for any other, which is not checked. */
export function readColour(text: string): Colour | null {
  const [, red, green, blue, cover = '1'] =
    /^rgba?\((\d+(?:\.\d+)?), (\d+(?:\.\d+)?), (\d+(?:\.\d+)?)(?:, ([\d.]+))?\)$/.exec(text) ?? []
  return red === undefined ? null : [Number(red), Number(green), Number(blue), Number(cover)]
}

/** A colour blended with the one behind it. */
export function above([red, green, blue, cover]: Colour, [r, g, b]: Colour): Colour {
  const mix = (one: number, other: number): number => one * cover + other * (1 - cover)
  return [mix(red, r), mix(green, g), mix(blue, b), 1]
}

/** The contrast ratio of two colours, 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [lightness(one), lightness(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function lightness([red, green, blue]: Colour): number {
  const part = (value: number): number =>
    value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue)
}

/** The contrast that text needs to be readable: less if it is large. */
export const contrastNeeded = (sizePx: number, weight: number): number =>
  sizePx >= 24 || (sizePx >= 18.66 && weight >= 700) ? 3 : 4.5
