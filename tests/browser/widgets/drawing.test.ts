import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { createRegistry } from '../../../runtime/core/widgets/index.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { asJson, optionsOf, written } from '../../support/any-options.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { everyWidget, FIELDS, WORLD } from './every-widget.ts'
import { smallTargets, standingOut } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
  phone.allow(/broken on purpose/)
  phone.allow(/none\.mp4/)
  phone.allow(/BrokenView|above error occurred|请在.*范围中设置/)
  phone.allow(/error during concurrent rendering/) // React's message if it rendered again before the notice
})
afterAll(() => stage.close())

describe('a page with every widget', () => {
  it('draws each of them with its type on its root', async () => {
    await phone.show(everyWidget(), WORLD)

    const drawn = await phone.page.evaluate(async () => {
      const seen = new Set<string | null>()
      for (let at = 0; at < document.body.scrollHeight; at += 400) {
        window.scrollTo(0, at)
        await new Promise((resolve) => setTimeout(resolve, 60))
        for (const root of document.querySelectorAll('[data-widget]'))
          seen.add(root.getAttribute('data-widget'))
      }
      return [...seen]
    })
    const all = createRegistry()
      .list()
      .map((spec) => spec.type)
    expect(all.filter((type) => !drawn.includes(type))).toEqual([])
  })

  it.each([
    ['disabled', { disabled: true }],
    ['readonly', { readonly: true }],
  ])('allows no change while %s', async (_state, shared) => {
    await phone.show(everyWidget(shared), WORLD)
    const before = await phone.page.evaluate(() => JSON.stringify(window.stage.engine().values()))

    await phone.page.evaluate(() => {
      const controls = document.querySelectorAll<HTMLElement>(
        '[data-key="group1"] :is(button, input, textarea)',
      )
      for (const control of controls)
        if (!(control instanceof HTMLInputElement && control.type === 'file')) control.click()
    })

    expect(await phone.page.evaluate(() => JSON.stringify(window.stage.engine().values()))).toBe(before)
    expect(await openControls(phone)).toEqual([])
  })

  it('shows text in read mode', async () => {
    await phone.show(everyWidget(), { ...WORLD, readMode: true })

    const text = await phone.page.locator('[data-key="group1"]').textContent()
    for (const said of [
      '杭州星海科技有限公司',
      '128000',
      '高、中',
      '浙江/杭州',
      '2024-01-01 ~ 2024-12-31',
      '是',
    ]) {
      expect(text).toContain(said)
    }
    expect(await phone.page.locator('[data-key="group1"] :is(input, textarea, select)').count()).toBe(0)
    await phone.page.locator('[data-key="group1"]').scrollIntoViewIfNeeded()
    await phone.picture('widgets-read')
  })

  it('omits hidden widgets', async () => {
    await phone.show(everyWidget({ hidden: true }), WORLD)

    expect(await phone.page.locator('[data-key="group1"] [data-field]').count()).toBe(0)
  })

  it('names fields by their address and follows a change of state', async () => {
    await phone.show(everyWidget(), WORLD)
    await phone.page.evaluate(() => window.stage.reveal('rows.0.product'))
    expect(await phone.page.locator('[data-field="rows.0.product"] input').inputValue()).toBe('CRM 专业版')
    await phone.page.evaluate(() => window.stage.reveal('input'))

    await phone.page.evaluate(() => window.stage.engine().setOption('input', 'hidden', true))

    await phone.page.locator('[data-field="input"]').waitFor({ state: 'detached' })
  })
})

describe('any options and any value', () => {
  const TRIALS = 4
  const specs = createRegistry()
    .list()
    .filter(({ kind, type }) => kind !== 'part' && type !== 'chart')

  it.each([false, true])('draw every widget without an error (read mode: %s)', async (readMode) => {
    phone.allow(/404 \(Not Found\)/) // addresses of pictures that do not exist
    const faults = new Set<string>()
    for (let at = 0; at < specs.length; at += 12) {
      const trials = specs
        .slice(at, at + 12)
        .flatMap((spec) =>
          fc
            .sample(fc.tuple(optionsOf(spec), fc.jsonValue().map(asJson)), { numRuns: TRIALS, seed: at + 7 })
            .map(([options, value], i) => ({ spec, name: `${spec.type}${i}`, options, value })),
        )
      const groups = [0, 1, 2, 3].map((i) =>
        aWidget(
          'cell-group',
          `group${i}`,
          { label: '' },
          {
            category: 'container',
            widgetList: trials
              .filter((_, n) => n % 4 === i)
              .map(({ spec, name, options }) =>
                written(spec, { ...options, open: false }, name),
              ) as readonly Json[],
          },
        ),
      )
      const values = Object.fromEntries(trials.map(({ name, value }) => [name, value]))
      await phone.show(aDocument(groups), { values, readMode })
      await phone.page.waitForTimeout(100)
      for (const text of await phone.page.getByText('WIDGET_FAILED').allTextContents()) faults.add(text)
    }
    expect([...faults]).toEqual([])
  })
})

describe('the css of a page', () => {
  const colour = (selector: string) =>
    phone.page
      .locator(selector)
      .first()
      .evaluate((one) => getComputedStyle(one).color)
  const RED = 'rgb(255, 0, 0)'

  it('only styles the page and its layers, by their classes, and is removed with the page', async () => {
    const popup = aWidget(
      'popup',
      'p',
      { label: '筛选', open: true },
      {
        category: 'container',
        widgetList: [
          aWidget('static-text', 'inner', { textContent: '里', customClass: 'red' }),
        ] as readonly Json[],
      },
    )
    const text = aWidget('static-text', 't', { textContent: '外', customClass: ['red', 'vf-layer'] })
    await phone.page.evaluate(() => {
      const other = document.createElement('p')
      other.className = 'red other'
      document.body.append(other)
    })

    await phone.show(
      aDocument([text, popup], {
        cssCode:
          '@import "//e.x/a.css"; .red{color:#ff0000} .whole{background-color:rgb(1, 2, 3)} body{color:red}',
        customClass: 'whole',
      }),
    )
    await phone.page.locator('[data-key="inner"]').waitFor()

    expect([await colour('[data-key="t"] .vf-text'), await colour('[data-key="inner"] .vf-text')]).toEqual([
      RED,
      RED,
    ])
    expect(
      await phone.page.locator('.vf-page').evaluate((one) => getComputedStyle(one).backgroundColor),
    ).toBe('rgb(1, 2, 3)')
    expect([await colour('.other'), await colour('body')]).not.toContain(RED)
    expect(await phone.page.locator('[data-key="t"]').getAttribute('class')).not.toContain('vf-layer')

    await phone.show(aDocument([text]))
    expect(await colour('[data-key="t"] .vf-text')).not.toBe(RED)
    expect(await phone.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0)
  })

  it('cannot cover anything around the page', async () => {
    const cssCode =
      '.c{position:fixed;inset:0} .c{position:absolute;top:-500px;left:-500px;width:3000px;height:3000px;z-index:99999;background:red}'
    await phone.page.evaluate(() => {
      const bar = document.createElement('nav')
      bar.id = 'bar'
      bar.style.height = '50px'
      document.body.prepend(bar)
    })
    await phone.show(
      aDocument([aWidget('static-text', 't', { textContent: '盖', customClass: 'c' })], { cssCode }),
    )

    expect(await phone.page.evaluate(() => document.elementFromPoint(100, 20)?.id)).toBe('bar')
    await phone.page.evaluate(() => document.querySelector('#bar')?.remove())
  })
})

describe('the width of the screen', () => {
  it('is enough for a page with every widget, edited and read, even at 320 px', async () => {
    for (const width of [390, 320])
      for (const readMode of [false, true]) {
        await phone.page.setViewportSize({ width, height: 844 })
        await phone.show(everyWidget(), { ...WORLD, readMode })
        expect(await standingOut(phone.page)).toEqual([])
      }
    await phone.page.setViewportSize({ width: 390, height: 844 })
  })

  it('is enough for each field in columns of a half, a third, a fifth or a twelfth, whatever its size and label', async () => {
    const extra: readonly (readonly [string, JsonObject, Json])[] = [
      ['rate', { label: '打分', max: 10, showScore: true, showText: true }, 8],
      ['rate', { label: '打分', max: 20, size: 40 }, 8],
      ['number', { label: '数量', controlsPosition: 'right', unit: '元' }, 128000],
      [
        'input',
        { label: '一个很长的字段名称也不许撑破', appendButton: true, labelWidth: 375 },
        'https://example.com/abc',
      ],
    ]
    const cases = [...FIELDS, ...extra]
    // Wherever in a row a field is, also at its end.
    const orders = [
      cases,
      [...cases.slice(1), ...cases.slice(0, 1)],
      [...cases.slice(2), ...cases.slice(0, 2)],
    ]
    const values = Object.fromEntries(
      cases.flatMap(([, , value], i) => [0, 1, 2, 3, 4].map((n) => [`f${i}_${n}`, value])),
    )
    const col = (span: number, child: JsonObject, name: string) =>
      aWidget('grid-col', name, { span }, { category: 'container', widgetList: [child] as readonly Json[] })
    const grids = (order: typeof cases) =>
      [24, 12, 8, 5, 2].map((span, n) =>
        aWidget(
          'grid',
          `g${n}`,
          { gutter: 12 },
          {
            category: 'container',
            cols: order.map((one) => {
              const [type, options] = one
              const i = cases.indexOf(one)
              return col(span, aWidget(type, `f${i}_${n}`, options), `c${i}_${n}`)
            }) as readonly Json[],
          },
        ),
      )
    for (const order of orders)
      for (const labelPosition of ['left', 'top']) {
        await phone.show(aDocument(grids(order), { labelPosition, labelWidth: 160 }), { values })
        expect(await standingOut(phone.page)).toEqual([])
      }
    await phone.page.evaluate(() => window.scrollTo(0, 0))
    await phone.picture('widgets-grid-fields')
  })
})

const CORPUS = fileURLToPath(new URL('../../../../shared/vform/corpus', import.meta.url))
const documents = existsSync(CORPUS) ? readdirSync(CORPUS).filter((file) => file.endsWith('.json')) : []
if (documents.length === 0) console.info(`no real documents at ${CORPUS}: only our own are drawn`)

if (documents.length > 0)
  describe('real documents', () => {
    it('are drawn completely, each widget or a notice with its name in its place, and no value is lost', async () => {
      phone.allow(/Failed to load resource|ERR_|Refused to|Content Security Policy|policy:/) // their pictures are on other hosts
      const faults: string[] = []
      for (const file of documents) {
        const written: JsonObject = JSON.parse(readFileSync(`${CORPUS}/${file}`, 'utf8'))
        await phone.show(written)
        const wrong = await phone.page.evaluate(() => {
          const engine = window.stage.engine()
          const { page } = engine
          const missing = page.roots.slice(0, 12).filter((key) => {
            const { hidden, node } = engine.node(key)
            return (
              !hidden &&
              node.spec.estimatedHeight !== 0 &&
              !document.querySelector(`[data-key="${CSS.escape(key)}"]`)
            )
          })
          const failed = [...document.querySelectorAll('.vf-notice')].flatMap(({ textContent }) =>
            textContent?.includes('WIDGET_FAILED') ? [textContent] : [],
          )
          const unnamed = [...page.nodes.values()].filter(
            ({ key, type, widget }) =>
              type === 'unsupported' &&
              document
                .querySelector(`[data-key="${CSS.escape(key)}"]`)
                ?.textContent?.includes(widget.type) === false,
          )
          const values = engine.values()
          const lost = [...page.nodes.values()].filter(
            ({ field, subForm, template, name }) =>
              field && subForm === null && template === null && !(name in values),
          )
          return [
            ...missing,
            ...failed,
            ...unnamed.map(({ key }) => key),
            ...lost.map(({ key }) => `${key} has no value`),
          ]
        })
        faults.push(...wrong.map((text) => `${file}: ${text}`))
      }
      expect(faults).toEqual([])
    })

    it('are never wider than the screen', async () => {
      const wide: string[] = []
      for (const file of documents) {
        const written: JsonObject = JSON.parse(readFileSync(`${CORPUS}/${file}`, 'utf8'))
        await phone.show(written)
        wide.push(...(await standingOut(phone.page)).map((text) => `${file}: ${text}`))
      }
      expect(wide).toEqual([])
    })
  })

describe('accessibility', () => {
  it('reaches every field by Tab alone', async () => {
    await phone.show(everyWidget(), WORLD)
    await phone.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    const reached = new Set<string>()
    for (let i = 0; i < 160; i += 1) {
      await phone.page.keyboard.press('Tab')
      reached.add(
        await phone.page.evaluate(
          () => document.activeElement?.closest<HTMLElement>('[data-field]')?.dataset.field ?? '',
        ),
      )
    }
    expect(FIELDS.map(([type]) => type.replaceAll('-', '_')).filter((name) => !reached.has(name))).toEqual([])
  })

  it('has no serious axe findings on the page of every widget, with messages shown', async () => {
    await phone.show(everyWidget({ required: true }), { data: WORLD.data ?? {}, dict: WORLD.dict ?? {} })
    await phone.page.evaluate(() => window.stage.engine().validate())
    await phone.page.locator('[role="alert"]').first().waitFor()

    expect(await seriousFaults(phone.page)).toEqual([])
  })

  it('links label, hint and message to the control', async () => {
    const field = aWidget('input', 'mobile', { label: '手机', required: true, hint: '11 位' })
    await phone.show(aDocument([field]))
    await phone.page.evaluate(() => window.stage.engine().validate())

    const box = phone.page.getByLabel('手机')
    const described = (await box.getAttribute('aria-describedby'))?.split(' ') ?? []
    const texts = await Promise.all(described.map((id) => phone.page.locator(`[id="${id}"]`).textContent()))

    expect(texts).toEqual(['手机必填', '11 位'])
    expect(await box.getAttribute('aria-invalid')).toBe('true')
    expect(await box.getAttribute('aria-required')).toBe('true')
  })

  it('has text of 16 px or more in boxes, and targets of 44 px', async () => {
    await phone.show(everyWidget(), WORLD)

    const small = await phone.page.evaluate(
      () =>
        Array.from(
          document.querySelectorAll<HTMLElement>('.vf-input, .vf-search-input, .vf-picker-face'),
        ).filter(
          (box) =>
            Number.parseFloat(getComputedStyle(box).fontSize) < 16 || box.getBoundingClientRect().height < 36,
        ).length,
    )

    expect(small).toBe(0)
    expect(await smallTargetsOnTheWay(phone)).toEqual([])
  })
})

describe('a widget that fails', () => {
  it('is replaced by a notice; the others work', async () => {
    await phone.show(aDocument([aWidget('broken', 'b'), aWidget('input', 'name', { label: '名称' })]))

    expect(await phone.page.locator('[data-widget="broken"]').textContent()).toContain(
      'WIDGET_FAILED · broken · /widgetList/0',
    )
    await phone.page.getByLabel('名称').fill('星海')
    expect(await phone.page.evaluate(() => window.stage.engine().values().name)).toBe('星海')
  })

  it('is replaced by a notice in each card of a list; the rest of the card works', async () => {
    const card = [
      aWidget('static-text', 'title', { textContent: '{{ row.name }}' }),
      aWidget('broken', 'b'),
      aWidget('static-text', 'note', { textContent: '备注 {{ row.name }}' }),
    ]
    const list = aWidget('list', 'rows', {}, { category: 'container', formItemFlag: true, widgetList: card })
    await phone.show(aDocument([list]), {
      values: {
        rows: [
          { id: '1', name: '星海' },
          { id: '2', name: '云帆' },
        ],
      },
    })

    const lines = (await phone.page.locator('[data-widget="list"]').innerText()).split(/\s*\n\s*/)
    expect(lines.map((line) => line.replace(/(broken) · .*/, '$1'))).toEqual(
      ['星海', '云帆'].flatMap((name) => [
        name,
        '这一块暂时无法显示',
        'WIDGET_FAILED · broken',
        `备注 ${name}`,
      ]),
    )
  })

  it('shows an unknown type and keeps its value', async () => {
    await phone.show(aDocument([aWidget('hologram', 'h', { label: '全息' }, { formItemFlag: true })]), {
      values: { h: 'kept' },
    })

    expect(await phone.page.locator('[data-widget="unsupported"]').textContent()).toContain('hologram')
    expect(await phone.page.evaluate(() => window.stage.engine().values().h)).toBe('kept')
  })

  it('draws html only with allowed elements', async () => {
    const htmlContent =
      '<p onclick="window.hacked=1">文<b>字</b></p><script>window.hacked=1</script><img src="x" onerror="window.hacked=1"><a href="javascript:window.hacked=1">坏</a><a href="https://example.com">好</a><iframe src="/"></iframe>'
    phone.allow(/404/)
    await phone.show(aDocument([aWidget('html-text', 'h', { htmlContent })]))

    const html = await phone.page.locator('.vf-html').innerHTML()
    expect(html).not.toMatch(/script|onclick|onerror|iframe/)
    expect(await phone.page.getByText('好').getAttribute('href')).toBe('https://example.com')
    expect(await phone.page.evaluate(() => 'hacked' in window)).toBe(false)
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})

/** Touch targets below 44 px anywhere on the page, which is scrolled from top to bottom. */
async function smallTargetsOnTheWay(on: StagePhone): Promise<readonly string[]> {
  const found = new Set<string>()
  const height = await on.page.evaluate(() => document.body.scrollHeight)
  for (let at = 0; at < height; at += 700) {
    await on.page.evaluate((y) => window.scrollTo(0, y), at)
    await on.page.waitForTimeout(80)
    for (const small of await smallTargets(on.page, '.vf-page')) found.add(small)
  }
  return [...found]
}

/** Fields of the group that contain an enabled control. */
function openControls(on: StagePhone): Promise<string[]> {
  return on.page.evaluate((count) => {
    const fields = [...document.querySelectorAll<HTMLElement>('[data-key="group1"] [data-field]')]
    if (fields.length !== count) return [`${fields.length} of ${count} fields`]
    const isOpen = (control: Element) =>
      control.matches('input, textarea')
        ? control.matches(':enabled:not([readonly])')
        : control.matches(':enabled:not(.vf-file > button):not(.vf-picture > button)')
    return fields
      .filter((field) => [...field.querySelectorAll('input, textarea, button')].some(isOpen))
      .map((field) => field.dataset.field ?? '')
  }, FIELDS.length)
}
