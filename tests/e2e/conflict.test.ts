import { describe, expect, it } from 'vitest'
import { arrive, box, button, logIn, toasted } from '../support/acts.ts'
import { aStage } from '../support/stage.ts'

const ADD = '/pages/customer/my/add'

describe('two users who edit one customer', () => {
  const stage = aStage()

  it('the second user sees both versions, field by field, and decides', async () => {
    const first = await stage.phone(ADD)
    await logIn(first)
    await arrive(first, ADD)
    await box(first.page, 'name').fill('两人同改的客户')
    await button(first.page, '保存').click()
    await arrive(first, '/pages/customer/my/detail')
    const id = new URLSearchParams(first.at().split('?')[1]).get('id') ?? ''
    const edit = `${ADD}?module=customer&id=${id}`
    const second = await stage.phone(edit)
    await logIn(second, 'admin')
    await arrive(second, ADD)
    await expect.poll(() => box(second.page, 'name').inputValue()).toBe('两人同改的客户')

    await first.page.goto(`${stage.product().url}/#${edit}`)
    await expect.poll(() => box(first.page, 'name').inputValue()).toBe('两人同改的客户')
    await box(first.page, 'short_name').fill('第一人写的')
    await box(first.page, 'remark').fill('第一人的备注')
    await button(first.page, '保存').click()
    await toasted(first, /已保存/)
    await box(second.page, 'short_name').fill('第二人写的')
    await box(second.page, 'address').fill('第二人的地址')
    await button(second.page, '保存').click()

    const both = second.page.getByRole('dialog')
    await both.getByText('第一人写的').waitFor()
    await both.getByText('第二人写的').waitFor()
    // It may be the same person, in another tab.
    await both.getByText('这条记录刚被修改过').waitFor()
    // What only one of them changed is no question.
    expect(await both.getByText('我填写的').count()).toBe(1)
    await both.getByText('第一人的备注').waitFor()
    await second.picture('conflict')
    await both.getByText('已保存的', { exact: true }).click()
    await both.getByRole('button', { name: '按所选保存' }).click()
    await arrive(second, '/')
    await second.page.goto(`${stage.product().url}/#${edit}`)

    await expect.poll(() => box(second.page, 'short_name').inputValue()).toBe('第一人写的')
    expect(await box(second.page, 'remark').inputValue()).toBe('第一人的备注')
    expect(await box(second.page, 'address').inputValue()).toBe('第二人的地址')
  })
})
