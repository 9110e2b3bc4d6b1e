import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, logIn, toasted } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage } from '../support/stage.ts'

const PAGES = [
  ['/pages/vform/index', '表单演示'],
  ['/pages/vform/vformRender/props', '渲染器属性'],
  ['/pages/vform/vformRender/formEvents', '表单事件'],
  ['/pages/vform/vformRender/formActions', '表单操作'],
  ['/pages/vform/containers/index', '容器'],
  ['/pages/vform/widgets/index', '组件'],
  ['/pages/vform/json/index', 'JSON 数据'],
  ['/pages/vform/template/index', '模板'],
] as const

describe('the demo pages', { timeout: 60_000 }, () => {
  const stage = aStage()

  async function signedIn(path: string): Promise<Phone> {
    const phone = await stage.phone('/pages/my/index')
    await logIn(phone)
    await arrive(phone, '/pages/my/index')
    await phone.page.goto(`${stage.product().url}/#${path}`)
    await arrive(phone, path)
    return phone
  }

  it.each(PAGES)('%s opens, draws everything it holds and complains of nothing', async (path, title) => {
    const phone = await signedIn(path)

    await phone.page.getByRole('heading', { name: title, exact: true }).first().waitFor()
    await inSight(phone.page).locator('[data-widget]').first().waitFor()
    await phone.page.waitForTimeout(500)

    await phone.picture(`vform${path.slice('/pages/vform'.length).replaceAll('/', '-')}`)
    expect(await phone.page.getByText('WIDGET_FAILED').count()).toBe(0)
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  it('are there without a login, and at the address without vformRender', async () => {
    const phone = await stage.phone('/pages/vform/formEvents')

    await inSight(phone.page).getByText('onFormCreated').waitFor()
  })

  it('properties take effect as they are set', async () => {
    const phone = await stage.phone('/pages/vform/vformRender/props')
    const { page } = phone

    await box(page, 'labelText').fill('负责人')
    await inSight(page).getByRole('checkbox', { name: '禁用' }).check()

    await expect.poll(() => field(page, 'target').innerText()).toContain('负责人')
    expect(await box(page, 'target').isDisabled()).toBe(true)
    await box(page, 'qty').fill('5')
    await expect.poll(() => box(page, 'total').inputValue()).toBe('600')
  })

  it('events are told in the order of the format', async () => {
    const phone = await stage.phone('/pages/vform/vformRender/formEvents')
    const { page } = phone
    const log = inSight(page).locator('[data-key="log"]')
    await log.getByText('onFormMounted').waitFor()
    await button(page, '清空').click()
    await log.getByText('还没有事件').waitFor()

    await box(page, 'name').fill('甲')
    await box(page, 'name').blur()

    await expect
      .poll(async () => (await log.innerText()).split('\n').map((row) => row.split('  ')[0]))
      .toEqual([
        'name onValidate',
        'name onBlur',
        'name onValidate',
        'onFormDataChange',
        'name onChange',
        'name onInput',
        'name onFocus',
      ])
  })

  it('methods do what their buttons say', async () => {
    const phone = await stage.phone('/pages/vform/vformRender/formActions')
    const { page } = phone
    const result = inSight(page).locator('[data-key="result"]')

    await button(page, 'validateForm').click()
    await result.getByText('false').waitFor()
    await button(page, 'setFormData').click()
    await expect.poll(() => box(page, 'rows.0.item').inputValue()).toBe('方案')
    await button(page, 'addSubFormRow').click()
    await box(page, 'rows.1.item').waitFor()
    await button(page, 'disableSubForm').click()

    await expect.poll(() => box(page, 'rows.1.item').isDisabled()).toBe(true)
    await expect.poll(() => button(page, '新增').isDisabled()).toBe(true)
  })

  it('a pasted form is checked, drawn, and told about; a broken one says what is wrong and where', async () => {
    const phone = await stage.phone('/pages/vform/json/index')
    const { page } = phone
    const sample = async (name: string) => {
      await button(page, '示例').click()
      await page.getByText(name, { exact: true }).click()
    }

    await sample('有错误的 JSON')
    await inSight(page).getByText('WIDGET_UNKNOWN /widgetList/0/type').waitFor()
    await phone.picture('vform-json-broken')

    await sample('带脚本的表单')
    await box(page, 'first').fill('王')
    await box(page, 'first').blur()
    await expect.poll(() => box(page, 'full').inputValue()).toBe('王')
    await inSight(page).locator('[data-key="eventsText"]').getByText('change first "王"').waitFor()
    await inSight(page).locator('[data-key="valuesText"]').getByText('"full": "王"').waitFor()

    await box(page, 'source').fill(
      '{"formConfig":{},"widgetList":[{"type":"input","formItemFlag":true,"options":{"name":"mine","label":"我的字段","required":true}}]}',
    )
    await button(page, '渲染').click()
    await box(page, 'mine').waitFor()
    await button(page, '校验').click()
    await field(page, 'mine').getByRole('alert').waitFor()
    await phone.picture('vform-json-drawn')
  })

  it('a template is filled in and read', async () => {
    const phone = await stage.phone('/pages/vform/template/index')
    const { page } = phone

    await inSight(page).getByRole('radio', { name: '报价单' }).check()
    await box(page, 'lines.0.product').fill('云服务')
    await box(page, 'lines.0.qty').fill('3')
    await box(page, 'lines.0.price').fill('200')
    await expect.poll(() => box(page, 'total').inputValue()).toBe('600')
    await button(page, '阅读模式').click()

    await inSight(page).getByRole('cell', { name: '云服务' }).waitFor()
    await phone.picture('vform-template-read')
    await button(page, '阅读模式').click()
    await button(page, '校验').click()
    await field(page, 'title').getByRole('alert').waitFor()
    await box(page, 'title').fill('年度报价')
    await button(page, '校验').click()
    await toasted(phone, '校验通过')
  })
})
