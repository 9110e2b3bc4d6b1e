import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopeCss } from '../../../runtime/core/page/scope-css.ts'

const scope = (css: string) => scopeCss(css, 's').trim()

describe('the css of a page', () => {
  it('applies to the page’s contents, and to the page itself by its class', () => {
    expect(scope('.mb16 { margin-bottom: 16px; }')).toBe('.s .mb16,.s.mb16{margin-bottom:16px}')
    expect(scope('.a .b:hover, p > i::after { color: rgb(1, 2, 3) !important; content: "甲" }')).toBe(
      '.s .a .b:hover,.s.a .b:hover,.s p > i::after{color:rgb(1, 2, 3) !important;content:"甲"}',
    )
    expect(scope('@media (min-width: 600px) { .a { display: flex } }')).toBe(
      '@media (min-width: 600px){.s .a,.s.a{display:flex}\n}',
    )
  })

  it('can use its own names, sums, and pictures of the app or inline', () => {
    expect(scope('.a{--gap:8px;width:calc(100% - var(--gap));background:url(/img/a.png) no-repeat}')).toBe(
      '.s .a,.s.a{--gap:8px;width:calc(100% - var(--gap));background:url("/img/a.png") no-repeat}',
    )
    expect(scope('.a{background:url("data:image/png;base64,AAAA")}')).toContain(
      'url("data:image/png;base64,AAAA")',
    )
  })

  it('keeps valid rules beside invalid ones', () => {
    expect(scope('@charset "x"; @import url(//e.x/a.css); .a{color:red;background:url(//e.x/p)} .b{')).toBe(
      '.s .a,.s.a{color:red}',
    )
    expect(scope('/* .x{} */ } .a{color:red} .c{ .d{color:red} }')).toBe('.s .a,.s.a{color:red}')
  })

  it.each([
    '@import "//e.x/a.css";',
    '@font-face{font-family:x;src:url(//e.x/f)}',
    '@keyframes x{from{color:red}}',
    '@media x{@import "//e.x/a.css";}',
    '.a{background:url(https://e.x/p.png)}',
    '.a{background:url("//e.x/p.png")}',
    '.a{background:url(/\\e.x/p.png)}',
    '.a{background:\\75rl(//e.x/p.png)}',
    '.a{background:u/**/rl(//e.x/p.png)}',
    '.a{background:image-set("//e.x/p.png" 1x)}',
    '.a{--x:url(//e.x/p.png)}',
    '.a{width:expression(alert(1))}',
    '.a{position:fixed}',
    '.a{position:var(--p)}',
    '.a{color:red}}body{color:red',
    '~ nav{color:red}',
    '> *, + *{}',
    'input[value^="1"]{color:red}',
    '.a:has(.b){color:red}',
    ':host{color:red}',
    ':root{--vf-page:red}',
    '.a){color:red}',
    '.a{content:"}body{color:red}"}',
    '.a{color:red</style><script>}',
  ])('leaves out %s', (css) => {
    const out = scope(css)
    expect(out).not.toMatch(/e\.x|import|font-face|keyframes|expression|fixed|body|script|\[|has\(|host|root/)
    expect(out.replace('.s .a,.s.a{color:red}', '')).toBe('')
  })

  it('is bounded, and always limited to its scope, whatever it contains', () => {
    const part = fc.constantFrom(
      ...'.a|{|}|;|:|color|red|url(|)|"|\'|/*|*/|@media (x)|@import|,|>|~|\\|<|body|html|::after|//e.x|(|--x|\n'.split(
        '|',
      ),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const out = scope(parts.join(''))
        const bare = out.replace(/@media[^{]*\{/g, '').replace(/"[^"]*"|'[^']*'/g, '')
        for (const rule of bare.split('}'))
          for (const selector of rule.trim() === '' ? [] : (rule.split('{')[0] ?? '').split(','))
            expect(selector.trim()).toMatch(/^\.s[ .]/)
        expect(out).not.toContain('//')
      }),
      { numRuns: 2000 },
    )
  })

  it('of any length is parsed quickly', () => {
    const start = performance.now()
    for (const css of ['.a{', '(', '"', '/*', ':not(', 'url(', '.a{b:c;}', '@media x{'])
      scope(css.repeat(200_000 / css.length))
    expect(performance.now() - start).toBeLessThan(1000)
  })
})
