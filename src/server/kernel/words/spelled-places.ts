import { readingOf } from './pinyin.ts'
import { CITIES, PROVINCES } from './place-names.ts'

/** A reading of a keyword that begins with places: their names as a part of the record's name, and the pinyin of what follows them. */
export interface SpelledPlaces {
  readonly places: readonly string[]
  /** Empty: nothing follows. */
  readonly rest: string
}

/** 南京市: `nanjingshi`, and 南京: `nanjing`. */
interface Spelling {
  readonly name: string
  readonly py: string
  readonly short: string
  readonly shortPy: string
}

let known: readonly Spelling[] | null = null

/** Computed at the first use: most keywords have no letters. */
function spellings(): readonly Spelling[] {
  known ??= [...PROVINCES, ...CITIES].map((name) => {
    const short = name.slice(0, -1)
    return { name, short, py: readingOf(name, 'company').py, shortPy: readingOf(short, 'company').py }
  })
  return known
}

/**
 * The pinyin of a company's name leaves out the province and city before it ({@link normaliseName}), by which many people begin: `nanjingshilanyu` is
 * 南京市 and then `lanyu`, `nanjing` is 南京 alone.
 *
 * @param letters  the keyword in lower case
 * @returns none for a keyword that begins with no place
 */
export function spelledPlaces(letters: string): readonly SpelledPlaces[] {
  return spellings().flatMap(({ name, py, short, shortPy }) => {
    if (!letters.startsWith(shortPy)) return []
    // Also while the last syllable is still being typed.
    if (py.startsWith(letters)) return [{ places: [short], rest: '' }]
    const [place, rest] = letters.startsWith(py)
      ? [name, letters.slice(py.length)]
      : [short, letters.slice(shortPy.length)]
    const further = spelledPlaces(rest).map((one) => ({ places: [place, ...one.places], rest: one.rest }))
    return [{ places: [place], rest }, ...further]
  })
}
