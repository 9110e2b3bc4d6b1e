import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import { objectsIn, type Product, readProduct } from './product-pages.ts'

/** Each thing has one name: the names to avoid, and the one to use. */
const GLOSSARY = {
  登陆: '登录',
  帐号: '账号',
  帐户: '账户',
  其它: '其他',
  撤消: '撤销',
  销售机会: '商机',
  商业机会: '商机',
  潜在客户: '线索',
  合约: '合同',
  收款账户: '回款账户',
  登记回款: '新建回款',
  我的客户: '客户管理',
  客户池: '公海',
  公海池: '公海',
  审核: '审批',
  取回: '撤回',
  评论: '点评',
  新增阶段: '新建阶段',
  最低限价: '底价',
  销售底价: '底价',
  标准售价: '标准单价',
  产品编号: '产品编码',
  存草稿: '存为草稿',
  工作台: '全部菜单',
} as const
/** Places where another meaning is intended, or where words written by others are recognised. */
const ELSEWHERE = /^import$|^synonyms$|^aliases$/

let product: Product
beforeAll(async () => {
  product = await readProduct()
}, 60_000)

const read = async (path: string): Promise<Json> =>
  JSON.parse(await readFile(join(import.meta.dirname, '../..', path), 'utf8')) as Json

function* textsIn(value: Json | undefined): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one)
  else if (isObject(value))
    for (const [key, one] of Object.entries(value)) if (!ELSEWHERE.test(key)) yield* textsIn(one)
}

function* menusIn(value: Json | undefined): Generator<readonly JsonObject[]> {
  if (Array.isArray(value)) for (const one of value) yield* menusIn(one)
  else if (isObject(value)) {
    if (value.do === 'choose' && Array.isArray(value.items)) yield value.items.filter(isObject)
    for (const one of Object.values(value)) yield* menusIn(one)
  }
}

/** Without the rows of tables, whose cells have no room for a count. */
const withoutRows = (document: unknown): Json =>
  JSON.parse(JSON.stringify(document, (_, one) => (one?.type === 'sub-form' ? null : one))) as Json

describe('texts for users', () => {
  it('use one term per concept: pages, routes, menus, fields and texts of the server', async () => {
    const files = ['schemas/routes.json', 'schemas/text/zh-hans.json', 'schemas/text/zh-hans.server.json']
    const others = await Promise.all([...files, 'src/server/flows/dict/default-menus.json'].map(read))
    const modules = await Promise.all(
      ['customer', 'lead', 'contact', 'bussiness', 'contract', 'payment', 'plan', 'follow', 'todo'].map(
        (name) => read(`schemas/modules/${name}.json`),
      ),
    )
    const all = [...product.pages.map(({ document }) => document), ...others, ...modules].flatMap((one) => [
      ...textsIn(one),
    ])

    const wrong = Object.entries(GLOSSARY).flatMap(([word, right]) =>
      all.filter((one) => one.includes(word)).map((one) => `${one}: ${right} instead of ${word}`),
    )
    expect(wrong).toEqual([])
    expect(all.length).toBeGreaterThan(5_000)
  })

  it('put deleting actions at the end of a menu, and copying after the actions on the record', () => {
    const labels = product.pages.flatMap(({ path, document }) =>
      [...menusIn(document)].map((items) => ({ path, said: items.map(({ label }) => String(label)) })),
    )
    const misplaced = labels.filter(
      ({ said }) =>
        said.slice(0, -1).some((one) => one.startsWith('删除')) ||
        (said.length > 2 && said[0]?.startsWith('复制') === true),
    )
    expect(misplaced).toEqual([])
    expect(labels.length).toBeGreaterThan(20)
  })

  it('a name that somebody types in the administration says how long it may be', () => {
    const names = product.pages
      .filter(({ path }) => path.startsWith('/pages/admin/'))
      .flatMap(({ path, document }) =>
        [...objectsIn(withoutRows(document))].flatMap(({ type, options }) =>
          type === 'input' && /^(?:name|title)$/.test(String((options as JsonObject)?.name))
            ? [{ path, ...(options as JsonObject) }]
            : [],
        ),
      )
      .filter(
        (one: JsonObject) =>
          Number(one.maxLength) < 100 && one.required === true && one.validation === undefined,
      )

    expect(names.filter((one: JsonObject) => one.showWordLimit !== true)).toEqual([])
    expect(names.length).toBeGreaterThan(5)
  })

  it('a placeholder asks for no choice that may already be made', () => {
    const asking = product.pages.flatMap(({ path, document }) =>
      [...objectsIn(document)]
        .map(({ options }) => (options as JsonObject | undefined)?.placeholder)
        .filter((one) => typeof one === 'string' && one.includes('先选'))
        .map((one) => `${path}: ${one}`),
    )

    expect(asking).toEqual([])
  })

  it('what calls a number is 拨打, wherever it stands', () => {
    const called = product.pages.flatMap(({ document }) =>
      [...objectsIn(document)]
        .map((one) => String(one.label ?? one.title))
        .filter((one) => /^(?:打电话|拨打)$/.test(one)),
    )

    expect([...new Set(called)]).toEqual(['拨打'])
  })

  it('a limit that must be given says so in a sentence, for its label alone says little', () => {
    const messages = product.pages.flatMap(({ document }) =>
      [...objectsIn(document)]
        .filter(
          ({ label, requiredOn, required }) => label === '界限' && (requiredOn ?? required) !== undefined,
        )
        .map(({ requiredHint = null }) => requiredHint),
    )

    expect(messages).toEqual(['请填写数字字段的界限'])
  })

  it('a visit says where it was on its page, too', () => {
    const places = product.pages.flatMap(({ document }) =>
      [...objectsIn(document)].filter(({ bind }) => bind === 'place_text'),
    )

    expect(places).toMatchObject([{ label: '地点', hideEmpty: true }])
  })

  it('a switch with a hint has a short label, or one above it: the hint is not squeezed beside a long one', () => {
    const beside = product.pages.flatMap(({ path, document }) =>
      [...objectsIn(document)]
        .filter(({ type }) => type === 'switch')
        .map(({ options }) => options as JsonObject)
        .filter(({ hint = null, labelAlign }) => hint !== null && labelAlign !== 'top')
        .filter(({ label }) => String(label).length > 7)
        .map(({ label }) => `${path}: ${label}`),
    )

    expect(beside).toEqual([])
  })
})
