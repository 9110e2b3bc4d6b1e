import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Documents of the project that code cites, by the name used to cite them. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  DOMAIN: 'src/server/DOMAIN.md',
  HOOKS: 'runtime/HOOKS.md',
  PROTOCOL: 'runtime/cloud/PROTOCOL.md',
  SHELL: 'src/app/SHELL.md',
  'PAGE-FORMAT': 'runtime/PAGE-FORMAT.md',
}
/** Names of documents that are not in the project. */
const ABSENT = new RegExp(
  `\\b(?:C${''}RM|PLAT${''}FORM|FA${''}CTS|DES${''}IGN) \\d|\\b[Ss]pec(?:ification)? §|house-${''}style`,
)
/** Released files never change; their references are explained at the top of DOMAIN.md. */
const RELEASED = 'src/server/kernel/migrations/'

const files = execFileSync('git', ['ls-files', '-z', 'runtime', 'src', 'tests', 'schemas', '*.md'], {
  cwd: ROOT,
})
  .toString()
  .split('\0')
  .filter((file) => /\.(?:tsx?|js|css|md|sql|json)$/.test(file) && !file.startsWith(RELEASED))
  .map((file) => ({ file, text: read(file) }))

/** Numbers of sections, and of rows and entries that are cited the same way: `1.2`, `0.7`. */
function numbersOf(document: string): ReadonlySet<string> {
  const headings = [...document.matchAll(/^#{2,5} (\d+(?:\.\d+)*)/gm)]
  const rows = [...document.matchAll(/^\| (\d+\.\d+) \|/gm)]
  return new Set([...headings, ...rows].map(([, number = '']) => number))
}

it('no source cites a document that is missing from the project', () => {
  const dangling = files
    .filter(({ file }) => file !== DOCUMENTS.DOMAIN)
    .flatMap(({ file, text }) =>
      text.split('\n').flatMap((line, i) => (ABSENT.test(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    )

  expect(dangling).toEqual([])
})

describe('a citation of a document of the project', () => {
  it.each(Object.entries(DOCUMENTS).filter(([name]) => name !== 'PAGE-FORMAT'))(
    'leads to a section: %s',
    (name, path) => {
      const known = numbersOf(read(path))
      const cited = files.flatMap(({ file, text }) =>
        [...text.matchAll(new RegExp(`\\b${name} (\\d+(?:\\.\\d+)*)((?:, \\d+(?:\\.\\d+)*)*)`, 'g'))].flatMap(
          ([whole, first = '', more = '']) =>
            [first, ...more.split(', ').filter(Boolean)].map((number) => ({
              number,
              at: `${file}: ${whole}`,
            })),
        ),
      )

      expect(known.size).toBeGreaterThan(5)
      expect(cited.length).toBeGreaterThan(0)
      expect(cited.filter(({ number }) => !known.has(number)).map(({ at }) => at)).toEqual([])
    },
  )

  it('leads to a heading or a term of PAGE-FORMAT', () => {
    const manual = read('runtime/PAGE-FORMAT.md')
    const cited = files.flatMap(({ file, text }) =>
      [...text.matchAll(/\bPAGE-FORMAT, "?([A-Za-z]+)/g)].map(([whole, word = '']) => ({
        word,
        at: `${file}: ${whole}`,
      })),
    )

    expect(cited.filter(({ word }) => !manual.includes(word)).map(({ at }) => at)).toEqual([])
  })
})

it.each(['runtime/README.md', 'src/server/README.md'])(
  'names existing files in the drawings of %s',
  (document) => {
    const room = `${document.split('/')[0]}/`
    const known = files.map(({ file }) => file).filter((file) => file.startsWith(room))
    const drawings = [...read(document).matchAll(/^```\n([\s\S]*?)^```/gm)].map(([, drawing = '']) => drawing)
    const named = drawings.flatMap((drawing) => drawing.match(/[\w/-]+\.tsx?\b/g) ?? [])

    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !known.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([])
  },
)
