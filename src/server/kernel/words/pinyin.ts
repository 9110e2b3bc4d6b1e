import { pinyin } from 'pinyin-pro'

interface Reading {
  /** Syllables without tones, joined: `huaxin`. Latin letters and digits are kept. */
  py: string
  /** First letters: `hx`. */
  py_initial: string
}

/**
 * The pinyin of a name.
 *
 * @param name any text; characters without a reading are kept
 * @param kind `person` reads the first character as a surname: 单 → shan, 曾 → zeng (DOMAIN 1.3)
 */
export function readingOf(name: string, kind: 'company' | 'person'): Reading {
  const syllables = pinyin(name, {
    toneType: 'none',
    type: 'array',
    nonZh: 'consecutive',
    v: true,
    surname: kind === 'person' ? 'head' : 'off',
  }).map((syllable) => syllable.toLowerCase().replace(/\s/g, ''))
  return {
    py: syllables.join('').slice(0, 400),
    py_initial: syllables
      .map((syllable) => (/^[a-z]/.test(syllable) ? syllable.slice(0, 1) : syllable))
      .join('')
      .slice(0, 200),
  }
}
