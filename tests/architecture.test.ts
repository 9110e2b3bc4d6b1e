import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { HALVES } from '../src/tools/build.ts'
import { breachesOf } from './support/architecture.ts'
import { codeOnly, importsOf, quotedAndRest } from './support/source-text.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

it('the source obeys the architecture rules', () => {
  const sources = new Map([...read('runtime'), ...read('src')])

  expect(sources.size).toBeGreaterThan(100)
  expect(breachesOf(sources)).toEqual([])
})

it('the client’s shell names no entity and no page: screens are JSON', () => {
  const entity =
    /\b(?:customers?|contacts?|leads?_?pools?|bussiness|opportunit(?:y|ies)|contracts?|payments?|todos?|approvals?)\b|\/pages\//i
  // Words on business cards are not our names.
  const shell = [...read('src/app')].filter(([path]) => path !== 'src/app/card/words.ts')
  const known = shell.flatMap(([path, source]) => {
    const { quoted, rest } = quotedAndRest(source)
    const words = [...quoted.filter((text) => !/^['"]\.{1,2}\//.test(text)), rest]
    return words.flatMap((text) => entity.exec(text)?.[0] ?? []).map((word) => `${path}: ${word}`)
  })

  expect(known).toEqual([])
})

it('no table cell in the manuals is longer than 200 characters: longer text is below the table', () => {
  const manuals = ['.', 'runtime', 'schemas', 'src'].flatMap(manualsIn)
  const long = manuals.flatMap(([path, source]) =>
    longCells(source).map((cell) => `${path}: ${cell.slice(0, 60)}… (${cell.length})`),
  )

  expect(manuals.length).toBeGreaterThan(15)
  expect(long).toEqual([])
})

it.each([
  ['app', 'src/app'],
  ['server', 'src/server'],
] as const)('a change in any input of the %s triggers its build', (half, folder) => {
  const inputs: readonly string[] = HALVES[half].inputs
  const isInput = (path: string) => inputs.some((input) => path === input || path.startsWith(`${input}/`))
  const seen = new Set<string>()
  const visit = (path: string) => {
    if (seen.has(path)) return
    seen.add(path)
    if (!/\.tsx?$/.test(path)) return
    for (const { specifier } of importsOf(readFileSync(join(ROOT, path), 'utf8'))) {
      if (specifier.startsWith('.')) visit(join(dirname(path), specifier.replace(/\?.*$/, '')))
    }
  }
  for (const [path] of read(folder)) visit(path)

  expect([...seen].filter((path) => !isInput(path))).toEqual([])
})

describe('the architecture checker', () => {
  it.each<[string, Record<string, string>, string]>([
    [
      'core that imports a view',
      { 'runtime/core/a.ts': "import { b } from '../react/b.ts'", 'runtime/react/b.ts': '' },
      'runtime/core imports runtime/react',
    ],
    [
      'a view that imports the sandbox',
      { 'runtime/react/a.ts': "import('../sandbox/b.ts')", 'runtime/sandbox/b.ts': '' },
      'runtime/react imports runtime/sandbox',
    ],
    [
      'net that imports a view',
      { 'runtime/net/a.ts': "import type { B } from '../react/b.ts'", 'runtime/react/b.ts': '' },
      'runtime/net imports runtime/react',
    ],
    [
      'runtime that imports the product',
      { 'runtime/net/a.ts': "export { b } from '../../src/app/b.ts'", 'src/app/b.ts': '' },
      'runtime/net imports src/app',
    ],
    [
      'runtime that imports a schema',
      { 'runtime/core/a.ts': "import x from '../../schemas/app.json'" },
      'runtime imports schemas/app.json',
    ],
    [
      'the client that imports the server',
      { 'src/app/a.ts': "import '../server/http/b.ts'", 'src/server/http/b.ts': '' },
      'src/app imports src/server',
    ],
    [
      'a layer of the server that uses a later one, also for a type',
      {
        'src/server/kernel/lists/a.ts': "import type { B } from '../../flows/pools/b.ts'",
        'src/server/flows/pools/b.ts': '',
      },
      "the server's kernel imports src/server/flows/pools/b.ts",
    ],
    [
      'a room of the server outside of its layers',
      {
        'src/server/http/a.ts': "import { b } from '../utils/b.ts'",
        'src/server/utils/b.ts': '',
      },
      "src/server/utils/b.ts: stands in none of the server's layers",
    ],
    [
      'rooms of one layer that need each other, over a third',
      {
        'src/server/modules/leads/a.ts': "import type { B } from '../customers/b.ts'",
        'src/server/modules/customers/b.ts': "import { c } from '../contacts/c.ts'",
        'src/server/modules/contacts/c.ts': "import { d } from '../leads/d.ts'",
        'src/server/modules/leads/d.ts': '',
      },
      'src/server/modules/contacts: a knot',
    ],
    [
      'page that imports logic',
      { 'runtime/core/page/a.ts': "import {\n  b,\n} from '../logic/b.ts'", 'runtime/core/logic/b.ts': '' },
      'core/page imports core/logic',
    ],
    [
      'equals that do not ignore each other',
      { 'runtime/core/rules/a.ts': "import { b } from '../logic/b.ts'", 'runtime/core/logic/b.ts': '' },
      'core/rules imports core/logic',
    ],
    [
      'a type that points back',
      { 'runtime/core/json.ts': "import type { B } from './page/b.ts'", 'runtime/core/page/b.ts': '' },
      'core/. imports core/page',
    ],
    [
      'a room that core does not have',
      { 'runtime/core/utils/a.ts': "import { b } from '../json.ts'", 'runtime/core/json.ts': '' },
      'no room "utils"',
    ],
    [
      'a package away from home',
      { 'runtime/core/page/a.ts': "import { gzip } from 'fflate'" },
      'fflate lives in',
    ],
    [
      'a sub-path of a package away from home',
      { 'src/server/a.ts': "import { x } from 'react/jsx-runtime'" },
      'react/jsx-runtime lives in',
    ],
    ['a package nobody knows', { 'src/app/a.ts': "import _ from 'lodash'" }, 'has no home'],
    [
      'a workbench that everybody loads',
      { 'src/app/a.ts': "import { b } from '../workbench/b.ts'", 'src/workbench/b.ts': '' },
      'the workbench is loaded when it is opened',
    ],
    ['node in the core', { 'runtime/core/a.ts': "import fs from 'node:fs'" }, 'node:fs lives in'],
    ['a file that is not there', { 'src/app/a.ts': "import { b } from './b.ts'" }, 'does not exist'],
    [
      'a circle',
      { 'src/app/a.ts': "import { b } from './b.ts'", 'src/app/b.ts': "export * from './a.ts'" },
      'a circle of imports',
    ],
    ['a clock in the core', { 'runtime/core/a.ts': 'const at = Date.now()' }, 'core speaks of Date.now'],
    ['chance in the core', { 'runtime/core/a.ts': 'const at = Math.random()' }, 'core speaks of Math.random'],
    ['a timer in the core', { 'runtime/core/a.ts': 'setTimeout(() => {}, 1)' }, 'core speaks of setTimeout'],
    ['fetch in the core', { 'runtime/core/a.ts': 'await fetch(url)' }, 'core speaks of fetch'],
    ['eval', { 'src/app/a.ts': "eval('1')" }, 'out of text'],
    ['new Function', { 'src/tools/a.ts': "new Function('1')" }, 'out of text'],
    [
      'raw markup',
      { 'runtime/react/a.tsx': 'const x = <p dangerouslySetInnerHTML={{ __html: y }} />' },
      'out of text',
    ],
  ])('detects %s', (_name, files, breach) => {
    expect(breachesOf(new Map(Object.entries(files))).join('\n')).toContain(breach)
  })

  it('accepts correct code', () => {
    const files = {
      'runtime/core/page/a.ts':
        "import type { B } from './b.ts'\nimport Ajv from 'ajv'\n// eval('x')\nconst s = 'Date.now()'",
      'runtime/core/page/b.ts': "import { a } from './a.ts'\nimport { problem } from '../errors.ts'",
      'runtime/core/errors.ts': '',
      'src/app/main.tsx':
        "import { createRoot } from 'react-dom/client'\nimport { a } from '../../runtime/core/page/a.ts'",
    }

    expect(breachesOf(new Map(Object.entries(files)))).toEqual([])
  })

  it('distinguishes type imports from others', () => {
    const source =
      "import { type A, type B } from './a.ts'\nimport { type C, d } from './c.ts'\nexport type { E } from './e.ts'"

    expect(importsOf(source).map(({ typeOnly }) => typeOnly)).toEqual([true, false, true])
  })

  it('ignores code in comments, texts and patterns', () => {
    const place = '{eval(1)}'
    const source = `/* eval( */ const a = 'eval('; const b = /eval\\(['"]/; const c = \`eval($${place}\``

    expect(codeOnly(source).match(/eval/g)).toHaveLength(1)
  })
})

/** Table cells over 200 characters; fenced blocks are not tables. */
function longCells(source: string): string[] {
  const rows = source
    .replace(/^```[\s\S]*?^```/gm, '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
  return rows.flatMap((row) => row.split(/(?<!\\)\|/).filter((cell) => cell.trim().length > 200))
}

/** The manuals of a room; those of `.` are the ones at the root. */
function manualsIn(folder: string): [string, string][] {
  return readdirSync(join(ROOT, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => [join(folder, path), readFileSync(join(ROOT, folder, path), 'utf8')])
}

function read(folder: string): [string, string][] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter(
      (entry) =>
        entry.isFile() && /\.(?:ts|tsx|js)$/.test(entry.name) && !entry.parentPath.includes('node_modules'),
    )
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(ROOT, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')])
}
