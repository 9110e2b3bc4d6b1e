import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Words that a technical writer would replace (CONTRIBUTING, language), and their replacements. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\bane[w]\b/, '"again"'],
  [/\bso ma[n]y\b/, 'the number, "this many", "at most"'],
  [/\b(?:h[e]|hi[s]|hi[m]|himsel[f])\b/, '"they", "their", "them"'],
]
const MAX_CELL = 200

const files = execFileSync('git', ['ls-files', '-z', 'runtime', 'src', 'tests', 'schemas', '*.md'], {
  cwd: ROOT,
})
  .toString()
  .split('\0')
  .filter((file) => /\.(?:tsx?|md)$/.test(file) && !/\.generated\./.test(file))
  .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n') }))

it.each(PLAIN.map(([word, better]) => [word.source, word, better] as const))(
  'no source and no document says %s',
  (_, word, better) => {
    const found = files.flatMap(({ file, lines }) =>
      lines.flatMap((line, i) =>
        word.test(line) ? [`${file}:${i + 1}: ${line.trim()} (say ${better})`] : [],
      ),
    )

    expect(found).toEqual([])
  },
)

it('no table cell in a document is too long', () => {
  const long = files
    .filter(({ file }) => file.endsWith('.md'))
    .flatMap(({ file, lines }) =>
      lines.flatMap((line, i) =>
        line.startsWith('|') && line.split('|').some((cell) => cell.trim().length > MAX_CELL)
          ? [`${file}:${i + 1}`]
          : [],
      ),
    )

  expect(long).toEqual([])
})
