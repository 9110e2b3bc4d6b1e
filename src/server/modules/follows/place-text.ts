import { pointOf } from '../../../contract/metres-between.ts'
import { text } from '../../kernel/text/text.ts'
import { distanceText } from '../customers/nearby.ts'

/** A check-in as text: its place, and the distance from the customer. */
export function placeText(location: unknown): string {
  if (typeof location !== 'object' || location === null) return ''
  const { address, distance } = location as { readonly address?: unknown; readonly distance?: unknown }
  const isLocated = pointOf(location) !== null
  const place = typeof address === 'string' ? address : text('follow.located')
  const distanceNote = typeof distance === 'number' ? text('follow.far', { far: distanceText(distance) }) : ''
  return [isLocated ? place : text('follow.by-hand', { address: place }), distanceNote]
    .filter(Boolean)
    .join(' · ')
}
