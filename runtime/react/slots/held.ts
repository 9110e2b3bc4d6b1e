/** Position of a row in px. */
interface Place {
  readonly top: number
  readonly height: number
}

/** A dragged entry: its index, the index it is over, and the distance it was moved. */
export interface Held {
  readonly from: number
  readonly to: number
  readonly by: number
  /** Positions of all rows when it was picked up. */
  readonly places: readonly Place[]
}

const middle = ({ top, height }: Place): number => top + height / 2

/** The index of the row whose middle is nearest to that of the dragged entry after moving it by `by`. */
export function placeUnder({ from, places }: Held, by: number): number {
  const start = places[from]
  if (start === undefined) return from
  const distances = places.map((place) => Math.abs(middle(place) - middle(start) - by))
  return distances.indexOf(Math.min(...distances))
}

/** Distance between the entry's position and another index. */
export function wayTo({ from, places }: Held, to: number): number {
  const [start, other] = [places[from], places[to]]
  if (start === undefined || other === undefined) return 0
  return other.top - start.top + (to > from ? other.height - start.height : 0)
}

/** Offset of the row at an index: the dragged entry follows the pointer, those between its old and new index make room. */
export function shiftOf({ from, to, by, places }: Held, at: number): number {
  const room = places[from]?.height ?? 0
  if (at === from) return by
  if (at > from && at <= to) return -room
  return at < from && at >= to ? room : 0
}
