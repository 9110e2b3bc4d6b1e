import type { Json, JsonObject } from '../../../runtime/core/json.ts'
import { FULL_BUSSINESS, FULL_CONTACT, FULL_CUSTOMER, FULL_LEAD } from '../full-records.ts'
import type { Answer, Client } from '../support.ts'
import { parametersOf, watchRoute } from './parameters.ts'
import type { Route } from './routes.ts'
import type { Secrets } from './secrets.ts'

/** The owner of the secrets, and the person who requests them. */
interface Asked {
  readonly theirs: Secrets
  readonly client: Client
}

/**
 * A call for one's own record with an id of somebody else in each parameter that its route reads, one at a time. What such a
 * call stores in the own record is checked as well.
 */
export async function tryParameters(
  { theirs, client }: Asked,
  [method, path]: Route,
): Promise<readonly Answer[]> {
  const route = `${method} ${path}`
  const send = (body: JsonObject) => {
    watchRoute(route)
    return method === 'post' ? client.post(path, body) : client.get(`${path}?${addressOf(body)}`)
  }
  const answers = [await send({ id: 'nobody', ids: ['nobody'] })]
  const tried = new Set<string>()
  for (let next = untried(route, tried); next.length > 0; next = untried(route, tried)) {
    for (const name of next) {
      tried.add(name)
      for (const value of valuesFor(name, theirs)) {
        const own = path.startsWith('/engine/') ? NOTHING : await ownRecord(path, client)
        const answer = await send({ ...own.body, [name]: value })
        answers.push(answer)
        if (method === 'get' || answer.meta.code !== 200) continue
        madeOf(client).delete(own.kind)
        if (own.id !== null) answers.push(await client.get(`/mini/${own.kind}/detail?id=${own.id}`))
      }
    }
  }
  return answers
}

/** Untried parameters that may name a person, a department or a record. */
function untried(route: string, tried: ReadonlySet<string>): readonly string[] {
  return parametersOf(route).filter((name) => !tried.has(name) && kindsOf(name).length > 0)
}

/** The kind a parameter refers to, by its name; ids of the path's own kind are tried elsewhere. */
const KINDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:id|ids|clientToken|deviceId|cursor|viewId|fileId)$/, []],
  [/^(?:objectId|scope|stat|filters)$/, ['person', 'dept']],
  [/^(?:targetId|target_id|masterId|excludeId)$/, ['customer', 'lead', 'contract']],
  [
    /^(?:to|members|without)$|(?:user|person|owner|assignee|author|leader|our_signer|mention|participant|member)(?:_?ids?)?$/i,
    ['person'],
  ],
  [/dept_?ids?$/i, ['dept']],
  [/^customer$|(?:customer|parent)_?ids?$/i, ['customer']],
  [/^contact$|(?:contact|signer|report_to)_?ids?$/i, ['contact']],
  [/bussiness_?ids?$/i, ['bussiness']],
  [/contract_?ids?$/i, ['contract']],
  [/plan_?ids?$/i, ['plan']],
  [/(?:payment|reverses)_?ids?$/i, ['payment']],
  [/lead_?ids?$/i, ['lead']],
  [/^call$|follow_?ids?$/i, ['follow']],
  [/pool_?ids?$/i, ['pool']],
  [/Ids?$|_ids?$/, ['customer', 'person']],
]

function kindsOf(name: string): readonly string[] {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? []
}

function valuesFor(name: string, { ids }: Secrets): readonly Json[] {
  const named = kindsOf(name).map((kind) => (kind === 'person' ? SECRETIVE : (ids[kind] ?? '')))
  return named.map((id, i) => (FORMS[name] ?? plainly)(id, kindsOf(name)[i] ?? '', name))
}

/** The owner of the secrets. */
const SECRETIVE = 'u-demo'
const SPAN = { key: 'new_contract', period: 'this_year' }

const plainly = (id: string, _: string, name: string): Json => (/s$/.test(name) ? [id] : id)

/** Parameters whose value is more than an id. */
const FORMS: Readonly<Record<string, (id: string, kind: string, name: string) => Json>> = {
  scope: (id, kind) => (kind === 'dept' ? `dept:${id}` : `user:${id}`),
  stat: (id, kind) => ({ ...SPAN, scope: kind === 'dept' ? `dept:${id}` : `user:${id}` }),
  filters: (id, kind) => [
    {
      field: kind === 'dept' ? 'owner_dept_id' : kind === 'person' ? 'owner_id' : `${kind}_id`,
      op: 'eq',
      value: id,
    },
  ],
  members: (id) => [{ userId: id, level: 'write' }],
  customer: (id) => ({ mode: 'link', id }),
  contact: (id) => ({ mode: 'link', id }),
  call: (id) => ({ callId: id, phone: '13900009999' }),
}

interface Own {
  readonly kind: string
  readonly id: string | null
  readonly body: JsonObject
}

const NOTHING: Own = { kind: '', id: null, body: {} }
/** The last created record of each kind of a person, unless a call has changed it. */
const madeBy = new WeakMap<Client, Map<string, Own>>()

function madeOf(client: Client): Map<string, Own> {
  const made = madeBy.get(client) ?? new Map<string, Own>()
  madeBy.set(client, made)
  return made
}

/** One's own record of the path's kind; a call that creates one gets the initial values of a new record. */
async function ownRecord(path: string, client: Client): Promise<Own> {
  const kind = path.split('/')[2] ?? ''
  const make = MAKERS[kind]
  if (make === undefined) return NOTHING
  if (path.endsWith('/create')) return { kind, id: null, body: await make(client) }
  const made = madeOf(client)
  const last = made.get(kind)
  if (last !== undefined) return last
  const { data, meta } = await client.post(`/mini/${kind}/create`, await make(client))
  if (meta.code !== 200) throw new Error(`an own ${kind}: ${meta.message}`)
  const { id, version } = data
  const own = { kind, id, body: { id, ids: [id], version, target_type: kind, targetType: kind } }
  made.set(kind, own)
  return own
}

let count = 0
const aName = () => `自己的${++count}号单位`
const aMobile = () => `1360000${String(1000 + ++count)}`

const MAKERS: Readonly<Record<string, (client: Client) => Promise<JsonObject>>> = {
  customer: async () => ({
    ...FULL_CUSTOMER,
    telephone: null,
    credit_code: null,
    website: null,
    name: aName(),
  }),
  contact: async (client) => ({
    ...FULL_CONTACT,
    mobile: aMobile(),
    mobile2: null,
    telephone: null,
    ...(await ofCustomer(client)),
  }),
  lead: async () => ({ ...FULL_LEAD, telephone: null, company: null, name: aName(), mobile: aMobile() }),
  bussiness: async (client) => ({ ...FULL_BUSSINESS, name: aName(), ...(await ofCustomer(client)) }),
  contract: async (client) => ({
    ...{ name: aName(), type: 'direct', amount: 1000, sign_date: '2026-03-10', plans: [] },
    ...(await ofCustomer(client)),
  }),
  follow: async (client) => {
    const { customer_id } = await ofCustomer(client)
    return { target_type: 'customer', target_id: customer_id, method: 'call', content: '自己的跟进' }
  },
  todo: async () => ({ title: '自己的待办', due_at: '2026-03-20' }),
}

async function ofCustomer(client: Client): Promise<{ customer_id: string }> {
  return { customer_id: (await client.post('/mini/customer/create', { name: aName() })).data.id }
}

function addressOf(body: JsonObject): string {
  const texts = Object.entries(body).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[key, value]]
      : Array.isArray(value) && typeof value[0] === 'string'
        ? [[key, value[0]]]
        : [],
  )
  return `${new URLSearchParams(texts)}`
}
