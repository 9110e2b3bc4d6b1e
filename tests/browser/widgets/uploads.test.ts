import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { aDocument, aWidget } from '../../support/a-page.ts'
import { seriousFaults } from '../../support/axe.ts'
import { type OpenStage, openStage, type StagePhone } from '../stage/open-stage.ts'
import type { StageWorld } from '../stage/ports.ts'
import { PICTURE } from './every-widget.ts'
import { smallTargets } from './looks.ts'

let stage: OpenStage
let phone: StagePhone
beforeAll(async () => {
  stage = await openStage()
  phone = await stage.phone()
})
afterAll(() => stage.close())

const value = () => phone.page.evaluate(() => window.stage.engine().values().f)
const show = (type: string, options: JsonObject, world: StageWorld = {}) =>
  phone.show(aDocument([aWidget(type, 'f', { label: '附件', ...options })]), world)
const pick = (...names: string[]) =>
  phone.page
    .locator('input[type="file"]')
    .setInputFiles(
      names.map((name) => ({ name, mimeType: 'application/octet-stream', buffer: Buffer.from('x') })),
    )
const told = async (what: string) =>
  (await phone.asked()).filter(([name]) => name === what).map(([, text]) => text)

describe('pictures', () => {
  it('are uploaded, stored and shown; the add tile disappears at the maximum', async () => {
    await show(
      'picture-upload',
      { limit: 2, multipleSelect: true },
      { uploaded: { name: 'a.png', url: PICTURE } },
    )
    expect(await phone.page.getByText('0/2').isVisible()).toBe(true)

    await pick('a.png', 'b.png')

    await expect.poll(async () => ((await value()) as unknown[]).length).toBe(2)
    expect(await phone.page.locator('.vf-picture-add').count()).toBe(0)
  })

  it('show a progress of at least five percent, and a text that they are uploading', async () => {
    await show('picture-upload', {}, { uploaded: { name: 'a.png', url: PICTURE }, uploadsEndOn: 'arrived' })
    await pick('a.png')

    const bar = phone.page.getByRole('progressbar', { name: '正在上传 a.png' })
    await bar.waitFor()
    expect(await bar.getAttribute('aria-valuenow')).toBe('49')
    expect(await bar.locator('i').evaluate((one) => (one as HTMLElement).style.width)).toBe('49%')
    await phone.picture('widgets-uploading')
    await phone.page.evaluate(() => dispatchEvent(new Event('arrived')))
    await bar.waitFor({ state: 'detached' })
  })

  it('of a storage are drawn from the current URL of their id, and keep the id', async () => {
    const id = 'cloud://env-1/a.png'
    const old = { name: 'b.png', fileID: 'cloud://env-1/b.png', url: 'https://cos.example/ended' }
    const addresses = { [id]: PICTURE, [old.fileID]: `${PICTURE}#b` }
    await show(
      'picture-upload',
      { limit: 3 },
      { values: { f: [{ name: 'a.png', url: id }, old] }, addresses },
    )

    const pictures = phone.page.locator('.vf-picture img')
    await expect
      .poll(() => pictures.evaluateAll((all) => all.map((one) => one.getAttribute('src'))))
      .toEqual([PICTURE, `${PICTURE}#b`])
    expect(await value()).toEqual([{ name: 'a.png', url: id }, old])

    await phone.page.getByRole('button', { name: '查看a.png' }).click()
    await expect.poll(() => phone.page.locator('.vf-preview img').first().getAttribute('src')).toBe(PICTURE)
    await phone.page.keyboard.press('Escape')
  })

  it('that failed are uploaded again by a tap', async () => {
    await show('picture-upload', {}, { uploads: [null, { name: 'a.png', url: PICTURE }] })
    await pick('a.png')
    const retry = phone.page.getByRole('button', { name: '点击重试' })
    await retry.waitFor()
    expect(await told('toast')).toEqual(['上传失败，请检查网络'])
    await phone.picture('widgets-upload-failed')
    expect(await seriousFaults(phone.page)).toEqual([])
    expect(await smallTargets(phone.page, '.vf-pictures')).toEqual([])

    await retry.click()

    await expect.poll(value).toEqual([{ name: 'a.png', url: PICTURE }])
  })

  it('are deleted after confirmation', async () => {
    await show('picture-upload', {}, { values: { f: [{ name: 'a.png', url: PICTURE }] } })
    await phone.page.getByRole('button', { name: '删除a.png' }).click()
    await expect.poll(value).toEqual([])
    expect(await told('modal')).toEqual(['您确定要删除吗？'])
  })

  it('are enlarged from the tapped one on; Escape closes', async () => {
    await show(
      'picture-upload',
      {},
      {
        values: {
          f: [
            { name: 'a.png', url: PICTURE },
            { name: 'b.png', url: `${PICTURE}#2` },
          ],
        },
      },
    )
    await phone.page.getByRole('button', { name: '查看b.png' }).click()
    await phone.page.getByRole('dialog').waitFor()
    await expect.poll(() => phone.page.getByRole('status').textContent()).toContain('第 2 张，共 2 张')
    await phone.page.waitForTimeout(400)
    await phone.picture('widgets-preview')
    expect(await seriousFaults(phone.page)).toEqual([])
    await phone.page.keyboard.press('ArrowLeft')
    expect(await phone.page.getByRole('status').textContent()).toContain('第 1 张，共 2 张')

    await phone.page.keyboard.press('Escape')

    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('zoom to four times by pinching when enlarged, and close with a tap', async () => {
    await show('picture-upload', {}, { values: { f: [{ name: 'a.png', url: PICTURE }] } })
    await phone.page.getByRole('button', { name: '查看a.png' }).click()
    await phone.page.getByRole('dialog').waitFor()
    const touch = await phone.context.newCDPSession(phone.page)
    const fingers = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 400, id })) })

    await fingers('touchStart', 190, 200)
    await fingers('touchMove', 20, 370)
    await fingers('touchEnd')
    expect(await phone.page.locator('.vf-preview-page img').evaluate((one) => one.style.transform)).toContain(
      'scale(4)',
    )

    await phone.page.touchscreen.tap(200, 600)

    await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('close with a tap that does not reach the page below, even if the finger slips', async () => {
    await phone.show(
      aDocument([
        aWidget('picture-upload', 'f', { label: '字段' }),
        aWidget('textarea', 'long', { label: '更下面', rows: 40 }),
      ]),
      { values: { f: [{ name: 'a.png', url: PICTURE }] } },
    )
    const touch = await phone.context.newCDPSession(phone.page)
    for (const slip of [0, 18]) {
      await phone.page.getByRole('button', { name: '查看a.png' }).click()
      await phone.page.getByRole('dialog').waitFor()
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: 250, y: 500 }] })
      if (slip > 0)
        await touch.send('Input.dispatchTouchEvent', {
          type: 'touchMove',
          touchPoints: [{ x: 250 + slip, y: 500 }],
        })
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await phone.page.getByRole('dialog').waitFor({ state: 'detached' })
      await phone.page.waitForTimeout(400)
      expect(await phone.page.evaluate(() => document.activeElement?.tagName)).not.toBe('TEXTAREA')
    }
    // A browser may take a quick second tap at the same place as a double tap: then the next one counts.
    await expect
      .poll(async () => {
        await phone.page.touchscreen.tap(250, 500)
        return phone.page.evaluate(() => document.activeElement?.tagName)
      })
      .toBe('TEXTAREA')
  })

  it('come from the camera or the album if the page declares it', async () => {
    await show('picture-upload', { capture: 'camera' })
    const input = phone.page.locator('input[type="file"]')
    expect(await input.getAttribute('capture')).toBe('environment')
    expect(await input.getAttribute('accept')).toBe('image/*')
    await show('picture-upload', { capture: 'album' })
    expect(await input.getAttribute('capture')).toBeNull()
    expect(await input.getAttribute('accept')).toBe('.jpg,.jpeg,.png')
  })

  it.each([['disabled'], ['readonly']])('can only be viewed while %s', async (state) => {
    await show('picture-upload', { [state]: true }, { values: { f: [{ name: 'a.png', url: PICTURE }] } })
    expect(await phone.page.locator('.vf-picture-add, .vf-picture-delete').count()).toBe(0)
    expect(await phone.page.getByRole('button', { name: '查看a.png' }).isVisible()).toBe(true)
  })
})

describe('files', () => {
  it('are refused by count, type and size with one message each', async () => {
    await show('file-upload', { limit: 1, fileTypes: ['docx'], multipleSelect: true })
    await pick('a.docx', 'b.docx')
    await pick('a.exe')
    expect(await told('toast')).toEqual(['文件不能超过1个', '文件类型不支持'])
    expect(await value()).toEqual([])
  })

  it('are opened by a tap; a failed opening is reported', async () => {
    await show(
      'file-upload',
      { uploadButtonText: '上传合同' },
      {
        values: { f: [{ name: '合同.docx', url: '/files/1' }] },
        opensDocuments: false,
      },
    )
    expect(await phone.page.getByText('上传合同').isVisible()).toBe(true)
    await phone.page.getByRole('button', { name: '合同.docx', exact: true }).click()
    await expect.poll(() => told('toast')).toEqual(['文件不支持预览'])
    expect(await told('openDocument')).toEqual(['/files/1'])
  })

  it('that failed stay in the list and can be uploaded again or removed', async () => {
    await show('file-upload', {}, { uploaded: null })
    await pick('合同.docx')
    await phone.page.getByRole('button', { name: '点击重试' }).waitFor()
    await phone.picture('widgets-file-failed')
    expect(await seriousFaults(phone.page)).toEqual([])
    expect(await smallTargets(phone.page, '.vf-files')).toEqual([])

    await phone.page.getByRole('button', { name: '删除合同.docx' }).click()

    await phone.page.getByText('合同.docx').waitFor({ state: 'detached' })
    expect(await told('modal')).toEqual(['您确定要删除吗？'])
  })
})

describe('the file picker', () => {
  it('rejects files of another type and reports their number', async () => {
    await show(
      'file-picker',
      { fileExtname: 'png', title: '名片' },
      { uploaded: { name: 'a.png', url: PICTURE } },
    )
    await pick('a.png', 'b.gif')
    await expect.poll(async () => ((await value()) as unknown[]).length).toBe(1)
    expect(await told('toast')).toEqual(['当前选择了2个文件 ，1 个文件格式不正确'])
    expect(await phone.page.getByText('名片').isVisible()).toBe(true)
  })

  it('is a list for files, accepts one as an object, and draws its tiles in the given size', async () => {
    await show(
      'file-picker',
      { fileMediatype: 'all', returnType: 'object' },
      { uploaded: { name: 'a', url: '/a' } },
    )
    expect(await phone.page.locator('.vf-files').count()).toBe(1)
    expect(await phone.page.locator('input[type="file"]').getAttribute('multiple')).toBeNull()
    await show('file-picker', { imageStyles: { width: 120, height: 80 } })
    const tile = await phone.page.locator('.vf-picture-add').boundingBox()
    expect([tile?.width, tile?.height]).toEqual([120, 80])
  })
})

it('nothing was logged to the console', () => {
  expect(phone.complaints()).toEqual([])
})
