/** Where a row stands, px. */
interface Place {
  readonly top: number
  readonly height: number
}

/** An entry in hand: its place, the place it is over, and by how much it was moved. */
export interface Held {
  readonly from: number
  readonly to: number
  readonly by: number
  /** Of all rows, when it was picked up. */
  readonly places: readonly Place[]
}

const middle = ({ top, height }: Place): number => top + height / 2

/** The place whose middle is nearest to that of the dragged entry, which was moved by `by`. */
export function placeUnder({ from, places }: Held, by: number): number {
  const own = places[from]
  if (own === undefined) return from
  const distances = places.map((place) => Math.abs(middle(place) - middle(own) - by))
  return distances.indexOf(Math.min(...distances))
}

/** How far the entry in hand is from its place when it stands at another. */
export function wayTo({ from, places }: Held, to: number): number {
  const [own, other] = [places[from], places[to]]
  if (own === undefined || other === undefined) return 0
  return other.top - own.top + (to > from ? other.height - own.height : 0)
}

/** How far the row at a place is moved: the entry in hand with the hand, those between its place and the other to make room. */
export function shiftOf({ from, to, by, places }: Held, at: number): number {
  const room = places[from]?.height ?? 0
  if (at === from) return by
  if (at > from && at <= to) return -room
  return at < from && at >= to ? room : 0
}
