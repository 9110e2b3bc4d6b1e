import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { creditCodeCheckDigit } from '../../../src/server/modules/customers/credit-code.ts'
import { FULL_CUSTOMER } from '../full-records.ts'
import { uploadedFile } from '../sheets/finished-job.ts'
import { type Client, openTestApp, type TestApp } from '../support.ts'

let server: TestApp
let demo: Client
let manager: Client
let stranger: Client
beforeAll(async () => {
  server = await openTestApp()
  demo = await server.as('demo')
  manager = await server.as('manager')
  stranger = await server.as('zengke')
})
afterAll(() => server.close())

const SENTENCE = (name: string) => `「${name}」不是你上传的文件，请删掉后重新上传`
let count = 0
const create = (client: Client, attachments: readonly JsonObject[]) => {
  count += 1
  const code = `91440300MA5FULL${count + 10}`
  return client.post('/mini/customer/create', {
    ...FULL_CUSTOMER,
    name: `附件客户${count}有限公司`,
    mobile: `139000020${count + 10}`,
    telephone: `0755-860155${count + 10}`,
    email: `office${count}@example.cn`,
    wechat: `wx_office${count}`,
    credit_code: `${code}${creditCodeCheckDigit(code)}`,
    attachments,
  })
}
const uploaded = async (client: Client, name: string): Promise<JsonObject> => {
  const file = await uploadedFile(server, client, Buffer.from('%PDF-1.4 of us'), name)
  if (file === null) throw new Error('the upload was refused')
  return { ...file }
}
const bare = (file: JsonObject): JsonObject => ({ ...file, url: String(file.url).replace(/\?.*/, '') })

describe('a record with an attachment', () => {
  it('takes what its writer uploaded, with the address of the upload or without its signature', async () => {
    const file = await uploaded(demo, '合同.pdf')

    const answers = [await create(demo, [file]), await create(demo, [bare(file)])]

    expect(answers.map(({ meta }) => meta.message)).toEqual(['', ''])
  })

  it('takes no file that nobody uploaded, and names its field', async () => {
    const unknown = { name: '没有.pdf', url: '/engine/web/file/no-such-file', size: 10, ext: 'pdf' }

    const refused = await create(demo, [unknown])
    const note = await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: (await create(demo, [])).data.id,
      method: 'wechat',
      content: '带一张图',
      images: [unknown],
    })

    for (const [{ meta }, field] of [
      [refused, 'attachments'],
      [note, 'images'],
    ] as const)
      expect(meta).toMatchObject({
        code: 400,
        error: { type: 'VALIDATION', fields: { [field]: SENTENCE('没有.pdf') } },
      })
  })

  it('takes no upload of somebody else by its id, nor with a signature that was changed', async () => {
    const file = await uploaded(stranger, '别人的.pdf')
    const changed = {
      ...file,
      url: String(file.url).replace(/sign=./, (it) => (it === 'sign=A' ? 'sign=B' : 'sign=A')),
    }

    const answers = [await create(demo, [bare(file)]), await create(demo, [changed])]

    for (const { meta } of answers)
      expect(meta.error?.fields).toEqual({ attachments: SENTENCE('别人的.pdf') })
  })

  it('takes no upload of another tenant', async () => {
    const other = await server.as('yfadmin')
    const file = await uploaded(other, '邻居.pdf')

    const answer = await create(demo, [file])

    expect(answer.meta).toMatchObject({ code: 400, error: { fields: { attachments: SENTENCE('邻居.pdf') } } })
  })

  it('is edited and copied by colleagues who see it', async () => {
    const file = await uploaded(demo, '报价.pdf')
    const { data } = await create(demo, [file])
    const { record } = (await manager.get(`/mini/customer/detail?id=${data.id}`)).data

    const edited = await manager.post('/mini/customer/update', {
      id: data.id,
      version: record.version,
      remark: '经理看过',
      attachments: record.attachments,
    })
    const copied = await create(manager, record.attachments)

    expect([edited.meta.message, copied.meta.message]).toEqual(['', ''])
  })

  it('keeps what it has, even where its signature is none of ours any more', async () => {
    const file = await uploaded(demo, '旧签名.pdf')
    const { data } = await create(demo, [bare(file)])

    const edited = await manager.post('/mini/customer/update', {
      id: data.id,
      version: 1,
      remark: '附件没动',
      attachments: [bare(file)],
    })
    const elsewhere = await create(manager, [bare(file)])

    expect(edited.meta.message).toBe('')
    expect(elsewhere.meta.error?.fields).toEqual({ attachments: SENTENCE('旧签名.pdf') })
  })

  it('may have an address of a file in its words', async () => {
    const { data } = await create(demo, [])
    const note = await demo.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: data.id,
      method: 'wechat',
      content: '地址是 /engine/web/file/no-such-file',
    })

    expect(note.meta.message).toBe('')
  })
})

it('a picture of oneself is an upload of oneself', async () => {
  const file = await uploaded(stranger, '头像.pdf')

  const refused = await demo.post('/mini/user/update', { avatar: String(bare(file).url) })

  expect(refused.meta.error?.fields).toHaveProperty('avatar')
})
