import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import { PICTURE } from './every-widget.ts'
import { smallTargets } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
  phone.allow(/404/)
})
afterAll(() => stage.close())

const show = (...widgets: JsonObject[]) => phone.show(aDocument(widgets))
const inside = (
  type: string,
  name: string,
  children: readonly JsonObject[],
  options: JsonObject = {},
): JsonObject =>
  aWidget(type, name, options, { category: 'container', widgetList: children as readonly Json[] })
const told = async () => (await phone.asked()).filter(([what]) => what === 'toast').map(([, text]) => text)
const toast = (text: string): Json => [{ do: 'toast', text }]
/** Drags a finger by touch events: on a phone these rows handle nothing else. */
const finger = async (selector: string, by: number) => {
  const box = await phone.page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`${selector} is not there`)
  const touch = await phone.context.newCDPSession(phone.page)
  const y = box.y + box.height / 2
  const at = (type: 'touchStart' | 'touchMove', x: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  await at('touchStart', box.x + box.width / 2)
  for (let step = 1; step <= 8; step += 1) await at('touchMove', box.x + box.width / 2 + (by * step) / 8)
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
const swipe = async (selector: string, by: number) => {
  const box = await phone.page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`${selector} is not there`)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await phone.page.mouse.move(x, y)
  await phone.page.mouse.down()
  await phone.page.mouse.move(x + by, y, { steps: 8 })
  await phone.page.mouse.up()
}

describe('a notice bar', () => {
  it('scrolls at 100 px a second from the right edge, after a pause of a second', async () => {
    const before = Date.now()
    await show(
      aWidget('notice-bar', 'n', { label: '', text: '本周五 18:00 系统升级'.repeat(4), scrollable: true }),
    )
    const runs = () =>
      phone.page.locator('.vf-news-text').evaluate((one) => {
        const [animation] = one.getAnimations()
        const frames = (animation?.effect as KeyframeEffect | undefined)?.getKeyframes() ?? []
        const room = one.parentElement?.clientWidth ?? 0
        const distance = room + (one as HTMLElement).offsetWidth
        return animation === undefined
          ? null
          : {
              first: frames[0]?.transform === `translateX(${room}px)`,
              speed: Math.round((distance / Number(animation.effect?.getComputedTiming().duration)) * 1000),
            }
      })
    await expect.poll(runs, { interval: 20 }).toEqual({ first: true, speed: 100 })
    expect(Date.now() - before).toBeGreaterThanOrEqual(1_000)
  })

  it('has the colours of the look unless the page sets others, and so has a progress bar', async () => {
    const given = { color: 'red', backgroundColor: 'black' }
    await show(
      aWidget('notice-bar', 'a', { text: '通知' }),
      aWidget('progress', 'b', { percent: 20 }),
      aWidget('notice-bar', 'c', { text: '通知', ...given }),
      aWidget('progress', 'd', { percent: 20, backgroundColor: 'black', activeColor: 'red' }),
    )
    const colours = await phone.page
      .locator('.vf-news, .vf-progress-rail, .vf-progress-rail i')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).style.background))
    expect(colours).toEqual(['', '', '', 'black', 'black', 'red'])
  })

  it('is closed by its button, or opens a page', async () => {
    await show(
      aWidget('notice-bar', 'a', { text: '通知一', showClose: true, on: { close: toast('closed') } }),
      aWidget('notice-bar', 'b', {
        text: '通知二',
        showClose: true,
        showGetMore: true,
        on: { getmore: toast('more') },
      }),
    )
    expect(await smallTargets(phone.page, '.vf-news')).toEqual([])
    await phone.page.getByRole('button', { name: '关闭通知' }).click()
    await phone.page.getByRole('button', { name: '查看更多' }).click()
    expect(await phone.page.getByText('通知一').count()).toBe(0)
    expect(await told()).toEqual(['closed', 'more'])
  })
})

describe('progress and steps', () => {
  it('are read aloud, limited to 0 to 100, with their stroke width', async () => {
    await show(aWidget('progress', 'p', { label: '目标', percent: 140, strokeWidth: 10, showInfo: true }))
    const bar = phone.page.getByRole('progressbar', { name: '目标' })
    expect(await bar.getAttribute('aria-valuenow')).toBe('100')
    expect((await bar.boundingBox())?.height).toBe(10)
    expect(await phone.page.getByText('100%').isVisible()).toBe(true)
  })

  it('grow at 30 ms a percent and report the end', async () => {
    await show(
      aWidget('progress', 'p', {
        label: '目标',
        percent: 20,
        active: true,
        on: { activeend: toast('grown') },
      }),
    )
    expect(
      await phone.page
        .locator('.vf-progress-rail i')
        .evaluate((one) => getComputedStyle(one).transitionDuration),
    ).toBe('0.6s')
    await expect.poll(told).toEqual(['grown'])
  })

  it('mark the current step, side by side or one below the other', async () => {
    const options = [{ title: '提交', desc: '李娜' }, { title: '审批' }, { title: '完成' }]
    await show(
      aWidget('steps', 's', { label: '审批', active: 1, options, on: { itemClick: toast('step') } }),
      aWidget('steps', 't', { label: '进度', active: 0, direction: 'column', options }),
    )
    expect(await phone.page.locator('[data-key="s"] [aria-current="step"]').textContent()).toBe('审批')
    await phone.page.locator('[data-key="s"]').getByRole('button', { name: '完成' }).click()
    expect(await told()).toEqual(['step'])
    await phone.picture('widgets-steps')
    expect(await seriousFaults(phone.page)).toEqual([])
  })
})

describe('statistics tiles', () => {
  it('open the page of their item, with its placeholders filled in; data items are no templates', async () => {
    const on = { itemClick: [{ do: 'navigate', url: '{{ row.url }}' }] }
    const items = [{ label: '客户', bind: 'data.n', url: '/pages/list?owner={{ data.who }}' }]
    await phone.show(
      aDocument([
        aWidget('stat-grid', 'own', { items, on }),
        aWidget('stat-grid', 'given', { itemsBind: 'data.given', on }),
      ]),
    )
    await phone.page.evaluate(() => {
      const engine = window.stage.engine()
      engine.setData('n', 12)
      engine.setData('who', 'u-1')
      engine.setData('given', [{ label: '别的', value: 3, url: '/pages/{{ data.who }}' }])
    })
    await phone.page.getByRole('button', { name: '客户' }).click()
    await phone.page.getByRole('button', { name: '别的' }).click()

    const opened = (await phone.asked()).filter(([what]) => what === 'open').map(([, url]) => url)
    expect(opened).toEqual(['/pages/list?owner=u-1', '/pages/{{ data.who }}'])
  })
})

describe('a table of rows', () => {
  it('becomes a card per row, with pages, selection, taps and actions', async () => {
    await show(
      aWidget('data-table', 't', {
        label: '回款',
        tableColumns: [
          { prop: 'no', label: '编号' },
          { prop: 'sum.amount', label: '金额', filter: 'money' },
          { prop: 'secret', label: '秘密', show: false },
        ],
        tableData: [1, 2, 3].map((n) => ({ no: `HK${n}`, sum: { amount: n * 1000 }, secret: 'zz9' })),
        showIndex: true,
        showCheckBox: true,
        showPagination: true,
        pagination: { pageSize: 2 },
        showButtonsColumn: true,
        operationButtons: [
          { name: 'edit', label: '编辑' },
          { name: 'gone', label: '删除', hidden: true },
        ],
        on: {
          rowClick: toast('row {{ args.0.no }}'),
          selectionChange: toast('ticked {{ args.1 | join:+ }}'),
          operationButtonClick: toast('{{ args.0 }} {{ args.1 }} {{ args.2.no }}'),
          currentPageChange: toast('page {{ args.1 }}'),
        },
      }),
    )
    const table = phone.page.locator('[data-key="t"]')
    expect(await table.innerText()).toMatch(/1\. HK1[\s\S]*金额[\s\S]*1,000\.00[\s\S]*2\. HK2/)
    expect(await table.innerText()).not.toMatch(/HK3|zz9|删除/)
    await table.getByText('2. HK2').click()
    await table.getByRole('checkbox', { name: '选择 HK2' }).click()
    await table.getByRole('button', { name: '下一页' }).click()
    await table.getByText('3. HK3').waitFor()
    await table.getByRole('checkbox', { name: '选择 HK3' }).click()
    await table.getByRole('button', { name: '编辑' }).click()

    expect(await table.innerText()).toContain('第 2 / 2 页')
    expect(await told()).toEqual(['row HK2', 'ticked 1', 'page 2', 'ticked 1+2', 'edit 2 HK3'])
    await phone.picture('widgets-data-table')
    expect(await seriousFaults(phone.page)).toEqual([])
  })
})

describe('a swiper', () => {
  const pages = ['一', '二', '三'].map((word, i) =>
    aWidget('static-text', `p${i}`, { textContent: `第${word}页` }),
  )
  const current = () =>
    phone.page
      .locator('.vf-swiper-dots i')
      .evaluateAll((dots) => dots.findIndex((dot) => dot.classList.contains('vf-on')))

  it('turns by a finger, by the keyboard and by its arrows', async () => {
    await show(
      inside('swiper', 's', pages, { label: '活动', navigation: true, on: { change: toast('turned') } }),
    )
    await swipe('.vf-swiper', -160)
    expect(await current()).toBe(1)
    await phone.page.locator('.vf-swiper').press('ArrowRight')
    expect(await current()).toBe(2)
    await phone.page.getByRole('button', { name: '上一张' }).click()
    expect(await current()).toBe(1)
    expect(await told()).toEqual(['turned', 'turned', 'turned'])
    expect(await seriousFaults(phone.page)).toEqual([])
  })

  it('advances automatically, and stops under a finger', async () => {
    await show(inside('swiper', 's', pages, { autoplay: true, interval: 500, circular: true }))
    await expect.poll(current).toBe(1)
    const box = await phone.page.locator('.vf-swiper').boundingBox()
    await phone.page.mouse.move((box?.x ?? 0) + 100, (box?.y ?? 0) + 50)
    await phone.page.mouse.down()
    const held = await current()
    await phone.page.waitForTimeout(900)
    expect(await current()).toBe(held)
    await phone.page.mouse.up()
  })

  it('shows pictures', async () => {
    await show(
      aWidget(
        'swiper',
        's',
        { images: [PICTURE, { url: `${PICTURE}#b`, alt: '展位' }], height: 120, radius: 12 },
        { category: 'container', widgetList: [] },
      ),
    )
    expect(await phone.page.locator('.vf-swiper img').count()).toBe(2)
    expect((await phone.page.locator('.vf-swiper').boundingBox())?.height).toBe(120)
  })
})

describe('swiping a row', () => {
  const row = aWidget('static-text', 't', { textContent: '待办一' })
  const rightOptions = [{ name: 'del', label: '删除', tone: 'danger' }]

  it('opens the buttons behind it, by a finger and by the keyboard', async () => {
    await show(
      inside('swipe-action', 's', [row], {
        rightOptions,
        on: { swipe: toast('deleted'), change: toast('opened') },
      }),
    )
    await phone.page.locator('.vf-swipe').waitFor()
    await finger('.vf-swipe', -150)
    await expect
      .poll(() => phone.page.evaluate(() => window.stage.engine().node('s').options.show))
      .toBe('right')
    await phone.page.waitForTimeout(400)
    await phone.picture('widgets-swipe')
    await phone.page.getByRole('button', { name: '删除' }).click()
    await expect.poll(told).toContain('deleted')

    await phone.page.keyboard.press('Tab')
    await phone.page.getByRole('button', { name: '删除' }).focus()
    await phone.page.keyboard.press('Enter')
    await expect.poll(async () => (await told()).filter((word) => word === 'deleted').length).toBe(2)
  })

  it('opens only beyond its threshold, and stays open if the page forbids closing', async () => {
    await show(inside('swipe-action', 's', [row], { rightOptions, threshold: 40, autoClose: false }))
    await phone.page.locator('.vf-swipe').waitFor()
    await finger('.vf-swipe', -30)
    await phone.page.waitForTimeout(300)
    const side = () => phone.page.evaluate(() => window.stage.engine().node('s').options.show ?? 'none')
    expect(await side()).toBe('none')
    await finger('.vf-swipe', -50)
    await expect.poll(side).toBe('right')
    await phone.page.waitForTimeout(400)
    await phone.page.getByRole('button', { name: '删除' }).click()
    await phone.page.waitForTimeout(100)
    expect(await side()).toBe('right')
  })

  it('works on the rows of a list', async () => {
    const list = inside('list', 'rows', [aWidget('static-text', 'n', { textContent: '{{ row.name }}' })], {
      bind: 'data.rows',
      swipe: [{ name: 'call', label: '打电话', tone: 'primary' }],
      on: { swipe: toast('{{ row.name }}'), rowClick: toast('opened') },
    })
    await phone.show(aDocument([list]), {
      data: {
        rows: [
          { id: 1, name: '星海' },
          { id: 2, name: '云帆' },
        ],
      },
    })
    await phone.page.locator('.vf-swipe').first().waitFor()
    await finger('.vf-swipe', -150)
    await expect
      .poll(() => phone.page.locator('.vf-swipe-track').first().getAttribute('style'))
      .toContain('translate3d(-')
    await phone.page.waitForTimeout(400)
    await phone.picture('widgets-list-swipe')
    await phone.page.getByRole('button', { name: '打电话' }).first().click()
    await expect.poll(told).toEqual(['星海'])

    const track = phone.page.locator('.vf-swipe-track').first()
    const isOpen = async () => (await track.getAttribute('style'))?.includes('translate3d(-') === true
    await expect.poll(isOpen).toBe(false)
    await swipe('.vf-swipe', -150)
    await expect.poll(isOpen).toBe(true)
    await phone.page.waitForTimeout(300)
    await phone.page.mouse.click(40, 25)
    await expect.poll(isOpen).toBe(false)
    expect(await told()).toEqual(['星海'])

    await finger('.vf-swipe', -150)
    await expect.poll(isOpen).toBe(true)
    await phone.page.getByText('云帆').click()
    await expect.poll(isOpen).toBe(false)
    await expect.poll(told).toEqual(['星海', 'opened'])
  })
})

describe('a long press', () => {
  const list = inside('list', 'rows', [aWidget('static-text', 'n', { textContent: '{{ row.name }}' })], {
    bind: 'data.rows',
    on: { rowLongPress: toast('held'), rowClick: toast('tapped') },
  })
  const open = () => phone.show(aDocument([list]), { data: { rows: [{ id: 1, name: '星海' }] } })
  const press = async (ms: number, by = 0) => {
    const box = await phone.page.locator('.vf-card').boundingBox()
    const [x, y] = [(box?.x ?? 0) + 100, (box?.y ?? 0) + 10]
    await phone.page.mouse.move(x, y)
    await phone.page.mouse.down()
    if (by > 0) await phone.page.mouse.move(x + by, y)
    await phone.page.waitForTimeout(ms)
    await phone.page.mouse.up()
    await phone.page.waitForTimeout(50)
  }

  it('is reported after 350 ms, and suppresses the tap after it', async () => {
    await open()
    await press(500)
    expect(await told()).toEqual(['held'])
  })
  it('is not reported if the finger leaves early or moves more than 10 px', async () => {
    await open()
    await press(200)
    expect(await told()).toEqual(['tapped'])
    await open()
    await press(500, 14)
    expect(await told()).not.toContain('held')
  })
})

describe('pictures', () => {
  it('are loaded only within 500 px of the screen', async () => {
    await show(
      aWidget('static-text', 'top', { textContent: '顶' }),
      aWidget('html-text', 'h', {
        htmlContent: `<p>${'长文<br>'.repeat(60)}</p><img src="/far.png" alt="远处">`,
        errorImg: PICTURE,
        on: { error: toast('broken') },
      }),
    )
    const image = phone.page.getByRole('img', { name: '远处' })
    expect(await image.getAttribute('data-near')).toBe('false')
    expect(await image.getAttribute('src')).toContain('data:image/gif')

    await phone.page.evaluate(() => window.scrollTo(0, 500))

    await expect.poll(() => image.getAttribute('data-near')).toBe('true')
    await expect.poll(told).toEqual(['broken'])
    expect(await image.getAttribute('src')).toBe(PICTURE)
  })
})

describe('a rich text', () => {
  it('groups a long text, and keeps its order', async () => {
    const htmlContent = Array.from({ length: 60 }, (_, i) => `<p>第${i}段</p>`).join('')
    await show(aWidget('html-text', 'h', { htmlContent }))
    expect(await phone.page.locator('.vf-html > *').count()).toBe(1)
    expect(await phone.page.locator('.vf-html p').allTextContents()).toEqual(
      Array.from({ length: 60 }, (_, i) => `第${i}段`),
    )
  })

  it('shows its pictures enlarged, reports a tap on a link, and tries the next source of a video', async () => {
    const on: Json = { linktap: toast('link'), imgtap: toast('picture'), error: toast('failed') }
    const htmlContent = `<img src="${PICTURE}" alt="合影"><a href="#/pages/index">首页</a><video><source src="/a.mp4"><source src="/b.mp4"></video>`
    await show(aWidget('html-text', 'h', { htmlContent, on }))
    await expect.poll(told).toContain('failed')
    expect(await phone.page.getByText('视频无法播放').isVisible()).toBe(true)

    await phone.page.getByText('首页').click()
    await phone.page.getByRole('button', { name: '查看合影' }).click()

    await phone.page.getByRole('dialog').waitFor()
    expect(await told()).toEqual(expect.arrayContaining(['link', 'picture']))
    await phone.page.keyboard.press('Escape')
    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('a link of a rich text', () => {
  const far = '<p>段落</p>'.repeat(60)

  it.each(['/pages/index?id=1', '#/pages/index?id=1'])('to %s opens a page of the app', async (href) => {
    await show(aWidget('html-text', 'h', { htmlContent: `<a href="${href}">首页</a>` }))
    const before = phone.page.url()

    await phone.page.getByText('首页').click()

    expect(await phone.asked()).toContainEqual(['open', '/pages/index?id=1'])
    expect(phone.page.url()).toBe(before)
  })

  it('to an anchor scrolls there, and leaves the address unchanged', async () => {
    await show(
      aWidget('html-text', 'h', { htmlContent: `<a href="#clause">见第九条</a>${far}` }),
      aWidget('html-text', 'i', { htmlContent: `<h3 id="clause">第九条</h3>${far}` }),
    )
    const before = phone.page.url()

    await phone.page.getByText('见第九条').click()

    const top = () => phone.page.locator('h3').evaluate((one) => one.getBoundingClientRect().top)
    await expect.poll(top).toBeLessThan(200)
    expect(phone.page.url()).toBe(before)
    expect(await phone.page.locator('#clause').count()).toBe(0)
  })
})

describe('a grid', () => {
  const column = (name: string, options: JsonObject) =>
    aWidget('grid-col', name, options, {
      category: 'container',
      widgetList: [
        aWidget('input', `${name}i`, { label: '名称', defaultValue: '杭州星海科技有限公司' }),
      ] as readonly Json[],
    })
  const grid = (cols: readonly JsonObject[], options: JsonObject = {}) =>
    aWidget('grid', 'g', options, { category: 'container', cols: cols as readonly Json[] })
  const boxes = () =>
    phone.page.locator('.vf-grid > div').evaluateAll((all) =>
      all.map((one) => {
        const box = one.firstElementChild?.getBoundingClientRect()
        return box ? [Math.round(box.left), Math.round(box.width)] : []
      }),
    )
  const overflow = () =>
    phone.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

  it.each([0, 20, 40, 400])(
    'with a gutter of %d px stays on the screen, with columns of equal width',
    async (gutter) => {
      await show(
        grid([column('a', { span: 12 }), column('b', { span: 12 }), column('c', { span: 8 })], { gutter }),
      )

      const [[left = 0, wide] = [], [next = 0, wide2] = []] = await boxes()
      expect(wide).toBe(wide2)
      if (gutter < 100) expect(next - left - (wide ?? 0)).toBe(gutter)
      expect(await overflow()).toBe(0)
    },
  )

  it('adds the offset of a column to the end of the previous one', async () => {
    await show(
      grid([column('a', { span: 6 }), column('b', { span: 6, offset: 6 }), column('c', { span: 6 })]),
    )

    const [[a = 0, width = 0] = [], [b] = [], [c] = []] = await boxes()
    expect([b, c].map((left) => Math.round(((left ?? 0) - a) / (width / 6)))).toEqual([12, 18])
  })

  it('keeps a column on the screen that is pushed beyond it, and leaves no space for a hidden one', async () => {
    await show(
      grid([
        column('a', { span: 12, hidden: true }),
        column('b', { span: 12, pull: 20 }),
        column('c', { span: 12, push: 20 }),
      ]),
    )

    expect((await boxes()).map(([left]) => left)).toEqual([expect.any(Number), 195])
    expect(await overflow()).toBe(0)
  })
})

describe('a video', () => {
  it('has labelled controls of 44 px, and reports that none of its sources can be played', async () => {
    await show(aWidget('video', 'v', { label: '产品介绍', src: ['/a.mp4'], on: { error: toast('failed') } }))
    await expect.poll(told).toEqual(['failed'])
    expect(await phone.page.getByRole('alert').textContent()).toBe('视频无法播放')
  })

  it('hides its controls three seconds after the last touch while it plays', async () => {
    const film = Buffer.from(await phone.page.evaluate(recordFilm), 'base64')
    await phone.page.route('**/film.webm', (route) =>
      route.fulfill({ contentType: 'video/webm', body: film }),
    )
    await show(aWidget('video', 'v', { label: '产品介绍', title: '介绍', src: '/film.webm', loop: true }))
    const bar = phone.page.locator('.vf-video-controls')
    const away = () => bar.evaluate((one) => one.classList.contains('vf-away'))
    await bar.waitFor()
    expect(await smallTargets(phone.page, '.vf-video')).toEqual([])

    await phone.page.getByRole('button', { name: '播放' }).last().click()
    await phone.page.getByRole('button', { name: '暂停' }).waitFor()
    await phone.picture('widgets-video')
    await phone.page.waitForTimeout(1500)
    expect(await away()).toBe(false)
    await expect.poll(away).toBe(true)

    await phone.page.locator('.vf-video').click({ position: { x: 200, y: 100 } })
    expect(await away()).toBe(false)
  })
})

describe('a search bar', () => {
  it('offers the last searches while it is empty and focused', async () => {
    await show(aWidget('search-bar', 'q', { label: '', placeholder: '搜索客户', recent: true }))
    const box = phone.page.getByRole('searchbox')
    for (const word of ['星海', '云帆']) {
      await box.fill(word)
      await box.press('Enter')
    }
    await phone.page.getByRole('button', { name: '清除' }).click()
    await box.blur()
    await box.focus()

    expect(await phone.page.locator('.vf-recent .vf-chip').allTextContents()).toEqual(['云帆', '星海'])
    await phone.picture('widgets-recent')
    expect(await seriousFaults(phone.page)).toEqual([])
    await phone.page.locator('.vf-recent .vf-chip').nth(1).tap()
    await expect.poll(() => phone.page.evaluate(() => window.stage.engine().values().q)).toBe('星海')
  })
})

describe('groups', () => {
  const inner = () => [aWidget('input', 'inner', { required: true })]

  it('open for a fault in them, and report when they are opened', async () => {
    const on = toast('{{ args.0 }}')
    for (const options of [{ folded: true, showFold: true }, { openOn: { var: 'data.more' } }]) {
      await show(inside('cell-group', 'g', inner(), { label: '更多', on: { toggle: on }, ...options }))
      expect(await phone.page.locator('[data-field="inner"]').count()).toBe(0)
      await phone.page.evaluate(() => {
        void window.stage.engine().validate()
        void window.stage.engine().reveal('inner')
      })
      await expect
        .poll(() =>
          phone.page.evaluate(() => document.activeElement?.closest('[data-field="inner"]') != null),
        )
        .toBe(true)
      expect(await phone.page.locator('[data-field="inner"] .vf-error').isVisible()).toBe(true)
    }
    await show(inside('cell-group', 'g', inner(), { label: '更多', showFold: true, on: { toggle: on } }))
    const head = phone.page.getByRole('button', { name: '更多' })
    await head.click()
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await head.click()
    expect(await head.getAttribute('aria-expanded')).toBe('true')
    expect(await told()).toEqual(['false', 'true'])
  })

  it('stay hidden with their title while their rule keeps them closed', async () => {
    await show(
      aWidget('switch', 'all', { label: '全部' }),
      inside('cell-group', 'g', inner(), { label: '其余', openOn: { var: 'form.all' } }),
    )
    expect(await phone.page.getByText('其余').count()).toBe(0)
    await phone.page.getByRole('switch').click()
    expect(await phone.page.getByText('其余').isVisible()).toBe(true)
  })
})

it('are hidden with their title while all their children are', async () => {
  const rule = { visibleOn: { var: 'form.all' } }
  await show(
    aWidget('switch', 'all', { label: '全部' }),
    inside('cell-group', 'g', [aWidget('input', 'a', rule), aWidget('input', 'b', rule)], {
      label: '其余',
      inset: true,
    }),
    inside('cell-group', 'none', [], { label: '待放入' }),
  )
  expect(await phone.page.getByText('其余').isVisible()).toBe(false)
  expect(await phone.page.getByText('待放入').isVisible(), 'something can be put into it').toBe(true)
  await phone.page.getByRole('switch').click()
  expect(await phone.page.getByText('其余').isVisible()).toBe(true)
})

describe('panels and tabs', () => {
  it('open one at a time as an accordion', async () => {
    const item = (name: string) =>
      inside('collapse-item', name, [aWidget('static-text', `${name}t`, { textContent: `内容${name}` })], {
        title: `面板${name}`,
        expand: name === 'a',
      })
    for (const options of [{ accordion: true }, {}]) {
      await show(inside('collapse', 'c', [item('a'), item('b')], options))
      await phone.page.getByRole('button', { name: '面板b' }).click()
      expect(await phone.page.getByText('内容b').isVisible()).toBe(true)
      expect(await phone.page.getByText('内容a').count()).toBe(0)
    }
    await show(inside('collapse', 'c', [item('a'), item('b')], { accordion: false }))
    await phone.page.getByRole('button', { name: '面板b' }).click()
    expect(await phone.page.getByText('内容a').isVisible()).toBe(true)
  })

  it('report index, name and title, and have the colour of their line', async () => {
    const tabs = ['甲', '乙'].map((label, i) => inside('tab-pane', `pane${i}`, [], { label }))
    await phone.show(
      aDocument([
        aWidget(
          'tab',
          't',
          { colorStyle: 'rgb(255, 0, 0)' },
          { category: 'container', tabs: tabs as readonly Json[] },
        ),
      ]),
    )
    const tab = phone.page.getByRole('tab', { name: '甲' })
    expect(await tab.evaluate((one) => getComputedStyle(one, '::after').backgroundColor)).toBe(
      'rgb(255, 0, 0)',
    )
  })
})

describe('paper', () => {
  /** Number of sheets of A4 that the page takes. */
  const sheets = async () =>
    (await phone.page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g)?.length
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `第 ${at + 1} 行`).join('\n')
  const NAMES = ['甲', '乙', '丙']

  // Each is a little more than half a sheet: in one piece they take three sheets, flowing on less than two.
  it.each([
    [
      'a text with breaks, such as the place to sign',
      NAMES.map((name) => aWidget('static-text', name, { textContent: lines(32), preWrap: true })),
    ],
    [
      'a fact with its label',
      [aWidget('descriptions', 'facts', { items: NAMES.map((label) => ({ label, text: lines(28) })) })],
    ],
  ])('keeps on one sheet: %s', async (_, widgets) => {
    await show(...widgets)
    await phone.page.getByText('丙').or(phone.page.getByText('第 32 行')).last().waitFor()

    expect(await sheets()).toBe(3)
  })
})

/** One second of video as base64: drawn on a canvas and recorded by the browser itself. */
async function recordFilm(): Promise<string> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' })
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  recorder.start()
  for (let i = 0; i < 20; i += 1) {
    pen?.fillRect(i * 10, i * 5, 20, 20)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await new Promise((resolve) => {
    recorder.onstop = resolve
    recorder.stop()
  })
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})
