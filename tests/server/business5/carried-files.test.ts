import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { FULL_BUSSINESS, FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import { aModule } from '../model/own-tenant.ts'
import { uploadedFile } from '../sheets/finished-job.ts'
import { approveAll, type Deals, draft, makeCustomer, openDeals, right } from './deals.ts'

/*
 * Files that are carried on by others than who uploaded them: from what an answer showed into another record, and within the record that has them.
 */
let deals: Deals
beforeAll(async () => {
  deals = await openDeals()
})
afterAll(() => deals.server.close())

const uploaded = async (name: string): Promise<JsonObject> => {
  const file = await uploadedFile(deals.server, deals.demo, Buffer.from('%PDF-1.4 of us'), name)
  if (file === null) throw new Error('the upload was refused')
  return { ...file }
}
const recordOf = async (client: Deals['demo'], entity: string, id: string) =>
  right(await client.get(`/mini/${entity}/detail?id=${id}`)).record
const namesOf = (files: readonly JsonObject[]) => files.map(({ name }) => name)

describe('files of a record are carried on by a colleague who sees them', () => {
  it('from a lead into the customer and the opportunity it becomes', async () => {
    const { demo, manager } = deals
    const file = await uploaded('需求.pdf')
    const { id } = right(
      await demo.post('/mini/lead/create', {
        ...FULL_LEAD,
        name: '带附件的线索',
        mobile: '13900031001',
        attachments: [file],
      }),
    )
    const { attachments } = await recordOf(manager, 'lead', id)
    const body = {
      id,
      customer: { mode: 'create', fields: { name: '线索变来的客户有限公司', attachments } },
      bussiness: { ...FULL_BUSSINESS, name: '线索变来的商机', attachments },
    }
    const made = right(await manager.post('/mini/lead/convert', body))

    expect(made).toMatchObject({ customerId: expect.any(String), bussinessId: expect.any(String) })
    for (const [entity, of] of [
      ['customer', made.customerId],
      ['bussiness', made.bussinessId],
    ] as const)
      expect(namesOf((await recordOf(demo, entity, of)).attachments)).toEqual(['需求.pdf'])
  })

  it('within a contract that is changed, renewed and edited', async () => {
    const { demo, manager, customerId } = deals
    const contract = await draft(demo, customerId, {
      name: '带附件的合同',
      attachments: [await uploaded('合同.pdf')],
      plans: [{ plan_amount: 10_000, plan_date: '2026-04-01' }],
    })
    right(await demo.post('/mini/contract/submit', { id: contract.id }))
    await approveAll(deals, 'contract', contract.id)
    const changed = right(await manager.post('/mini/contract/change', { id: contract.id, reason: '改金额' }))
    const renewed = right(await demo.post('/mini/contract/renew', { id: contract.id }))

    for (const { id } of [changed, renewed]) {
      const { version, attachments } = await recordOf(manager, 'contract', id)
      right(
        await manager.post('/mini/contract/update', { id, version, amount: 12_000, attachments, plans: [] }),
      )
      expect(namesOf((await recordOf(demo, 'contract', id)).attachments)).toEqual(['合同.pdf'])
    }
  })

  it('into the customer that stays of a merge, taken or given with the fields', async () => {
    const { demo, director } = deals
    const make = async (name: string, attachments: readonly JsonObject[]) =>
      right(
        await demo.post('/mini/customer/create', {
          ...FULL_CUSTOMER,
          telephone: null,
          credit_code: null,
          website: null,
          name,
          attachments,
        }),
      ).id
    for (const [n, how] of (['take', 'fields'] as const).entries()) {
      const masterId = await make(`留下的客户${n}有限公司`, [await uploaded('留下.pdf')])
      const other = await make(`并入的客户${n}有限公司`, [await uploaded('并入.pdf')])
      const { attachments } = await recordOf(director, 'customer', other)
      right(
        await director.post('/mini/customer/merge', {
          masterId,
          ids: [other],
          ...(how === 'take' ? { take: ['attachments'] } : { fields: { attachments } }),
        }),
      )
      expect(namesOf((await recordOf(demo, 'customer', masterId)).attachments)).toEqual(['并入.pdf'])
    }
  })

  it('within a follow-up that a manager edits, with its pictures', async () => {
    const { demo, manager, customerId } = deals
    const picture = { ...(await uploaded('现场.pdf')), name: '现场.png', ext: 'png' }
    const { id } = right(
      await demo.post('/mini/follow/create', {
        target_type: 'customer',
        target_id: customerId,
        method: 'visit',
        content: '现场看过',
        images: [picture],
        files: [await uploaded('纪要.pdf')],
      }),
    )
    const { version, images, files } = await recordOf(manager, 'follow', id)
    const edited = await manager.post('/mini/follow/update', {
      id,
      version,
      content: '现场看过，经理补充',
      images,
      files,
    })
    const added = await manager.post('/mini/follow/create', {
      target_type: 'customer',
      target_id: customerId,
      method: 'wechat',
      content: '转给大家看',
      images,
    })

    expect([edited.meta.message, added.meta.message]).toEqual(['', ''])
  })

  it('through the outbox, from what a copy on the phone has', async () => {
    const { demo, manager } = deals
    const { id } = right(
      await demo.post('/mini/lead/create', {
        ...FULL_LEAD,
        name: '同步的线索',
        mobile: '13900031002',
        telephone: null,
        attachments: [await uploaded('同步.pdf')],
      }),
    )
    const pages: JsonObject[] = []
    for (let since: string | undefined; ; ) {
      const page = right(await manager.post('/mini/sync/changes', { entities: ['lead'], since }))
      pages.push(...page.changed)
      since = page.next
      if (!page.hasMore) break
    }
    const copy = pages.find((one) => one.id === id)?.record as JsonObject
    const customer = {
      ...FULL_CUSTOMER,
      telephone: null,
      credit_code: null,
      website: null,
      name: '离线建的客户有限公司',
      attachments: copy.attachments,
    }
    const ops = [
      { clientToken: 'carried-0001', path: '/mini/customer/create', body: customer, tempId: 'tmp:a' },
      {
        clientToken: 'carried-0002',
        path: '/mini/customer/update',
        body: { id: 'tmp:a', version: 1, remark: '补', attachments: copy.attachments },
      },
    ]
    const { results, ids } = right(await manager.post('/mini/sync/outbox', { ops }))

    expect(results.map(({ meta }: { meta: JsonObject }) => meta.message)).toEqual(['', ''])
    expect(namesOf((await recordOf(manager, 'customer', ids['tmp:a'])).attachments)).toEqual(['同步.pdf'])
  })

  it('within records of an own module, and from one into another', async () => {
    const { admin, demo } = deals
    const fields = [
      { name: 'papers', kind: 'files', label: '单据' },
      { name: 'photos', kind: 'pictures', label: '照片' },
    ]
    right(await admin.post('/engine/web/module/save', { description: aModule({ fields }) }))
    const { list } = right(await admin.post('/engine/web/role/list'))
    const role = list.find((one: JsonObject) => one.code === 'sales')
    const rights = ['view', 'add', 'edit'].map((one) => `m.ticket:${one}`)
    right(
      await admin.post('/engine/web/role/save', {
        ...role,
        permissions: [...role.permissions, ...rights],
        scopes: { ...role.scopes, 'm.ticket': 'self' },
      }),
    )
    const papers = [await uploaded('单据.pdf')]
    const photos = [{ ...(await uploaded('照片.pdf')), ext: 'png' }]
    const { id } = right(await demo.post('/mini/m/ticket/create', { title: '漏水', papers, photos }))
    const { version, ...record } = right(await admin.get(`/mini/m/ticket/detail?id=${id}`)).record
    const values = { papers: record.papers, photos: record.photos }
    const edited = await admin.post('/mini/m/ticket/update', { id, version, title: '漏水了', ...values })
    const copied = await admin.post('/mini/m/ticket/create', { title: '又漏水', ...values })

    expect([edited.meta.message, copied.meta.message]).toEqual(['', ''])
  })

  it('but are no way to a file of which only the id is known', async () => {
    const { demo, server } = deals
    const stranger = await server.as('zengke')
    const file = await uploadedFile(server, stranger, Buffer.from('%PDF-1.4 of them'), '别人的.pdf')
    const bare = { name: '别人的.pdf', url: `/engine/web/file/${file?.id}`, size: 1, ext: 'pdf' }
    const { name: _, ...nameless } = bare
    const id = await makeCustomer(demo, '试附件的客户有限公司')
    right(await demo.post('/mini/customer/update', { id, version: 1, remark: `见 ${bare.url}` }))
    const codes: unknown[] = []
    for (const attachments of [[bare], [nameless], [{ ...bare, name: 5 }]])
      codes.push(
        (await demo.post('/mini/customer/update', { id, version: 2, attachments })).meta.error?.fields
          ?.attachments !== undefined,
      )

    expect(codes).toEqual([true, true, true])
  })
})
