import type { Route } from 'playwright-core'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { arrive, box, button, field, inSight, toasted } from '../support/acts.ts'
import { startCloudServer } from '../support/cloud-server/cloud-server.ts'
import { aStage } from '../support/stage.ts'

const PAGE = '/pages/vform/cloud/index'
const OSS = 'https://oss.example'
const CDN = 'https://cdn.example'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const cloud = await startCloudServer()
cloud.tables.set('areas', [
  { _id: 'sh', name: '上海', no: 1 },
  { _id: 'pd', name: '浦东新区', parent: 'sh', no: 2 },
])
cloud.tables.set(
  'tasks',
  Array.from({ length: 12 }, (_, no) => ({ _id: `t${no}`, title: `任务 ${no + 1}`, no })),
)
const space = { provider: 'aliyun', spaceId: 'space-1', clientSecret: 'secret-1', endpoint: cloud.origin }
beforeEach(() => cloud.reset())
afterAll(() => cloud.close())

describe('the cloud of a page', () => {
  const stage = aStage({
    env: {
      SEED: 'none',
      CLOUD_SPACES: JSON.stringify([space]),
      CLOUD_ORIGINS: `${cloud.origin} ${OSS} ${CDN}`,
    },
  })

  it('answers functions and objects, renews a lost token once, and leads to login and back when a login expires', async () => {
    const phone = await stage.phone(PAGE)
    await box(phone.page, 'name').fill('李雷')

    await button(phone.page, '调用云函数 hello').click()
    await toasted(phone, '你好，李雷')
    cloud.expireTokens()
    phone.allow(/401/)
    await button(phone.page, '调用云对象 todo.add').click()
    await toasted(phone, '已添加待办')
    await button(phone.page, '登录已过期的调用').click()

    await arrive(phone, '/pages/login/login')
    expect(phone.at()).toContain(`uniIdRedirectUrl=${encodeURIComponent(PAGE)}`)
    expect(cloud.aliyun.issued).toBe(2)
  })

  it('fills the picker with its tree and the list page by page from a query', async () => {
    const phone = await stage.phone(PAGE)
    const rows = inSight(phone.page).locator('[data-widget="list"]')
    await rows.getByText('任务 5', { exact: true }).waitFor()
    await inSight(phone.page).getByText('共 12 条任务').waitFor()

    await rows.getByText('任务 5', { exact: true }).scrollIntoViewIfNeeded()
    await phone.page.mouse.wheel(0, 3_000)
    await expect
      .poll(async () => {
        await phone.page.mouse.wheel(0, 3_000)
        return rows.getByText('任务 12', { exact: true }).count()
      })
      .toBe(1)
    await phone.picture('cloud-list')

    const asked = cloud.seen.flatMap((one) => {
      const text = JSON.stringify(one.body)
      return text.includes('areas') ? [/"limit\\*",\\*"\$param\\*":\[(\d+)\]/.exec(text)?.[1]] : []
    })
    expect(asked).toEqual(['500'])
    await field(phone.page, 'area').getByText('请选择').click()
    await phone.page.getByText('上海', { exact: true }).click()
    await phone.page.getByText('浦东新区', { exact: true }).click()
    await expect.poll(() => field(phone.page, 'area').innerText()).toContain('上海/浦东新区')
  })

  it('stores a picture in the cloud’s storage and shows it from there', async () => {
    const phone = await stage.phone(PAGE)
    const stored: number[] = []
    await phone.page.route(`${OSS}/**`, async (route: Route) => {
      const body = route.request().postDataBuffer()
      const headers = { 'content-type': route.request().headers()['content-type'] ?? '' }
      const answer = await fetch(`${cloud.origin}/`, {
        method: 'POST',
        body: new Uint8Array(body ?? []),
        headers,
      })
      stored.push(answer.status)
      await route.fulfill({ status: answer.status, headers: { 'access-control-allow-origin': '*' } })
    })
    await phone.page.route(`${CDN}/**`, (route) => route.fulfill({ contentType: 'image/png', body: PNG }))
    const chosen = { name: 'a.png', mimeType: 'image/png', buffer: PNG }

    await field(phone.page, 'photos').locator('input[type="file"]').first().setInputFiles(chosen)

    await field(phone.page, 'photos').locator(`img[src^="${CDN}/dir/"]`).waitFor()
    await phone.picture('cloud-upload')
    expect(stored).toEqual([200])
  })
})
