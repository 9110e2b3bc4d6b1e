import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { quotedAndRest } from '../support/source-text.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CHINESE = /[\u4e00-\u9fff]/
/** Chinese that is data: names of the Chinese calendar, words that searches recognise, words on business cards, demo data and the data of new tenants. */
const DATA = [
  'runtime/core/dates/lunar.ts',
  'src/app/card/',
  'src/server/http/seed/',
  'src/server/kernel/auth/roles.ts',
  'src/server/flows/sign-in/device-name.ts',
  'src/server/kernel/words/',
  'src/server/kernel/records/find-duplicates.ts',
]
/** Attributes of views that a person reads or hears. */
const SPOKEN = /\b(?:aria-label|title|placeholder|alt|label)="[^"]*[A-Za-z]{2}[^"]*"/g
/** Words between tags. */
const BETWEEN_TAGS = /<[a-z][^<>]*>\s*([A-Za-z]{2}[^<>{}]*)<\//g

const files = ['runtime', 'src/app', 'src/workbench', 'src/server', 'src/contract'].flatMap((room) =>
  readdirSync(`${ROOT}/${room}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path: `${room}/${path}`, code: readFileSync(`${ROOT}/${room}/${path}`, 'utf8') })),
)

/** Words in a source file that a user would see untranslated. */
function literalsIn(path: string, code: string): string[] {
  const { quoted, rest } = quotedAndRest(code)
  const chinese = [...quoted, ...rest.split('\n')].filter((text) => CHINESE.test(text))
  if (!path.endsWith('.tsx')) return chinese
  return [...chinese, ...[...code.matchAll(SPOKEN), ...code.matchAll(BETWEEN_TAGS)].map(([found]) => found)]
}

describe('texts for users', () => {
  it('are in the text catalogue or in pages, never in code', () => {
    const found = files
      .filter(({ path }) => !DATA.some((one) => path.startsWith(one)))
      .flatMap(({ path, code }) => literalsIn(path, code).map((text) => `${path}: ${text.trim()}`))

    expect(found).toEqual([])
  })

  it.each([
    ['a Chinese text', "const a = text('x') + '保存'"],
    ['Chinese between tags', 'const a = <b>保存</b>'],
    ['words between tags', 'const a = <b className="x">Save it</b>'],
    ['a spoken label', 'const a = <b aria-label="Save it" />'],
  ])('are found in code: %s', (_, code) => {
    expect(literalsIn('view.tsx', code)).not.toEqual([])
  })

  it('are not searched in comments and patterns', () => {
    expect(literalsIn('view.tsx', '/** 保存 */\nconst a = /[保存]/ // 保存')).toEqual([])
  })
})
