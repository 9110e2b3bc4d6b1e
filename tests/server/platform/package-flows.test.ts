import { afterAll, beforeAll, expect, it } from 'vitest'
import { uploadedBytes } from '../sheets/finished-job.ts'
import { openTestApp, type TestApp } from '../support.ts'

let server: TestApp
beforeAll(async () => {
  server = await openTestApp()
})
afterAll(() => server.close())

it('a package says, where it is made and where it is brought, that approval flows set on screens are not in it', async () => {
  const [admin, other] = await Promise.all([server.as('admin'), server.as('yfadmin')])
  const steps = [{ kind: 'role', value: 'sales_director', mode: 'any', min_amount: 1000 }]
  const description = {
    name: 'project',
    label: '交付项目',
    title: 'title',
    amount: 'worth',
    behaviours: ['owned', 'history', 'recycle'],
    approval: { steps },
    fields: [
      { name: 'title', kind: 'text', label: '标题', required: true },
      { name: 'worth', kind: 'money', label: '金额' },
    ],
  }
  const saved = await admin.post('/engine/web/module/save', { description })
  expect(saved.meta).toMatchObject({ message: '' })
  const list = async () => (await admin.post('/engine/web/package/list', {})).data
  expect((await list()).note).toBe('')

  const flow = {
    id: 'm.project',
    enabled: true,
    allow_self: false,
    steps: [{ ...steps[0], min_amount: 2000 }],
    cc: [],
  }
  expect((await admin.post('/engine/web/flow/save', flow)).meta).toMatchObject({ message: '' })
  expect((await list()).note).toBe('定制包不带审批流的设置。在“审批流”里改过的：交付项目，到那边要照样再设置')

  const { data } = await admin.post('/engine/web/package/export', { title: '项目', chosen: [] })
  const file = (await admin.get(data.url)).body
  const fileId = await uploadedBytes(server, other, Buffer.from(file), 'package.json')
  const checked = (await other.post('/engine/web/package/check', { fileId })).data
  expect(checked).toMatchObject({ faults: 0 })
  expect(checked.note).toBe(
    '交付项目：包里只有模块自带的审批，导出方在“审批流”里改过的没有带来，发布后请核对；这里已经设置的不变',
  )
})
