import type { Failure } from '../../runtime/core/errors.ts'
import { isObject, type Json, ownValue } from '../../runtime/core/json.ts'
import { rightsInRules } from '../contract/field-rights.ts'
import type { PageProblem } from '../contract/pages.ts'
import type {
  Answer,
  Checked,
  Colleague,
  ModuleField,
  Opened,
  Other,
  PageFacts,
  Role,
  ServerDraft,
  Sides,
  Source,
  Upgrade,
  Version,
  VersionSet,
} from './calls.ts'

export const listIn = (data: Json | undefined, key: string): readonly Json[] => {
  const list = ownValue(data, key)
  return Array.isArray(list) ? list : []
}

/** The text at a key; '' if there is none. */
export const textIn = (data: Json | undefined, key: string): string => String(ownValue(data, key) ?? '')

export const numberIn = (data: Json | undefined, key: string): number => Number(ownValue(data, key) ?? 0)

const problemsIn = (data: Json | undefined): readonly PageProblem[] =>
  listIn(data, 'problems') as unknown as readonly PageProblem[]

export const checkedIn = (data: Json | undefined): Checked => ({
  problems: problemsIn(data),
  advice: listIn(data, 'advice') as unknown as readonly PageProblem[],
})

function thereIn(draft: Json | undefined): ServerDraft | null {
  if (!isObject(draft)) return null
  return {
    text: String(draft.text ?? ''),
    base: numberIn(draft, 'base'),
    stamp: String(draft.stamp ?? ''),
  }
}

export const colleaguesIn = (data: Json | undefined): Colleague[] =>
  listIn(data, 'others').map((one) => ({
    user: textIn(one, 'user'),
    author: textIn(one, 'author'),
    at: textIn(one, 'at'),
    base: numberIn(one, 'base'),
  }))

export function upgradeIn(data: Json | undefined): Upgrade | null {
  if (ownValue(data, 'pending') !== true) return null
  return {
    baseDocument: ownValue(data, 'baseDocument') ?? null,
    document: ownValue(data, 'vendorDocument') ?? null,
    etag: textIn(data, 'vendorEtag'),
  }
}

export const named = (one: Json) => ({
  name: textIn(one, 'name'),
  label: String(ownValue(one, 'label') ?? ownValue(one, 'name') ?? ''),
})

export function roleIn(one: Json): Role {
  const rights = ownValue(one, 'shown_rights')
  return {
    id: textIn(one, 'id'),
    name: textIn(one, 'name'),
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
    isOwn: ownValue(data, 'own') === true,
  }
}

export const factsIn = (record: Json | undefined): PageFacts => ({
  revision: numberIn(record, 'revision'),
  source: textIn(record, 'source_name'),
  author: textIn(record, 'author'),
  at: textIn(record, 'at'),
})

export const sidesIn = (data: Json | undefined): Sides => ({
  title: textIn(data, 'title'),
  changes: listIn(data, 'changes').map(String),
  isDone: ownValue(data, 'done') === true,
  before: ownValue(data, 'before') ?? null,
  after: ownValue(data, 'after') ?? null,
})

export function versionIn(one: Json): Version {
  return {
    revision: numberIn(one, 'revision'),
    author: textIn(one, 'author'),
    at: textIn(one, 'at'),
    note: textIn(one, 'note'),
    current: ownValue(one, 'current') === true,
    health: textIn(one, 'health'),
    changes: listIn(one, 'changes').map((change) => textIn(change, 'text')),
  }
}

export const versionSetIn = (one: Json): VersionSet => ({
  title: textIn(one, 'title'),
  revision: numberIn(one, 'revision'),
  others: textIn(one, 'others'),
  isBack: ownValue(one, 'back') === true,
})

export const sourceIn = (data: Json | undefined): Source => ({
  text: String(ownValue(data, 'text') ?? JSON.stringify(ownValue(data, 'document') ?? null, null, 2)),
  revision: numberIn(data, 'revision'),
})

export const openedIn = (data: Json | undefined): Opened => ({
  draft: thereIn(ownValue(data, 'draft')),
  others: colleaguesIn(data),
  text: textIn(data, 'text'),
  base: numberIn(data, 'base'),
})

export const fieldIn = (one: Json): ModuleField => ({
  name: textIn(one, 'called'),
  label: named(one).label,
  isWritten: ownValue(one, 'written') === true,
})

/** A failed call: the message for the user, and the details of the refusal. */
export function failureIn({ message, data }: Failure): Answer<never> {
  const detail = isObject(data) && isObject(data.data) ? data.data : data
  return {
    ok: false,
    message,
    problems: problemsIn(detail),
    other: otherIn(detail),
    serverDraft: thereIn(ownValue(detail, 'draft')),
    isChangedSince: listIn(detail, 'items').length > 0,
  }
}
