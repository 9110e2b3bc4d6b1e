import type { KindName } from './description.ts'
import { isSearchable } from './indexed-fields.ts'
import type { Kind } from './kind.ts'
import { KIND_NAMES, kindOf } from './kinds/index.ts'

/** What a field may be used for beside being filled in, as far as its kind can. */
export const OFFERS = ['search', 'filter', 'sort', 'card', 'patch'] as const
type Offer = (typeof OFFERS)[number]

const CAN: Readonly<Record<Offer, (kind: Kind) => boolean>> = {
  search: (kind) => isSearchable({ kind: kind.name }),
  filter: ({ index, face }) => index !== null && face !== null,
  sort: ({ sorts }) => sorts === true,
  card: () => true,
  patch: ({ derived, parts, stored }) => derived !== true && parts === undefined && stored !== 'json',
}

/** True where a field of the kind may say that it is used so. */
export const canOffer = (kind: KindName, offer: Offer): boolean => CAN[offer](kindOf(kind))

/** The kinds whose fields may say it, for each use. */
export const offeringKinds = (): Readonly<Record<Offer, readonly KindName[]>> => {
  const of = (offer: Offer) => KIND_NAMES.filter((kind) => canOffer(kind, offer))
  return {
    search: of('search'),
    filter: of('filter'),
    sort: of('sort'),
    card: of('card'),
    patch: of('patch'),
  }
}
