import { type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import type { Answer, Calls } from './calls.ts'
import { recordsIn } from './canvas/records.ts'
import {
  checkedIn,
  colleaguesIn,
  factsIn,
  failureIn,
  fieldIn,
  listIn,
  named,
  numberIn,
  openedIn,
  roleIn,
  sidesIn,
  sourceIn,
  textIn,
  upgradeIn,
  versionIn,
  versionSetIn,
} from './read-answer.ts'

const BASE_PATH = '/engine/web/page'
const SETS = '/engine/web/changeset'

/** Implements the calls, through the http port of the surrounding page. */
export function createCalls(ports: Pick<Ports, 'http' | 'random'>): Calls {
  const wire = createWire(ports)
  return { ...draftCalls(wire), ...versionCalls(wire), ...partCalls(wire) }
}

type Read<T> = (data: Json | undefined) => T
/** How calls are sent; `write` adds the token that makes a repeat harmless. */
interface Wire {
  get<T>(url: string, read: Read<T>): Promise<Answer<T>>
  post<T>(url: string, body: JsonObject, read: Read<T>): Promise<Answer<T>>
  write<T>(url: string, body: JsonObject, read: Read<T>): Promise<Answer<T>>
}

function createWire({ http, random }: Pick<Ports, 'http' | 'random'>): Wire {
  const send = async <T>(request: Parameters<typeof http.send>[0], read: Read<T>): Promise<Answer<T>> => {
    const outcome = await http.send(request)
    return outcome.ok
      ? { ok: true, value: read(ownValue(outcome.value.data, 'data')) }
      : failureIn(outcome.error)
  }
  return {
    get: (url, read) => send({ method: 'GET', url }, read),
    post: (url, body, read) => send({ method: 'POST', url, body }, read),
    write: (url, body, read) =>
      send({ method: 'POST', url, body: { ...body, clientToken: random.uuid() } }, read),
  }
}

const at = (name: string, path: string): string => `${BASE_PATH}/${name}?path=${encodeURIComponent(path)}`
const revisionIn = (data: Json | undefined) => ({ revision: numberIn(data, 'revision') })

/** The page being edited: its text, its draft, and who else works on it. */
const draftCalls = ({ get, post }: Wire) =>
  ({
    source: (path, revision) =>
      get(at('source', path) + (revision === undefined ? '' : `&revision=${revision}`), sourceIn),
    facts: (path) => get(at('facts', path), (data) => factsIn(ownValue(data, 'record'))),
    check: (path, text) => post(`${BASE_PATH}/check`, { path, document: text }, checkedIn),
    draft: (path) => get(at('draft', path), openedIn),
    saveDraft: (path, text, base, after) =>
      post(`${BASE_PATH}/draft/save`, { path, document: text, base, after, preview: false }, (data) => ({
        ...checkedIn(data),
        stamp: textIn(data, 'stamp'),
        others: colleaguesIn(data),
      })),
    visit: (path) => post(`${BASE_PATH}/visit`, { path }, (data) => listIn(data, 'here').map(String)),
    leave: (path) => post(`${BASE_PATH}/leave`, { path }, () => null),
    dropDraft: (path) => post(`${BASE_PATH}/draft/delete`, { path }, () => null),
    draftOf: (path, user) =>
      get(`${at('draft/of', path)}&user=${encodeURIComponent(user)}`, (data) => ({
        text: textIn(data, 'text'),
        base: numberIn(data, 'base'),
      })),
  }) satisfies Partial<Calls>

/** Its versions: publishing, releases of the product, change sets. */
const versionCalls = ({ get, write }: Wire) =>
  ({
    publish: (path, text, base, note, vendorEtag) =>
      write(
        `${BASE_PATH}/publish`,
        { path, document: text, base, note, ...(vendorEtag === '' ? {} : { vendorEtag }) },
        revisionIn,
      ),
    upgrade: (path) => get(at('upgrade', path), upgradeIn),
    putInSet: (path, document, base) =>
      write(`${SETS}/put`, { kind: 'page', change: { path, document, base } }, (data) => ({
        title: textIn(data, 'title'),
      })),
    sides: (set, path) =>
      get(`${SETS}/page?id=${encodeURIComponent(set)}&path=${encodeURIComponent(path)}`, sidesIn),
    versions: (path) => get(at('versions', path), (data) => listIn(data, 'list').map(versionIn)),
    setsOf: (path) =>
      get(`${SETS}/of-page?path=${encodeURIComponent(path)}`, (data) =>
        listIn(data, 'list').map(versionSetIn),
      ),
    rollBack: (path, revision, way) =>
      write(
        way === 'alone' ? `${BASE_PATH}/rollback` : `${SETS}/rollback-page`,
        { path, revision, ...(way === 'anyway' ? { anyway: true } : {}) },
        revisionIn,
      ),
  }) satisfies Partial<Calls>

/** What a page is made of and viewed with: modules, fields, shared parts, roles, records. */
const partCalls = ({ get, post }: Wire) =>
  ({
    expand: (items) =>
      post(`${BASE_PATH}/expand`, { items }, (data) =>
        listIn(data, 'list').map((one) => ({ items: listIn(one, 'items'), sources: listIn(one, 'sources') })),
      ),
    modules: () =>
      post('/engine/web/module/list', {}, (data) =>
        listIn(data, 'list')
          .filter((one) => ownValue(one, 'origin') !== 'tenant')
          .map(named),
      ),
    roles: () => post('/engine/web/role/list', {}, (data) => listIn(data, 'list').map(roleIn)),
    records: (url) => post(url, {}, recordsIn),
    fragments: () =>
      get(`${BASE_PATH}/fragments`, (data) =>
        listIn(data, 'list').map((one) => ({ ...named(one), asks: listIn(one, 'asks').map(String) })),
      ),
    readings: (words) =>
      post(`${BASE_PATH}/readings`, { words: [...words] }, (data) => listIn(data, 'list').map(String)),
    fields: (module) =>
      get(`/engine/web/field/list?module=${encodeURIComponent(module)}`, (data) =>
        listIn(data, 'live').map(fieldIn),
      ),
  }) satisfies Partial<Calls>
