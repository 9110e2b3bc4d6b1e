import { regionPath } from '../../kernel/regions/regions.ts'
import { normaliseName } from '../../kernel/words/normalise-name.ts'
import { creditCodeCheckDigit } from '../../modules/customers/credit-code.ts'
import type { Chance } from './random.ts'
import WORDS from './words.json'

const list = (words: string) => words.split(' ')
const FIRST = list(WORDS.brandFirst)
const SECOND = list(WORDS.brandSecond)
const SURNAMES = list(WORDS.surnames)
const GIVEN = list(WORDS.givenFirst)
const FORMS = WORDS.forms as [string, number][]

/** A plausible company. */
export interface Company {
  readonly name: string
  readonly shortName: string
  readonly industry: string
  readonly region: readonly string[]
  readonly address: string
  /** Longitude and latitude; null if unknown. */
  readonly place: readonly [number, number] | null
  readonly creditCode: string
}

/** Creates companies whose normalised names differ. */
export function createCompanies(chance: Chance): () => Company {
  const used = new Set<string>()
  const make = (): Company => {
    const [province = '', city = '', district = '', street = '', centre = ''] = chance.pick(WORDS.places)
    const [trade = '', industry = ''] = chance.pick(WORDS.trades)
    const brand = chance.pick(FIRST) + chance.pick(SECOND) + chance.pick(WORDS.brandThird)
    const place = chance.weighted([
      [city, 5],
      [city.replace('市', ''), 4],
      [province + city, 1],
    ])
    const name = `${place}${brand}${trade}${chance.weighted(FORMS)}`
    const number = chance.int(1, 399)
    return {
      name,
      shortName: brand,
      industry,
      region: regionPath(district),
      address: `${city}${street}${number}号`,
      place: number % 3 === 0 ? null : placeOf(centre, number),
      creditCode: creditCode(chance, district),
    }
  }
  return () => {
    for (;;) {
      const company = make()
      const norm = normaliseName(company.name)
      if (used.has(norm)) continue
      used.add(norm)
      return company
    }
  }
}

/** A place within three kilometres of a centre, derived from the house number. */
function placeOf(centre: string, number: number): readonly [number, number] {
  const [lng = 0, lat = 0] = centre.split(',').map(Number)
  const moved = (from: number, by: number) =>
    Math.round((from + ((number * by) % 50) / 1000 - 0.025) * 1e6) / 1e6
  return [moved(lng, 7), moved(lat, 13)]
}

function creditCode(chance: Chance, district: string): string {
  const organisation = Array.from({ length: 9 }, () =>
    chance.pick(Array.from('0123456789ABCDEFGHJKLMNPQRTUWXY')),
  ).join('')
  const first17 = `91${district}${organisation}`
  return first17 + creditCodeCheckDigit(first17)
}

/** A person's name, sometimes with a rare surname. */
export function personName(chance: Chance): string {
  return chance.pick(SURNAMES) + chance.pick(GIVEN) + chance.pick(WORDS.givenSecond)
}

/** Creates unique mobile numbers with the middle block 0000 (DOMAIN 6.2). */
export function createMobiles(chance: Chance): () => string {
  const used = new Set<string>()
  return () => {
    for (;;) {
      const mobile = `1${chance.pick(['30', '35', '36', '50', '58', '77', '82', '86', '88', '91'])}0000${String(chance.int(0, 9999)).padStart(4, '0')}`
      if (used.has(mobile)) continue
      used.add(mobile)
      return mobile
    }
  }
}

/** The text of a follow-up. @param method  how it was made; null: the text does not say */
export function followText(
  chance: Chance,
  person: string,
  method: keyof typeof WORDS.openings | null,
): string {
  const openings = method === null ? WORDS.neutral : [...WORDS.openings[method], ...WORDS.neutral]
  const fill = (text: string) =>
    text
      .replace('{person}', person)
      .replace('{product}', chance.pick(WORDS.products))
      .replace('{amount}', String(chance.int(2, 60)))
  return fill(chance.pick(openings)) + fill(chance.pick(WORDS.middles)) + chance.pick(WORDS.endings)
}
