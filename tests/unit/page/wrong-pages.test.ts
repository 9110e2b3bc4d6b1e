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

describe('an icon', () => {
  const page = (icon: string) => ({
    formConfig: { page: { title: '图标' } },
    widgetList: [
      { type: 'input', id: 'icon', options: { name: 'icon', label: '图标' } },
      { type: 'button', id: 'go', options: { name: 'go', label: '去', icon } },
      {
        type: 'button',
        id: 'say',
        options: {
          name: 'say',
          label: '说',
          on: { click: [{ do: 'toast', text: '好了', icon: 'success' }] },
        },
      },
    ],
  })

  it('that does not exist is advice, with the one that was meant', () => {
    const told = checkAsAuthor(page('AddOutlin'), KNOWN)
    expect(told.map(({ severity }) => severity)).toEqual(['warning'])
    expect(told.map(shownProblem)).toMatchObject([
      {
        at: '/widgetList/1/options/icon',
        message: expect.stringMatching(/图标.*AddOutlin|AddOutlin.*图标/),
        hint: expect.stringContaining('AddOutline'),
      },
    ])
  })

  it.each(['AddOutline', 'add', 'check-circle', 'PhoneFill', 'phone', '{{ form.icon }}', 'el-icon-plus'])(
    'that is drawn, or left out as in VForm, is accepted: %s',
    (icon) => {
      expect(checkAsAuthor(page(icon), KNOWN)).toEqual([])
    },
  )
})
