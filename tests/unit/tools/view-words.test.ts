import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import texts from '../../../schemas/text/zh-hans.json'
import { createAppViews } from '../../../src/app/app-views.ts'
import { SAID_BY_VIEWS, viewWords } from '../../../src/tools/view-words.ts'
import { importsOf } from '../../support/source-text.ts'

const ROOT = join(import.meta.dirname, '../../..')
const catalogue = join(ROOT, 'schemas/text/zh-hans.json')
const ofViews = join(ROOT, 'src/app/words/view-words.ts')
/** Their imports on demand are views, which come with their texts. */
const VIEWS = ['runtime/react/widgets/index.ts', 'src/app/app-views.ts']

/** Everything that can run before the texts of views are loaded: the start page, and what it loads on demand except views. */
function runsWithoutThem(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const visit = (file: string): void => {
    if (found.has(file) || !existsSync(join(ROOT, file))) return
    const code = readFileSync(join(ROOT, file), 'utf8')
    found.set(file, code)
    for (const { specifier, typeOnly, lazy } of importsOf(code))
      if (!typeOnly && /^\..*\.tsx?$/.test(specifier) && !(lazy && VIEWS.includes(file)))
        visit(join(file, '..', specifier))
  }
  visit('src/app/main.tsx')
  return found
}

it('what runs before a view was loaded says none of the texts that come with views', () => {
  const codes = Object.keys(texts).filter((code) => SAID_BY_VIEWS.test(code))
  expect(codes.length).toBeGreaterThan(100)
  const files = runsWithoutThem()
  expect(files.has('src/app/shell/conflict-dialog.tsx')).toBe(true)
  expect(files.has('runtime/react/widgets/list.tsx')).toBe(false)
  const said = [...files].flatMap(([file, code]) =>
    [...code.matchAll(/['"`]([a-zA-Z][\w-]*\.[\w.-]*)(?:['"`]|\$\{)/g)].flatMap(([, part = '']) =>
      codes.some((code) => code === part || (part.endsWith('.') && code.startsWith(part)))
        ? [`${file}: ${part}`]
        : [],
    ),
  )

  expect(said).toEqual([])
})

it('a build has each text once: with the start page, or with the views', () => {
  const load = viewWords({ catalogue, ofViews }).load as (id: string) => string | null
  const read = (id: string) => JSON.parse(load(id)?.replace(/^export default /, '') ?? '{}') as object
  expect({ ...read(catalogue), ...read(ofViews) }).toEqual(texts)
  expect(Object.keys(read(catalogue)).filter((code) => code in read(ofViews))).toEqual([])
  expect(load('/other.json')).toBe(null)
})

it('a view that is loaded on demand has its texts when it is drawn', async () => {
  onTestFinished(() => void vi.doUnmock('../../../src/app/words/view-words.ts'))
  vi.doMock('../../../src/app/words/view-words.ts', () => ({ default: { 'progress.label': words } }))
  const whole: Record<string, string> = texts
  const words = whole['progress.label']
  whole['progress.label'] = '' // as in a build, where it is missing
  const { views } = createAppViews()
  await views.prepare(['progress'])

  expect(views.get('progress')).toBeTypeOf('function')
  expect(whole['progress.label']).toBe(words)
})
