import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import cloud from '../../schemas/text/zh-hans.cloud.json'
import shared from '../../schemas/text/zh-hans.json'
import own from '../../schemas/text/zh-hans.server.json'

const texts = { ...shared, ...cloud, ...own }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['runtime', 'src'].flatMap((room) =>
  readdirSync(`${ROOT}/${room}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(`${ROOT}/${room}/${path}`, 'utf8')),
)
const literals = new Set(
  sources.flatMap((code) => [...code.matchAll(/['"`]([a-zA-Z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map((m) => m[1])),
)
/** `pool.${kind}`: any code below `pool.` may be meant. */
const prefixes = sources.flatMap((code) =>
  [...code.matchAll(/`([a-zA-Z][\w.-]*\.)\$\{/g)].map((m) => m[1] ?? ''),
)
const asked = new Set(
  sources.flatMap((code) =>
    [...code.matchAll(/\b(?:text|t|say)\(\s*'([\w.-]+\.[\w-]+)'/g)].map((m) => m[1] ?? ''),
  ),
)

it('every text that the code asks for is in the catalogue', () => {
  expect([...asked].filter((code) => !(code in texts))).toEqual([])
})

it('no text of the catalogue is left over', () => {
  const left = Object.keys(texts).filter(
    (code) => !literals.has(code) && !prefixes.some((prefix) => code.startsWith(prefix)),
  )

  expect(left).toEqual([])
})

it('no text is empty', () => {
  expect(Object.entries(texts).filter(([, words]) => words.trim() === '')).toEqual([])
})
