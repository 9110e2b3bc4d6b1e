import { expect, it } from 'vitest'
import { isObject } from '../../runtime/core/json.ts'
import { objectsIn, readProduct } from './product-pages.ts'

const product = await readProduct()

/** Words of a rule: what is filled in otherwise, a format, what an entry is for. */
const RULE = /不填|不选|默认(?!本人|今天|现在)|必填|\d 位|开头|分开|生效|排在|添加|收到|可以/
/** Placeholders of these are broken into lines. */
const TALL = new Set(['textarea', 'search-bar'])
const TYPED = new Set(['input', 'number'])

/** Width in Chinese characters, of which a Latin letter or digit is about half. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (/[\u0020-\u024f–]/.test(sign) ? 0.55 : 1), 0)

it('a rule that is cut at the end of its field with text of twice the size is not only in its placeholder', () => {
  const cut = product.pages
    .filter(({ path }) => !path.startsWith('/pages/vform/'))
    .flatMap(({ document }) => [...objectsIn(document)])
    .flatMap(({ type, options }) => {
      if (!isObject(options) || typeof options.placeholder !== 'string' || TALL.has(String(type))) return []
      const { placeholder, labelAlign } = options
      // A phone of 390 px: 242 px for what is typed, 218 px for what is picked; characters are 32 px wide.
      const room = (TYPED.has(String(type)) ? 242 : 218) + (labelAlign === 'top' ? 92 : 0)
      const isCut = widthOf(placeholder) * 32 > room && !placeholder.includes('{{')
      return isCut && RULE.test(placeholder) ? [`${options.label}: ${placeholder}`] : []
    })

  expect([...new Set(cut)]).toEqual([])
})
