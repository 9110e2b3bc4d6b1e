import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../../runtime/react/kit/html-parse.ts'
import { linkTarget, safeImage } from '../../../../runtime/react/kit/safe-url.ts'

describe('parseHtml', () => {
  it('reads elements, attributes and entities', () => {
    expect(plain('<p class="a" data-x=1>甲 &amp; <b>乙</b>&#x4e19;<br>丁</p>')).toEqual([
      ['p', { class: 'a', 'data-x': '1' }, ['甲 & ', ['b', {}, ['乙']], '丙', ['br', {}, []], '丁']],
    ])
  })

  it('takes the content of a script as text, and drops it', () => {
    expect(plain('甲<script>if (a < b) document.write("<b>x</b>")</script>乙')).toEqual([
      '甲',
      ['script', {}, []],
      '乙',
    ])
  })

  it('closes unclosed elements, and ignores unmatched end tags', () => {
    expect(plain('<ul><li>一<li>二</ul></b>三')).toEqual([
      [
        'ul',
        {},
        [
          ['li', {}, ['一']],
          ['li', {}, ['二']],
        ],
      ],
      '三',
    ])
  })

  it('takes everything except tags as text', () => {
    expect(plain('1 < 2 <!-- 略 --> 3 <b')).toEqual(['1 ', '<', ' 2 ', ' 3 ', '<b'])
  })

  it('never throws, whatever the input', () => {
    const html = fc.array(
      fc.oneof(fc.string(), fc.constantFrom('<', '</', '>', '<b', '<script>', '"', "'", '<!--', '&#', '=')),
    )

    fc.assert(
      fc.property(html, (parts) => {
        expect(Array.isArray(parseHtml(parts.join('')))).toBe(true)
      }),
    )
  })

  it.each([
    '<b '.repeat(20_000),
    '<'.repeat(50_000),
    '<a "'.repeat(10_000),
    '<script>'.repeat(10_000),
    '<i>'.repeat(20_000),
  ])('parses a hostile text at once (%#)', (html) => {
    const started = performance.now()
    parseHtml(html)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('addresses', () => {
  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example/x',
    '/\\evil.example/x',
    './x',
    '#',
  ])('refuses the link %j', (url) => expect(linkTarget(url)).toBeUndefined())
  it.each(['https://example.com', 'tel:10086', 'mailto:a@b.cn'])(
    'takes the link %s as an external address',
    (href) => expect(linkTarget(href)).toEqual({ kind: 'outside', href }),
  )
  it.each(['/pages/index?id=1', '#/pages/index?id=1'])('takes the link %s as a page of the app', (url) =>
    expect(linkTarget(url)).toEqual({ kind: 'page', url: '/pages/index?id=1' }),
  )
  it('takes #name as an anchor in the text, in any notation', () => {
    expect(linkTarget('#说明')).toEqual({ kind: 'place', name: '说明' })
    expect(linkTarget('#%E8%AF%B4%E6%98%8E')).toEqual({ kind: 'place', name: '说明' })
    expect(linkTarget('#50%')).toEqual({ kind: 'place', name: '50%' })
  })
  it.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example/x.png'])(
    'refuses the picture %s',
    (url) => expect(safeImage(url)).toBe(''),
  )
})

type Plain = string | [string, Record<string, string>, Plain[]]

function plain(html: string): Plain[] {
  const read = (node: ReturnType<typeof parseHtml>[number]): Plain =>
    typeof node === 'string' ? node : [node.tag, Object.fromEntries(node.attributes), node.children.map(read)]
  return parseHtml(html).map(read)
}
