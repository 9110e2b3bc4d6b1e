import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import { type Json, type JsonObject, objectsIn, ownValue, valueAt } from '../../../runtime/core/json.ts'
import { PAGE_CHANNEL } from '../../../src/server/kernel/pages/library.ts'
import { right } from '../business5/deals.ts'
import { aModule, type OwnTenant, openOwnTenant } from './own-tenant.ts'

/** A published page of a module of one's own follows the module: what the author changed stays. */

const PATH = '/pages/m/ticket/add'
let tenant: OwnTenant
const told: string[] = []
let stopListening = async () => {}
beforeAll(async () => {
  tenant = await openOwnTenant([
    aModule({
      fields: [
        { name: 'place', kind: 'text', label: '地点' },
        { name: 'note', kind: 'text', label: '说明' },
        { name: 'phone', kind: 'text', label: '电话' },
      ],
    }),
  ])
  await tenant.give('sales', 'ticket')
  stopListening = await tenant.server.database.listen(
    PAGE_CHANNEL,
    (text) => told.push(String(valueAt(JSON.parse(text), 'event.path'))),
    () => undefined,
  )
  await publish(withoutNote(withWord(await written())))
})
afterAll(async () => {
  await stopListening()
  await tenant.server.close()
})

const written = async (): Promise<JsonObject> =>
  right(await tenant.admin.get(`/engine/web/page/source?path=${PATH}`)).document
const served = async (): Promise<JsonObject> =>
  JSON.parse((await tenant.demo.get('/engine/web/page/bundle')).body).pages[PATH]
const publish = async (document: Json): Promise<void> => {
  right(await tenant.admin.post('/engine/web/page/publish', { path: PATH, base: 0, document }))
}
const save = async (field: JsonObject): Promise<void> => {
  right(await tenant.admin.post('/engine/web/field/save', { module: 'ticket', field }))
}
const named = (page: Json, name: string): JsonObject | undefined =>
  [...itemsOf(page).values()].find(({ written }) => ownValue(written.options, 'name') === name)?.written
const bodyOf = (page: JsonObject): Json | undefined =>
  objectsIn(ownValue(page.formConfig, 'dataSources')).find(({ uniqueName }) => uniqueName === 'create')?.body

const withWord = (page: JsonObject): JsonObject => {
  const renamed = JSON.parse(JSON.stringify(page).replace('"label":"地点"', '"label":"在哪里"'))
  const word = { type: 'static-text', options: { name: 'word', textContent: '请如实填写' } }
  return { ...renamed, widgetList: [word, ...renamed.widgetList] }
}
/** The page without a field, and without what reads it. */
const withoutNote = (page: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(page), (_, value) => {
    if (Array.isArray(value)) return value.filter((one) => one?.options?.name !== 'note')
    if (typeof value === 'string') return value.replace('\n说明：{{ form.note }}', '')
    const { note: _note, ...more } = value ?? {}
    return value?.note === undefined ? value : more
  })

describe('a published form of an own module', () => {
  it('asks for a field that was added since, and sends it', async () => {
    told.length = 0
    await save({ name: 'cabinet', kind: 'text', label: '机柜号', required: true })
    const page = await served()
    expect(named(page, 'cabinet')).toMatchObject({ options: { label: '机柜号', required: true } })
    expect(bodyOf(page)).toHaveProperty('cabinet')
    expect(named(page, 'word')).toBeDefined()
    expect(named(page, 'place')).toMatchObject({ options: { label: '在哪里' } })
    expect(named(page, 'note')).toBeUndefined()
    expect(told).toContain(PATH)
    expect(named(await written(), 'cabinet')).toBeUndefined()
  })

  it('says a new label where the author wrote none of their own', async () => {
    await save({ name: 'phone', kind: 'text', label: '手机', required: true })
    expect(named(await served(), 'phone')).toMatchObject({ options: { label: '手机', required: true } })
  })

  it('has no field that was stopped, whatever the author said of it', async () => {
    await save({ name: 'place', kind: 'text', label: '地点', retired: true })
    const page = await served()
    expect(named(page, 'place')).toBeUndefined()
    expect(bodyOf(page)).not.toHaveProperty('place')
  })

  it('asks for a field that the author took out only when it must be filled in', async () => {
    await save({ name: 'note', kind: 'text', label: '备注' })
    expect(named(await served(), 'note')).toBeUndefined()
    await save({ name: 'note', kind: 'text', label: '备注', required: true })
    const page = await served()
    expect(named(page, 'note')).toMatchObject({ options: { label: '备注', required: true } })
    expect(bodyOf(page)).toHaveProperty('note')
  })

  it('is marked in the list of pages as behind its module', async () => {
    const { list } = right(await tenant.admin.post('/engine/web/page/list', { keyword: PATH }))
    expect(list[0]).toMatchObject({ outgrown: true, state: '模块有更新' })
  })
})
