import type { Answer, Client, TestApp } from '../support.ts'
import type { Secrets } from './secrets.ts'

/** Streams stay open, and these calls end the caller's session. */
const LEFT_OUT = /stream$|\/login\/|\/tenant\/switch$|\/user\/password$/

/** The own module whose records are tried; every tenant of the tests has one of that name. */
export const OWN_MODULE = 'vault'

export type Route = readonly ['get' | 'post', string]

/** The calls that are tried with somebody's secrets; `posts`: calls that may wait in an outbox. */
export interface Tried {
  readonly theirs: Secrets
  readonly posts: readonly string[]
}
type Body = Readonly<Record<string, string | number | readonly string[] | readonly object[]>>
type Bodies = (theirs: Secrets, id: string, kind: string) => readonly Body[]

/** The call with an id of the kind its path names, or of every kind if it names none. */
export async function tryAll(
  { theirs, posts }: Tried,
  client: Client,
  [method, path]: Route,
  bodies: Bodies,
): Promise<readonly Answer[]> {
  const kind = path.split('/').findLast((part) => part in theirs.ids)
  const sent = path.startsWith('/mini/sync/')
    ? syncBodies(theirs, posts, path)
    : kind === undefined
      ? [...new Set(Object.values(theirs.ids))].flatMap((id) => plainBodiesFor(theirs, id))
      : bodies(theirs, theirs.ids[kind] ?? '', kind)
  if (method === 'post') return Promise.all(sent.map((body) => client.post(path, body as never)))
  return Promise.all([...new Set(sent.map(queryOf))].map((query) => client.get(`${path}?${query}`)))
}

/** The part of a body that fits into a query string. */
function queryOf(body: Body): string {
  return `${new URLSearchParams(Object.entries(body).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])))}`
}

export function plainBodiesFor(_: Secrets, id: string): readonly Body[] {
  return [{ id, ids: [id] }, { id }]
}

/** All parameters in which a call may accept an id; calls that reject unknown fields get the short form. */
export function bodiesFor(theirs: Secrets, id: string, kind: string): readonly Body[] {
  const toUserId = 'u-yfadmin'
  const asked = { key: 'new_contract', period: 'this_year' }
  const customer = theirs.ids.customer ?? ''
  return [
    ...plainBodiesFor(theirs, id),
    { ids: [id] },
    { id: `approval:${theirs.ids.approval}`, ids: [`approval:${theirs.ids.approval}`] },
    { ids: [id], toUserId, reason: 'other' },
    { ids: [id], toUserId },
    { ids: [id], to: 'week' },
    { id, toUserId },
    { id, version: 1, name: '越权' },
    { id, version: 1, name: '越权', title: '越权', toUserId, userId: id, customerId: id, contractId: id },
    { title: '越权', due_at: '2026-03-20', target_type: kind, target_id: id },
    {
      targetType: 'customer',
      targetId: customer,
      target_type: 'customer',
      target_id: customer,
      content: '越权',
      method: 'call',
    },
    ...[`user:${id}`, `dept:${theirs.ids.dept}`].flatMap((scope) => [
      { ...asked, scope },
      { keys: [asked.key], period: asked.period, scope },
    ]),
    { objectType: 'user', objectId: id, year: '2026' },
  ]
}

/** Everything that sync returns; and every post once more, as queued in an outbox. */
function syncBodies(theirs: Secrets, posts: readonly string[], path: string): readonly Body[] {
  if (path.endsWith('/changes')) return [{}, { since: theirs.since }]
  const ops = posts.map((to, n) => {
    const id = theirs.ids[to.split('/').findLast((part) => part in theirs.ids) ?? ''] ?? ''
    return { clientToken: `isolated-${n}`, path: to, body: { id, ids: [id] } }
  })
  return batchesOf(ops).map((some) => ({ ops: some }))
}

/** The maximum number of calls an outbox sends at once. */
export function batchesOf<T>(ops: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(ops.length / 50) }, (_, i) => ops.slice(i * 50, i * 50 + 50))
}

/** The writing calls. */
export function postsOf(routes: readonly Route[]): readonly string[] {
  return routes.flatMap(([method, path]) => (method === 'post' && path.startsWith('/mini/') ? [path] : []))
}

/** The server's routes, except those that cannot be tried like the others. */
export function routesOf(server: TestApp): readonly Route[] {
  return everyRouteOf(server).filter(([, path]) => !LEFT_OUT.test(path))
}

/** Every route of the API. */
export function everyRouteOf({ app }: TestApp): readonly Route[] {
  const stack: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line): Route[] => {
      const found = /^([│ ]*)[├└]── (\S*)(?: \(([^)]*)\))?/.exec(line)
      if (found === null) return []
      const [, indent = '', part = '', methods = ''] = found
      const depth = indent.length / 4
      stack.length = depth
      stack[depth] = part
      const path = stack.join('').replace(':module', OWN_MODULE)
      return methods
        .split(', ')
        .filter((method) => method === 'GET' || method === 'POST')
        .map((method) => [method === 'GET' ? 'get' : 'post', path] as const)
    })
    .filter(([, path]) => /^\/(mini|engine)\//.test(path))
}
