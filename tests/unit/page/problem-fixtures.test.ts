import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../../runtime/core/errors.ts'
import { resolvePointer } from '../../../runtime/core/page/pointer.ts'
import { parsePage } from '../../../runtime/core/parse-page.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { PROBLEM_FIXTURES } from '../../support/problem-fixtures.ts'

const registry = createRegistry()
/** Found only by the checks for authors: see check-pages.test.ts (files and scripts) and check-words.test.ts. */
const BY_THE_TOOL = ['CODE_INVALID', 'PAGE_EMPTY', 'WORD_UNKNOWN']
/** Never prevent a page from opening: see parse-page.test.ts. */
const AS_WARNINGS = ['WIDGET_UNKNOWN']

describe.each(PROBLEM_FIXTURES)('$name', ({ code, at, input, fragments }) => {
  it(`is refused as ${code} at ${at || 'the root'}`, () => {
    const parsed = parsePage(input, { registry, ...(fragments && { fragments }) })

    expect(parsed.ok).toBe(false)
    if (parsed.ok) return
    expect(parsed.problems).toMatchObject([{ code, at, severity: 'error' }])
    expect(`${parsed.problems[0]?.message} ${parsed.problems[0]?.hint}`).not.toMatch(/(?<!\{)\{\w+\}/)
    if (code !== 'JSON_INVALID') expect(resolvePointer(input, at)).not.toBeUndefined()
  })
})

it('every code of the catalogue has a fixture, and every fixture a code', () => {
  const codes = [...new Set(PROBLEM_FIXTURES.map(({ code }) => String(code))), ...BY_THE_TOOL, ...AS_WARNINGS]

  expect(codes.sort()).toEqual(Object.keys(PROBLEMS).sort())
})
