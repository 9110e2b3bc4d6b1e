import { isObject, type Json, type JsonObject } from '../../runtime/core/json.ts'
import type { PageSettings } from '../../runtime/core/page/page.ts'
import { requiredRight } from '../../src/app/pages/page-right.ts'
import { holdsPermission } from '../../src/contract/permission.ts'
import { type ProductPage, readJson, readProduct, settingsOf, sourcesOf } from '../schemas/product-pages.ts'
import { PASSWORD } from './acts.ts'

/** A path that can be opened. */
export interface RouteCase {
  readonly path: string
  /** Its route: the path itself, unless it is an alias. */
  readonly route: string
  /** The document it is served by; null if there is none. */
  readonly page: ProductPage | null
  readonly permission: string | null
}

/** A signed-in person, without a browser. */
export interface Session {
  readonly permissions: readonly string[]
  readonly call: (path: string, body?: JsonObject) => Promise<JsonObject>
}

/** Every route of the table with its aliases, and every page of the folder without a route. */
export async function readRoutes(): Promise<readonly RouteCase[]> {
  const { pages, routes } = await readProduct()
  const rows = await readJson('schemas/routes.json')
  const table = (Array.isArray(rows) ? rows : [])
    .filter(isObject)
    .filter(({ path }) => !String(path).includes('/:'))
  const paths = table.flatMap(({ path, aliases }) =>
    [String(path), ...(Array.isArray(aliases) ? aliases.map(String) : [])].map(
      (one) => [one, String(path)] as const,
    ),
  )
  const served = new Set(paths.map(([path]) => routes.get(path) ?? path))
  const stray = pages.filter(({ path }) => !served.has(path))
  return [
    ...paths.map(([path, route]): RouteCase => {
      const page = pages.find((one) => one.path === (routes.get(path) ?? path)) ?? null
      const permission = page === null ? '' : requiredRight(withoutOwn(settingsOf(page)), {}, {})
      return { path, route, page, permission: permission === '' ? null : permission }
    }),
    ...stray.map(({ path }) => ({ path, route: path, page: null, permission: null })),
  ]
}

/** A rule for own modules stands for one rule per module; the tenant has none at first. */
function withoutOwn(settings: PageSettings): PageSettings {
  const { permission } = settings
  if (!Array.isArray(permission)) return settings
  return { ...settings, permission: permission.filter((one) => !String(one.permission).startsWith('own:')) }
}

/** Signs a demo account in. */
export async function signIn(url: string, account: string): Promise<Session> {
  const send = async (path: string, token: string | null, body?: JsonObject): Promise<JsonObject> => {
    const answer = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token === null ? {} : { authorization: token }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data } = (await answer.json()) as { readonly data: Json }
    return isObject(data) ? data : {}
  }
  const { token } = await send('/mini/login/validate', null, {
    account,
    password: PASSWORD,
    agree: true,
    deviceId: `routes-${account}`,
  })
  const call: Session['call'] = (path, body) => send(path, String(token), body)
  const { permissions } = await call('/mini/user/detail')
  return { permissions: (Array.isArray(permissions) ? permissions : []).map(String), call }
}

/** True if the person may open the page. */
export async function rightsOf({ permissions }: Session, { permission }: RouteCase): Promise<boolean> {
  return permission === null || holdsPermission(permissions, permission)
}

/** Gives a colleague a role without permissions. */
export async function takeRights({ call }: Session, userId: string): Promise<void> {
  const token = () => ({ clientToken: `routes-${Date.now()}-${Math.random()}`.slice(0, 40) })
  const role = await call('/engine/web/role/save', { name: '没有权限', permissions: [], ...token() })
  const { record } = await call(`/engine/web/user/detail?id=${userId}`)
  await call('/engine/web/user/save', {
    ...(isObject(record) ? record : {}),
    role_ids: [role.id ?? ''],
    ...token(),
  })
}

const PAGE_IN_SET = '/pages/x/fair'

/** Creates a change set with changes: the demo data has none. */
export async function beginChangeSet({ call }: Session): Promise<void> {
  const token = (of: string) => ({ clientToken: `routes-${Date.now()}-${of}` })
  const set = { title: '上线前的调整', note: '一起发布' }
  const { id = '' } = await call('/engine/web/changeset/save', { ...set, ...token('set') })
  const change = { id: 'customer_source', label: '行业展会' }
  await call('/engine/web/changeset/put', { id, kind: 'dict', change, ...token('item') })
  const hello = { type: 'static-text', id: 'hello', options: { name: 'hello', textContent: '欢迎参观' } }
  const page = {
    path: PAGE_IN_SET,
    base: 0,
    document: { formConfig: { page: { title: '展会' } }, widgetList: [hello] },
  }
  await call('/engine/web/changeset/put', { id, kind: 'page', change: page, ...token('page') })
}

/** Queries of pages that need one of several parameters, none of which is required. */
const ONE_OF_SEVERAL: Readonly<Record<string, string>> = {
  '/pages/stats/detail': '?key=new_customer',
}

/** Pages that do not name the list of their records: the parameter with the id, and that list. */
const OF_A_RECORD: Readonly<Record<string, readonly [name: string, list: string]>> = {
  '/pages/customer/my/follow/add': ['targetId', '/mini/customer/list'],
  '/pages/admin/page/look': ['id', '/engine/web/changeset/list'],
}

/** Parameters that are not ids. */
const EXAMPLES: Readonly<Record<string, string>> = {
  key: 'new_customer',
  module: 'customer',
  name: 'customer',
  path: '/pages/customer/my/add',
}
/** Other parameters that a page needs besides its record. */
const BESIDES: Readonly<Record<string, string>> = {
  '/pages/admin/page/look': `&path=${encodeURIComponent(PAGE_IN_SET)}`,
}
/** Ids found so far, by person and list. */
const samples = new WeakMap<Session, Map<string, Promise<string>>>()

/** The required query of a page: the id of the first record of its own list. */
export async function sampleOf(session: Session, { page }: RouteCase): Promise<string> {
  if (page === null) return ''
  const [name, list] = OF_A_RECORD[page.path] ?? [requiredOf(page), listOf(page)]
  if (name === undefined) return ONE_OF_SEVERAL[page.path] ?? ''
  const example = EXAMPLES[name]
  if (example !== undefined) return `?${name}=${example}`
  const mine = samples.get(session) ?? new Map<string, Promise<string>>()
  samples.set(session, mine)
  const known = mine.get(list) ?? firstId(session.call, list)
  mine.set(list, known)
  return `?${name}=${encodeURIComponent(await known)}${BESIDES[page.path] ?? ''}`
}

/** The first required parameter of a page. */
function requiredOf(page: ProductPage): string | undefined {
  const { params } = settingsOf(page)
  const all = Array.isArray(params) ? params.filter(isObject) : []
  const required = all.find((one) => one.required === true)
  return required === undefined ? undefined : String(required.name)
}

/** The list whose records a page shows. */
function listOf(page: ProductPage): string {
  const urls = sourcesOf(page).map(({ requestURL }) => String(requestURL))
  return urls.find((url) => url.endsWith('/detail'))?.replace(/detail$/, 'list') ?? '/mini/customer/list'
}

/** Lists that need a tab with records: the first one that has any. */
const ASKED: Readonly<Record<string, readonly JsonObject[]>> = {
  '/mini/approval/list': [{ tab: 'running' }],
  '/mini/report/list': [{ tab: 'received' }, { tab: 'sent' }],
}

async function firstId(call: Session['call'], list: string): Promise<string> {
  const [, pooled] = /^\/mini\/pool\/(\w+)\/list$/.exec(list) ?? []
  const pool = pooled === undefined ? '' : idIn(await call(`/mini/pool/list?entity=${pooled}`))
  for (const asked of ASKED[list] ?? [{}]) {
    const id = idIn(await call(list, { ...(pool === '' ? {} : { poolId: pool }), ...asked }))
    if (id !== '') return id
  }
  return ''
}

function idIn({ list, items }: JsonObject): string {
  const [first] = Array.isArray(list) ? list : Array.isArray(items) ? items : []
  return isObject(first) ? String(first.id ?? first.key ?? '') : ''
}
