import { describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

const PAGES = [
  ['/pages/vform/index', '表单演示'],
  ['/pages/vform/vformRender/props', '渲染器属性'],
  ['/pages/vform/vformRender/formEvents', '表单事件'],
  ['/pages/vform/vformRender/formActions', '表单操作'],
  ['/pages/vform/containers/index', '容器'],
  ['/pages/vform/widgets/index', '组件'],
  ['/pages/vform/gestures/index', '手势与媒体'],
  ['/pages/vform/json/index', 'JSON 数据'],
  ['/pages/vform/template/index', '模板'],
] as const

describe('the demo pages', () => {
  const stage = aStage()

  it('open without a login, draw everything and log no errors', async () => {
    const phone = await stage.phone(PAGES[0][0])
    const { page } = phone
    for (const [path, title] of PAGES) {
      await page.goto(`${stage.product().url}/#${path}`)
      await arrive(phone, path)
      await inSight(page).getByRole('heading', { name: title, exact: true }).first().waitFor()
      await inSight(page).locator('[data-widget]').first().waitFor()

      await phone.picture(`vform${path.slice('/pages/vform'.length).replaceAll('/', '-')}`)
      expect(await page.getByText('WIDGET_FAILED').count(), path).toBe(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(390)
    }
  })

  it('open at their address without vformRender as well', async () => {
    const phone = await stage.phone('/pages/vform/formEvents')

    await inSight(phone.page).getByText('onFormCreated').waitFor()
  })

  it('apply properties as they are set', async () => {
    const phone = await stage.phone('/pages/vform/vformRender/props')
    const { page } = phone

    await box(page, 'labelText').fill('负责人')
    await inSight(page).getByRole('checkbox', { name: '禁用' }).check()

    await expect.poll(() => field(page, 'target').innerText()).toContain('负责人')
    expect(await box(page, 'target').isDisabled()).toBe(true)
    await box(page, 'qty').fill('5')
    await expect.poll(() => box(page, 'total').inputValue()).toBe('600')
  })

  it('report events in the order of the format', async () => {
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

  it('run the script of a dialog before it closes; its input belongs to the page', async () => {
    const phone = await stage.phone('/pages/vform/containers/index')
    const { page } = phone
    await button(page, '对话框 dialog').click()
    const dialog = page.getByRole('dialog', { name: '登记来访' })
    await expect.poll(() => dialog.getByRole('textbox').inputValue()).toBe('李娜')
    await dialog.getByRole('textbox').fill('')
    await dialog.getByRole('button', { name: '登记' }).click()
    await toasted(phone, '请填写来访人')
    expect(await dialog.isVisible()).toBe(true)

    await dialog.getByRole('textbox').fill('王芳')
    await phone.picture('vform-containers-dialog')
    await dialog.getByRole('button', { name: '登记' }).click()

    await dialog.waitFor({ state: 'detached' })
    await inSight(page).getByText('来访人：王芳').waitFor()
    await button(page, '抽屉 drawer').click()
    await page.getByRole('dialog', { name: '更多条件' }).waitFor()
    await page.waitForTimeout(350)
    await phone.picture('vform-containers-drawer')
    await page.getByRole('button', { name: '查询' }).click()
  })

  it('reload a page that is pulled down far enough, and otherwise spring back', async () => {
    const phone = await stage.phone('/pages/vform/gestures/index')
    const { page } = phone
    await expect.poll(() => box(page, 'pulled').inputValue()).toBe('0')
    const touch = await phone.context.newCDPSession(page)
    const pull = async (by: number) => {
      const at = (type: 'touchStart' | 'touchMove', y: number) =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x: 200, y }] })
      await at('touchStart', 200)
      for (let step = 1; step <= 10; step += 1) await at('touchMove', 200 + (by * step) / 10)
      const said = await inSight(page).locator('.vf-pull').innerText()
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      return said
    }

    expect(await pull(100)).toBe('下拉刷新')
    await inSight(page).locator('.vf-pull-idle').waitFor({ state: 'attached' })
    expect(await box(page, 'pulled').inputValue()).toBe('0')
    expect(await pull(220)).toBe('松开立即刷新')
    await expect.poll(() => box(page, 'pulled').inputValue()).toBe('1')
    await inSight(page).locator('.vf-pull-idle').waitFor({ state: 'attached' })
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect.poll(() => box(page, 'reached').inputValue()).toBe('1')
  })

  it('run the methods that their buttons name', async () => {
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

  it('validate, draw and describe a pasted form; for a broken form they show the fault and its position', async () => {
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

  it('fill in and read a template', async () => {
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
