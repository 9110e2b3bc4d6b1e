import { describe, expect, it } from 'vitest'
import { parseStrictly } from '../../../../runtime/core/check/parse-strictly.ts'
import { patternFault } from '../../../../runtime/core/rules/pattern.ts'
import { fieldProblems } from '../../../../src/model/check-field.ts'
import { aDocument, aWidget, registry } from '../../../support/a-page.ts'

/** @param rules  of an input and of an upload */
const found = (rules: { validation?: string; customRule?: string }): readonly string[] => {
  const { validation = '', customRule = '' } = rules
  const widgets = [
    aWidget('input', 'code', { label: '编码', validation }),
    aWidget('file-upload', 'papers', { label: '资料', customRule }),
  ]
  const parsed = parseStrictly(aDocument(widgets, { page: { title: '资料' } }), { registry })
  const problems = parsed.ok ? parsed.warnings : parsed.problems
  return problems.map(({ severity, code, at }) => `${severity} ${code} ${at}`)
}

/** Patterns that one setting of the flags reads and another does not. */
const PATTERNS = ['^[\\w-a]+$', '/^[\\w-a]+$/', '/^[\\w-a]+$/u', '/^\\-$/u', '/^\\-$/', 'a{,2}', '/a{,2}/u']

describe('a pattern is read alike by the pages that check it and by the fields of modules', () => {
  it.each(PATTERNS)('%s', (pattern) => {
    const isUnreadable = patternFault(pattern) !== null
    const faultsAt = (at: string) => (isUnreadable ? [`error PATTERN_INVALID /widgetList/${at}`] : [])

    expect(found({ validation: pattern })).toEqual(faultsAt('0/options/validation'))
    expect(found({ customRule: pattern })).toEqual(faultsAt('1/options/customRule'))
    const field = { name: 'code', kind: 'text', label: '编码', pattern }
    expect(fieldProblems(field, '/fields/0').map(({ at }) => at)).toEqual(
      isUnreadable ? ['/fields/0/pattern'] : [],
    )
  })

  it('and a misspelt name of a rule is told at both options', () => {
    expect(found({ validation: 'mobilPhone', customRule: 'emial' })).toEqual([
      'error WORD_UNKNOWN /widgetList/0/options/validation',
      'error WORD_UNKNOWN /widgetList/1/options/customRule',
    ])
  })
})
