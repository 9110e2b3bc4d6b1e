import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import cloud from '../../schemas/text/zh-hans.cloud.json'
import shared from '../../schemas/text/zh-hans.json'
import own from '../../schemas/text/zh-hans.server.json'
import workbench from '../../schemas/text/zh-hans.workbench.json'

const texts = { ...shared, ...cloud, ...own, ...workbench }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['runtime', 'src'].flatMap((room) =>
  readdirSync(`${ROOT}/${room}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(`${ROOT}/${room}/${path}`, 'utf8')),
)
const literals = new Set(
  sources.flatMap((code) => [...code.matchAll(/['"`]([a-zA-Z][\w-]*(?:\.[\w-]+)+)['"`]/g)].map((m) => m[1])),
)
/** `pool.${kind}` as a text code: any code below `pool.` may be meant. */
const prefixes = sources.flatMap((code) =>
  [...code.matchAll(/\b(?:text|t|say|wordOr)\(\s*`([a-zA-Z][\w.-]*\.)\$\{/g)].map((m) => m[1] ?? ''),
)
/** Composed in one place of the server and used in another. */
const built = ['admin.field.', 'api.word.', 'api.type.', 'log.', 'message.', 'operator.job.', 'right.']
/** Every code in the arguments of a call, including `text(much ? 'a.b' : 'a.c')`. */
const asked = new Set(
  sources.flatMap((code) =>
    [...code.matchAll(/\b(?:text|t|say)\(([^()]*)/g)].flatMap(([, between = '']) =>
      [...between.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)].map((m) => m[1] ?? ''),
    ),
  ),
)

it('every text that the code uses is in the catalogue', () => {
  expect([...asked].filter((code) => !(code in texts))).toEqual([])
})

it('the catalogue has no unused text', () => {
  const left = Object.keys(texts).filter(
    (code) => !literals.has(code) && ![...prefixes, ...built].some((prefix) => code.startsWith(prefix)),
  )

  expect(left).toEqual([])
})

it.each(built)('codes below %s are composed somewhere in the code', (prefix) => {
  expect(sources.some((code) => code.includes(`\`${prefix}\${`))).toBe(true)
})

it('no text is empty', () => {
  expect(Object.entries(texts).filter(([, words]) => words.trim() === '')).toEqual([])
})
