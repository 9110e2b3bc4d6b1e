import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import type { Ports } from '../../runtime/core/ports.ts'
import { rightsInRules } from '../contract/field-rights.ts'
import type { PageProblem } from '../contract/pages.ts'
import { type RecordChoice, recordsIn } from './canvas/records.ts'

/** A page as it is stored. */
interface Source {
  readonly text: string
  /** 0: the vendor's page. */
  readonly revision: number
}

interface Checked {
  readonly problems: readonly PageProblem[]
  readonly advice: readonly PageProblem[]
}

/** One published version. */
export interface Version {
  readonly revision: number
  readonly author: string
  readonly at: string
  readonly note: string
  readonly current: boolean
  readonly changes: readonly string[]
  /** Its statistics; '' while nobody has opened it. */
  readonly health: string
}

/** Other changes published with a version, in one change set. */
export interface VersionSet {
  readonly title: string
  readonly revision: number
  /** As text. */
  readonly others: string
  /** It was reverted since. */
  readonly isBack: boolean
}

/** The current version at a path. */
export interface PageFacts {
  /** 0: the product's. */
  readonly revision: number
  /** Its origin, as text. */
  readonly source: string
  readonly author: string
  readonly at: string
}

/** Somebody published meanwhile. */
interface Other {
  readonly revision: number
  readonly document: Json
  readonly baseDocument: Json
}

/** A draft as stored on the server. */
export interface DraftThere {
  readonly text: string
  readonly base: number
  /** Identifies this state of it. */
  readonly stamp: string
}

/** A colleague with a draft of the same page. */
export interface Colleague {
  readonly user: string
  readonly author: string
  readonly at: string
  readonly base: number
}

/** A field of a module, as pages refer to it. */
export interface ModuleField {
  /** Its name in pages. */
  readonly name: string
  readonly label: string
  /** False for a field that nobody fills in: no form contains it. */
  readonly isWritten: boolean
}

/** A shared part that a page can refer to. */
export interface FragmentFacts {
  readonly name: string
  readonly label: string
  /** Required parameters. */
  readonly asks: readonly string[]
}

/** A page opened for editing: the draft of an earlier visit, otherwise the current version. */
interface Opened {
  readonly draft: DraftThere | null
  readonly others: readonly Colleague[]
  readonly text: string
  readonly base: number
}

/** A saved draft, with the result of the check. */
export interface Saved extends Checked {
  readonly stamp: string
  readonly others: readonly Colleague[]
}

/** A role of the tenant, for viewing a page as its people do. */
export interface Role {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly fieldRights: JsonObject
}

/** The result of a call: the requested data, or a message for the user. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false
      readonly message: string
      readonly problems: readonly PageProblem[]
      readonly other: Other | null
      /** Another window of the same person saved first. */
      readonly there: DraftThere | null
      /** The versions to revert have changed since: the user must confirm. */
      readonly isChangedSince: boolean
    }

/** How a page is reverted: alone, together with everything that was published with the versions since, or that even if it has changed. */
export type WayBack = 'alone' | 'together' | 'anyway'

/** The replacement for a reference on a page. */
export interface Expansion {
  readonly items: readonly Json[]
  readonly sources: readonly Json[]
}

/** A newer release's changes to a page that the tenant has changed. */
export interface Upgrade {
  /** The product's page when the tenant's was made, and now. */
  readonly baseDocument: Json
  readonly document: Json
  readonly etag: string
}

/** A page of a change set: before and after. */
export interface Sides {
  readonly title: string
  readonly changes: readonly string[]
  /** It is published: `before` is the replaced version. */
  readonly isDone: boolean
  /** As served, without references; null if there is no page. */
  readonly before: Json
  readonly after: Json
}

/** The server calls of the workbench. */
export interface Calls {
  source(path: string, revision?: number): Promise<Answer<Source>>
  facts(path: string): Promise<Answer<PageFacts>>
  check(path: string, text: string): Promise<Answer<Checked>>
  draft(path: string): Promise<Answer<Opened>>
  /** @param after  the state on which it is based; '' if there was none */
  saveDraft(path: string, text: string, base: number, after: string): Promise<Answer<Saved>>
  dropDraft(path: string): Promise<Answer<null>>
  /** Reports that the page is open here. @returns who else has it open */
  visit(path: string): Promise<Answer<readonly string[]>>
  leave(path: string): Promise<Answer<null>>
  draftOf(path: string, user: string): Promise<Answer<Pick<DraftThere, 'text' | 'base'>>>
  publish(
    path: string,
    text: string,
    base: number,
    note: string,
    /** The product's page that was decided on; '' for none. */
    vendorEtag: string,
  ): Promise<Answer<{ readonly revision: number }>>
  /** Null if there are no changes by the product. */
  upgrade(path: string): Promise<Answer<Upgrade | null>>
  /** Adds the page to the change set that the person is working on, or to a new one. */
  putInSet(path: string, text: string, base: number): Promise<Answer<{ readonly title: string }>>
  sides(set: string, path: string): Promise<Answer<Sides>>
  versions(path: string): Promise<Answer<readonly Version[]>>
  /** Of the versions that were published with other changes, newest first. */
  setsOf(path: string): Promise<Answer<readonly VersionSet[]>>
  rollBack(path: string, revision: number, way: WayBack): Promise<Answer<{ readonly revision: number }>>
  expand(items: readonly JsonObject[]): Promise<Answer<readonly Expansion[]>>
  /** Modules whose fields pages can refer to. */
  modules(): Promise<Answer<readonly { readonly name: string; readonly label: string }[]>>
  roles(): Promise<Answer<readonly Role[]>>
  /** The first records of a list. */
  records(url: string): Promise<Answer<readonly RecordChoice[]>>
  fields(module: string): Promise<Answer<readonly ModuleField[]>>
  fragments(): Promise<Answer<readonly FragmentFacts[]>>
  /** The pinyin of words, each as its syllables and their first letters. */
  readings(words: readonly string[]): Promise<Answer<readonly string[]>>
}

const ROOM = '/engine/web/page'
const SETS = '/engine/web/changeset'

/** Implements the calls, through the http port of the surrounding page. */
export function createCalls({ http, random }: Pick<Ports, 'http' | 'random'>): Calls {
  const send = async <T>(
    method: 'GET' | 'POST',
    url: string,
    body: JsonObject | null,
    read: (data: Json | undefined) => T,
  ): Promise<Answer<T>> => {
    const outcome = await http.send({ method, url, ...(body === null ? {} : { body }) })
    if (outcome.ok) return { ok: true, value: read(ownValue(outcome.value.data, 'data')) }
    const { message, data } = outcome.error
    const detail = isObject(data) && isObject(data.data) ? data.data : data
    return {
      ok: false,
      message,
      problems: problemsIn(detail),
      other: otherIn(detail),
      there: thereIn(ownValue(detail, 'draft')),
      isChangedSince: listIn(detail, 'items').length > 0,
    }
  }
  const get = <T>(url: string, read: (data: Json | undefined) => T) => send('GET', url, null, read)
  const write = <T>(url: string, body: JsonObject, read: (data: Json | undefined) => T) =>
    send('POST', url, { ...body, clientToken: random.uuid() }, read)
  const at = (name: string, path: string): string => `${ROOM}/${name}?path=${encodeURIComponent(path)}`
  return {
    source: (path, revision) =>
      get(at('source', path) + (revision === undefined ? '' : `&revision=${revision}`), (data) => ({
        text: String(ownValue(data, 'text') ?? JSON.stringify(ownValue(data, 'document') ?? null, null, 2)),
        revision: numberIn(data, 'revision'),
      })),
    facts: (path) => get(at('facts', path), (data) => factsIn(ownValue(data, 'record'))),
    check: (path, text) => send('POST', `${ROOM}/check`, { path, document: text }, checkedIn),
    draft: (path) =>
      get(at('draft', path), (data) => ({
        draft: thereIn(ownValue(data, 'draft')),
        others: colleaguesIn(data),
        text: String(ownValue(data, 'text') ?? ''),
        base: numberIn(data, 'base'),
      })),
    saveDraft: (path, text, base, after) =>
      send('POST', `${ROOM}/draft/save`, { path, document: text, base, after, preview: false }, (data) => ({
        ...checkedIn(data),
        stamp: String(ownValue(data, 'stamp') ?? ''),
        others: colleaguesIn(data),
      })),
    visit: (path) =>
      send('POST', `${ROOM}/visit`, { path }, (data) => listIn(data, 'here').map((name) => String(name))),
    leave: (path) => send('POST', `${ROOM}/leave`, { path }, () => null),
    dropDraft: (path) => send('POST', `${ROOM}/draft/delete`, { path }, () => null),
    draftOf: (path, user) =>
      get(`${at('draft/of', path)}&user=${encodeURIComponent(user)}`, (data) => ({
        text: String(ownValue(data, 'text') ?? ''),
        base: numberIn(data, 'base'),
      })),
    publish: (path, text, base, note, vendorEtag) =>
      write(
        `${ROOM}/publish`,
        { path, document: text, base, note, ...(vendorEtag === '' ? {} : { vendorEtag }) },
        (data) => ({ revision: numberIn(data, 'revision') }),
      ),
    upgrade: (path) => get(at('upgrade', path), upgradeIn),
    putInSet: (path, document, base) =>
      write(`${SETS}/put`, { kind: 'page', change: { path, document, base } }, (data) => ({
        title: String(ownValue(data, 'title') ?? ''),
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
        way === 'alone' ? `${ROOM}/rollback` : `${SETS}/rollback-page`,
        { path, revision, ...(way === 'anyway' ? { anyway: true } : {}) },
        (data) => ({ revision: numberIn(data, 'revision') }),
      ),
    expand: (items) =>
      send('POST', `${ROOM}/expand`, { items }, (data) =>
        listIn(data, 'list').map((one) => ({ items: listIn(one, 'items'), sources: listIn(one, 'sources') })),
      ),
    modules: () =>
      send('POST', '/engine/web/module/list', {}, (data) =>
        listIn(data, 'list')
          .filter((one) => ownValue(one, 'origin') !== 'tenant')
          .map(named),
      ),
    roles: () => send('POST', '/engine/web/role/list', {}, (data) => listIn(data, 'list').map(roleIn)),
    records: (url) => send('POST', url, {}, recordsIn),
    fragments: () =>
      get(`${ROOM}/fragments`, (data) =>
        listIn(data, 'list').map((one) => ({ ...named(one), asks: listIn(one, 'asks').map(String) })),
      ),
    readings: (words) =>
      send('POST', `${ROOM}/readings`, { words: [...words] }, (data) => listIn(data, 'list').map(String)),
    fields: (module) =>
      get(`/engine/web/field/list?module=${encodeURIComponent(module)}`, (data) =>
        listIn(data, 'live').map((one) => ({
          name: String(ownValue(one, 'called') ?? ''),
          label: named(one).label,
          isWritten: ownValue(one, 'written') === true,
        })),
      ),
  }
}

const listIn = (data: Json | undefined, key: string): readonly Json[] => {
  const list = ownValue(data, key)
  return Array.isArray(list) ? list : []
}

const numberIn = (data: Json | undefined, key: string): number => Number(ownValue(data, key) ?? 0)

const problemsIn = (data: Json | undefined): readonly PageProblem[] =>
  listIn(data, 'problems') as unknown as readonly PageProblem[]

const checkedIn = (data: Json | undefined): Checked => ({
  problems: problemsIn(data),
  advice: listIn(data, 'advice') as unknown as readonly PageProblem[],
})

function thereIn(draft: Json | undefined): DraftThere | null {
  if (!isObject(draft)) return null
  return {
    text: String(draft.text ?? ''),
    base: numberIn(draft, 'base'),
    stamp: String(draft.stamp ?? ''),
  }
}

const colleaguesIn = (data: Json | undefined): Colleague[] =>
  listIn(data, 'others').map((one) => ({
    user: String(ownValue(one, 'user') ?? ''),
    author: String(ownValue(one, 'author') ?? ''),
    at: String(ownValue(one, 'at') ?? ''),
    base: numberIn(one, 'base'),
  }))

function upgradeIn(data: Json | undefined): Upgrade | null {
  if (ownValue(data, 'pending') !== true) return null
  return {
    baseDocument: ownValue(data, 'baseDocument') ?? null,
    document: ownValue(data, 'vendorDocument') ?? null,
    etag: String(ownValue(data, 'vendorEtag') ?? ''),
  }
}

const named = (one: Json) => ({
  name: String(ownValue(one, 'name') ?? ''),
  label: String(ownValue(one, 'label') ?? ownValue(one, 'name') ?? ''),
})

function roleIn(one: Json): Role {
  const rights = ownValue(one, 'field_rights')
  return {
    id: String(ownValue(one, 'id') ?? ''),
    name: String(ownValue(one, 'name') ?? ''),
    permissions: listIn(one, 'permissions').map(String),
    fieldRights: rightsInRules((isObject(rights) ? rights : {}) as Parameters<typeof rightsInRules>[0]),
  }
}

function otherIn(data: Json | undefined): Other | null {
  const document = ownValue(data, 'document')
  if (document === undefined) return null
  return {
    revision: numberIn(data, 'revision'),
    document,
    baseDocument: ownValue(data, 'baseDocument') ?? null,
  }
}

const factsIn = (record: Json | undefined): PageFacts => ({
  revision: numberIn(record, 'revision'),
  source: String(ownValue(record, 'source_name') ?? ''),
  author: String(ownValue(record, 'author') ?? ''),
  at: String(ownValue(record, 'at') ?? ''),
})

const sidesIn = (data: Json | undefined): Sides => ({
  title: String(ownValue(data, 'title') ?? ''),
  changes: listIn(data, 'changes').map(String),
  isDone: ownValue(data, 'done') === true,
  before: ownValue(data, 'before') ?? null,
  after: ownValue(data, 'after') ?? null,
})

function versionIn(one: Json): Version {
  return {
    revision: numberIn(one, 'revision'),
    author: String(ownValue(one, 'author') ?? ''),
    at: String(ownValue(one, 'at') ?? ''),
    note: String(ownValue(one, 'note') ?? ''),
    current: ownValue(one, 'current') === true,
    health: String(ownValue(one, 'health') ?? ''),
    changes: listIn(one, 'changes').map((change) => String(ownValue(change, 'text') ?? '')),
  }
}

const versionSetIn = (one: Json): VersionSet => ({
  title: String(ownValue(one, 'title') ?? ''),
  revision: numberIn(one, 'revision'),
  others: String(ownValue(one, 'others') ?? ''),
  isBack: ownValue(one, 'back') === true,
})
