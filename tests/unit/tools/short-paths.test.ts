import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import svgPath from 'svgpath'
import { expect, it } from 'vitest'
import { shortPaths } from '../../../src/tools/short-paths.ts'

const FOLDER = dirname(createRequire(import.meta.url).resolve('antd-mobile-icons/es/AddOutline'))

function short(code: string): string {
  const { transform } = shortPaths()
  if (typeof transform !== 'object') throw new Error('the plugin says which files it changes')
  return (transform.handler as (code: string) => { readonly code: string })(code).code
}

const pathsIn = (code: string) => [...code.matchAll(/\bd: "([^"]+)"/g)].map(([, path = '']) => path)
/** Commands and absolute coordinates, with lines and curves written out. */
const placesOf = (path: string) => {
  const places: (string | number)[][] = []
  svgPath(path)
    .abs()
    .iterate(([command, ...numbers], _, x, y) => {
      const [kind, at] =
        command === 'H'
          ? ['L', [numbers[0], y]]
          : command === 'V'
            ? ['L', [x, numbers[0]]]
            : [command, numbers]
      places.push([kind, ...(at as number[])])
    })
  return places
}

it('icons are drawn with less than half of the characters, no coordinate 0.02 units or more away from its own', async () => {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.js') && name !== 'index.js')
  let [before, after, furthest] = [0, 0, 0]
  for (const name of names) {
    const code = await readFile(`${FOLDER}/${name}`, 'utf8')
    const [old, now] = [pathsIn(code), pathsIn(short(code))]
    expect(now.length, name).toBe(old.length)
    for (const [index, path] of old.entries()) {
      const [wanted, got] = [placesOf(path), placesOf(now[index] ?? '')]
      expect(got.map(([kind]) => kind).join(''), name).toBe(wanted.map(([kind]) => kind).join(''))
      for (const [step, place] of wanted.entries())
        for (const [part, value] of place.entries())
          if (typeof value === 'number')
            furthest = Math.max(furthest, Math.abs(value - Number(got[step]?.[part])))
      before += path.length
      after += now[index]?.length ?? 0
    }
  }

  expect(names.length).toBeGreaterThan(80)
  expect(furthest).toBeLessThan(0.02)
  expect(after).toBeLessThan(before / 2)
})

it('nothing but paths changes', () => {
  const rest =
    'h("rect", { id: "1.2345678", x: 1.2345678 }), h("path", { d: "M1.2345678,2L3,4 Z", id: "M1.2345678,2" })'

  expect(short(rest)).toBe(rest.replace('d: "M1.2345678,2L3,4 Z"', 'd: "M1.23 2l1.77 2z"'))
})
