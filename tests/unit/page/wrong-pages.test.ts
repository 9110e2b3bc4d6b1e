import { describe, expect, it } from 'vitest'
import { checkAsAuthor } from '../../../src/server/kernel/pages/check.ts'
import { shownProblem } from '../../../src/server/kernel/text/author.ts'
import { rightPage, WRONG, wrongPage } from '../../support/wrong-pages.ts'

const KNOWN = {
  dictionaries: new Set(['customer_level', 'lead_level']),
  routes: new Set(['/pages/customer/my/detail', '/pages/customer/my/index']),
}

describe('a page with one fault', () => {
  it('is derived from a correct page', () => {
    expect(checkAsAuthor(rightPage(), KNOWN)).toEqual([])
  })

  it.each(WRONG)(
    'is reported in Chinese at its position, with the intended word: %s',
    (_, at, value, meant) => {
      const told = checkAsAuthor(wrongPage(at, value), KNOWN)
        .filter(({ severity }) => severity === 'error')
        .map(shownProblem)
        .filter((one) => one.at === at || at.startsWith(one.at) || one.at.startsWith(at))

      expect(told.map(({ message, hint }) => `${message} ${hint}`).join('\n')).toContain(meant)
      expect(told.map(({ message }) => message).join('')).toMatch(/[\u4e00-\u9fa5]/)
    },
  )
})
