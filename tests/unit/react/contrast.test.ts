import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Colour, contrast, contrastNeeded } from '../../../src/workbench/canvas/contrast.ts'

const read = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../runtime/react/styles/${name}.css`), 'utf8')
/** The required contrast of small text. */
const MIN_CONTRAST = contrastNeeded(14, 400)

const GROUNDS = ['card', 'page', 'fill', 'raised']
/** Text colours and their backgrounds. */
const PAIRS: readonly (readonly [letters: string, grounds: readonly string[]])[] = [
  ['text', [...GROUNDS, 'brand-soft']],
  ['text-2', GROUNDS],
  ['text-3', ['card', 'page', 'fill']],
  ['brand', ['card', 'page', 'brand-soft']],
  ['green', ['card']],
  ['orange', ['card', 'orange-soft']],
  ['red', ['card']],
  ['violet', ['card']],
  ['teal', ['card']],
  ['brand-text', ['brand-soft']],
  ['brand-press', ['brand-soft']],
  ['green-text', ['green-soft']],
  ['orange-text', ['orange-soft']],
  ['red-text', ['red-soft']],
  ['on-tone', ['brand', 'green', 'orange', 'red']],
]

const light = tokensOf(read('theme'))
const dark = tokensOf(read('dark'))
const LOOKS = {
  light,
  dark: new Map([...light, ...dark]),
}

describe.each(Object.entries(LOOKS))('in the %s look', (_, tokens) => {
  it('text contrasts enough with its background', () => {
    const weak = PAIRS.flatMap(([letters, grounds]) =>
      grounds.flatMap((ground) => {
        const apart = contrast(colourOf(tokens, letters), colourOf(tokens, ground))
        return apart >= MIN_CONTRAST ? [] : [`${letters} on ${ground}: ${apart.toFixed(2)}`]
      }),
    )

    expect(weak).toEqual([])
  })
})

it('the dark look defines its own value for every colour of the light look', () => {
  const colours = [...light].filter(([, value]) => value.startsWith('#')).map(([name]) => name)

  expect(colours.filter((name) => !dark.has(name))).toEqual([])
})

/** Custom properties of the first rule. */
function tokensOf(css: string): ReadonlyMap<string, string> {
  const body = css.slice(css.indexOf(':root'), css.indexOf('}', css.indexOf(':root')))
  return new Map(
    [...body.matchAll(/--vf-([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

function colourOf(tokens: ReadonlyMap<string, string>, name: string): Colour {
  const value = /^#([0-9a-f]{6})$/i.exec(tokens.get(name) ?? '')?.[1]
  if (value === undefined) throw new Error(`--vf-${name} is no colour`)
  const part = (from: number): number => Number.parseInt(value.slice(from, from + 2), 16)
  return [part(0), part(2), part(4), 1]
}
