const EARTH_METRES = 6_371_000

/** A place in degrees of WGS-84. */
export interface Point {
  readonly lng: number
  readonly lat: number
}

/** Along the surface of the earth. */
export function metresBetween(a: Point, b: Point): number {
  const half = (from: number, to: number) => Math.sin(radians(from - to) / 2) ** 2
  const part = half(a.lat, b.lat) + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * half(a.lng, b.lng)
  return Math.round(2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(part))))
}

/** The point that a record or a check-in names; null where it names none. */
export function pointOf(value: unknown): Point | null {
  if (typeof value !== 'object' || value === null) return null
  const { lng, lat } = value as Readonly<Record<string, unknown>>
  return typeof lng === 'number' && typeof lat === 'number' ? { lng, lat } : null
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180
