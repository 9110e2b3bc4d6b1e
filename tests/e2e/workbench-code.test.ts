import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ask, goTo } from '../support/acts.ts'
import type { Phone } from '../support/phone.ts'
import { aStage, type Stage } from '../support/stage.ts'

describe('data and code in the workbench', { timeout: 120_000 }, () => {
  const stage = aStage()

  it('a data source is created without JSON, and tested: the request, the answer, and the result of its code', async () => {
    const { desk, bench } = await atWork(stage.signedIn, 'bench-source')
    await bench.getByRole('tab', { name: '数据' }).click()
    await bench.getByRole('button', { name: '添加数据源' }).click()
    await bench.getByRole('textbox', { name: '名称', exact: true }).fill('goods')
    await bench.getByRole('combobox', { name: '方式' }).selectOption('POST')
    await bench.getByRole('textbox', { name: '地址', exact: true }).fill('/mini/product/list')
    await bench.getByRole('combobox', { name: '什么时候取' }).selectOption('打开页面时，读到的值变了再取')
    const sent = bench.getByRole('group', { name: '提交的内容' })
    await sent.getByRole('button', { name: '添加提交的内容' }).click()
    await sent.getByRole('textbox', { name: '第 1 项的名称' }).fill('limit')
    await sent.getByRole('combobox', { name: '第 1 项的类型' }).selectOption('数字')
    await sent.getByRole('textbox', { name: '第 1 项的值' }).fill('2')
    await bench.locator('summary').getByText('处理代码').click()
    const handler = bench.getByLabel('收到结果后的代码 dataHandlerCode')
    await handler.click()
    await desk.page.keyboard.insertText('return { names: result.data.data.list.map((one) => one.name) }')
    await bench.getByText('草稿 · 已保存').waitFor()
    const tried = bench.getByRole('region', { name: '试一试' })
    // The page is reopened with the new source a moment later.
    const result = async () => {
      await tried.getByRole('button', { name: '试一试' }).click()
      return (await tried.locator('pre').allTextContents()).at(-1) ?? ''
    }
    await expect.poll(result, { timeout: 15_000 }).toContain('"names"')
    await desk.picture('bench-source')
    expect(await tried.locator('pre').first().textContent()).toMatch(
      /POST \/mini\/product\/list[\s\S]*"limit": 2/,
    )
    expect(await tried.locator('pre').nth(1).textContent()).toMatch(/^200[\s\S]*"meta"/)
    expect(JSON.parse((await tried.locator('pre').nth(2).textContent()) ?? '').names).toHaveLength(2)
  })

  it('code has completion, warnings for code without effect, and a preview that sends no reports', async () => {
    const { desk, bench } = await atWork(stage.signedIn, 'bench-words')
    const { keyboard } = desk.page
    await bench.locator('summary').getByText('页面代码与样式').click()
    const css = bench.getByLabel('样式（CSS） cssCode')
    await css.click()
    await keyboard.insertText('.vip { position: fixed; color: red }')
    await bench.locator('.cm-lintRange-warning').first().waitFor()
    expect(await bench.locator('.cm-lintRange-warning').first().textContent()).toBe('position: fixed')

    await bench.getByRole('button', { name: '代码', exact: true }).click()
    const code = bench.getByLabel('代码', { exact: true })
    const line = code.locator('.cm-line').filter({ hasText: '"title"' })
    await line.click()
    await keyboard.press('End')
    await keyboard.type(', "per')
    const offered = bench.locator('.cm-tooltip-autocomplete')
    await offered.getByText('打开所需权限').waitFor()
    await desk.picture('bench-complete')
    await offered.getByText('打开所需权限').click()
    await expect.poll(() => line.textContent()).toContain('"permission": ')
    await keyboard.type('"x:y"')
    await bench.getByRole('button', { name: '1 个问题' }).waitFor()

    // A selection is also removed and replaced by other means than keys.
    const told = (text: string) => expect.poll(() => code.textContent()).toBe(text)
    await keyboard.press('Control+a')
    await desk.page.evaluate(() => document.execCommand('delete'))
    await told('')
    await keyboard.press('Control+z')
    await expect.poll(() => code.textContent()).toContain('x:y')
    await code.fill('{ "formConfig": ')
    await told('{ "formConfig": ')
    await keyboard.press('Control+z')
    await expect.poll(() => code.textContent()).toContain('x:y')
    // Typed over a selection in the same task, after which the editor is notified of it. (execCommand inserts without this event.)
    await code.evaluate((host) => {
      getSelection()?.selectAllChildren(host)
      const typed = { inputType: 'insertText', data: '{', bubbles: true, cancelable: true }
      host.dispatchEvent(new InputEvent('beforeinput', typed))
    })
    await told('{')
    await keyboard.press('Control+z')
    await expect.poll(() => code.textContent()).toContain('x:y')
  })

  it('a widget is edited as JSON, and a hook shows what it read', async () => {
    const { desk, bench } = await atWork(stage.signedIn, 'bench-reads')
    const { keyboard } = desk.page
    await bench.getByRole('tab', { name: '结构' }).click()
    await bench.getByRole('treeitem', { name: '来访人' }).click()
    await bench.locator('summary').getByText('这个组件的 JSON').click()
    const json = bench.getByLabel('这个组件的 JSON')
    await json.locator('.cm-line').filter({ hasText: '"label"' }).click()
    await keyboard.press('End')
    await keyboard.type(' "placeh')
    await bench.locator('.cm-tooltip-autocomplete').getByText('占位提示').click()
    await json.locator('.cm-line').filter({ hasText: '"placeholder"' }).waitFor()
    await keyboard.type('"贵姓",')
    await bench.locator('.wb-paper').getByPlaceholder('贵姓').waitFor()

    await bench.getByRole('button', { name: '试用', exact: true }).click()
    await bench.getByRole('tab', { name: '运行' }).click()
    await bench.locator('.wb-paper input').first().fill('王五')
    await desk.page.waitForTimeout(600) // longer than the pause after which an edited page is reopened
    await bench.locator('.wb-paper input').nth(1).click()
    const run = bench.locator('.wb-run').filter({ hasText: '来访人' }).first()
    await run.getByText('读取 来访人').waitFor()
    await run.getByText('写入 称呼').waitFor()
    await desk.picture('bench-reads')
  })

  it('typed text that is no JSON yet is there again after another pane, page or visit, and says why the page lacks it', async () => {
    const { desk, bench } = await atWork(stage.signedIn, 'bench-typed')
    const { keyboard } = desk.page
    const toCode = () => bench.getByRole('button', { name: '代码', exact: true }).click()
    const code = bench.getByLabel('代码', { exact: true })
    const line = code.locator('.cm-line').filter({ hasText: '"title"' })
    const told = bench.getByText(/没有放进页面：第 \d+ 行/)
    await toCode()
    await line.click()
    await keyboard.press('End')
    await keyboard.type(' 半句')
    await told.waitFor()
    await desk.picture('bench-typed')

    await bench.getByRole('button', { name: '设计', exact: true }).click()
    await bench.getByText('代码里输入的内容还没有放进页面').waitFor()
    await toCode()
    await expect.poll(() => line.textContent()).toContain('半句')
    await desk.page.waitForTimeout(600) // longer than the pause after which it is kept
    await desk.page.reload()
    await toCode()
    await expect.poll(() => line.textContent()).toContain('半句')
    await told.waitFor()

    // The page changes beside it: the text is offered, and brought back over the page of now.
    await bench.getByRole('tab', { name: '结构' }).click()
    await bench.getByRole('treeitem', { name: '称呼' }).click()
    await bench.getByRole('textbox', { name: '标签', exact: true }).fill('怎么称呼')
    await bench.getByText('上次输入的内容没有放进页面').waitFor()
    await expect.poll(() => code.textContent()).not.toContain('半句')
    await desk.picture('bench-typed-before')
    await bench.getByRole('button', { name: '找回来' }).click()
    await expect.poll(() => line.textContent()).toContain('半句')
    await told.waitFor()

    await bench.getByRole('button', { name: '放弃', exact: true }).click()
    await desk.page.getByRole('button', { name: '确定' }).click()
    await told.waitFor({ state: 'detached' })
    await expect.poll(() => code.textContent()).toContain('怎么称呼')
    expect(await code.textContent()).not.toContain('半句')
    await desk.page.waitForTimeout(600) // longer than the pause after which it is forgotten
    await desk.page.reload()
    await toCode()
    await line.waitFor()
    expect(await code.textContent()).not.toContain('半句')
    await bench.getByText(/没有放进页面/).waitFor({ state: 'detached' })
  })
})

async function atWork(
  signedIn: Stage['signedIn'],
  name: string,
): Promise<{ readonly desk: Phone; readonly bench: Locator }> {
  const desk = await signedIn('admin', '/pages/my/about', { width: 1440, height: 900 })
  const path = `/pages/x/${name}`
  await ask(desk, '/engine/web/page/publish', {
    path,
    base: 0,
    document: JSON.stringify(VISIT, null, 2),
    clientToken: `publish-${name}`,
  })
  await goTo(desk, `/pages/admin/page/design?path=${path}`)
  const bench = desk.page.locator('.wb')
  await bench.locator('.wb-paper').getByText('来访人').waitFor()
  return { desk, bench }
}

const VISIT = {
  formConfig: { jsonVersion: -3, layoutType: 'H5', page: { title: '来访' } },
  widgetList: [
    {
      type: 'input',
      formItemFlag: true,
      options: {
        name: 'who',
        label: '来访人',
        onChange: "this.getFormRef().setFieldValue('call', this.getFormRef().getFieldValue('who') + '先生')",
      },
    },
    { type: 'input', formItemFlag: true, options: { name: 'call', label: '称呼' } },
  ],
}
