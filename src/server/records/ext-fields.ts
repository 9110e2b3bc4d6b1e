import { isObject, type Json, type JsonObject, ownValue } from '../../../runtime/core/json.ts'
import { text } from '../text.ts'
import type { Asking } from './asking.ts'
import type { SalesEntity } from './entities.ts'

/** A field of a tenant's own, defined in `tenant.settings.ext_fields.<entity>` (CRM 0.5). */
interface ExtField {
  readonly key: string
  readonly label: string
  readonly kind: 'text' | 'number' | 'day' | 'flag' | 'select' | 'multi'
  readonly required: boolean
  readonly max: number
  readonly options: readonly string[]
}

const KINDS: readonly string[] = ['text', 'number', 'day', 'flag', 'select', 'multi']
const KEY = /^[a-z]\w{0,39}$/
const FIELDS_MOST = 100
const TEXT_MOST = 2000

/** The fields a tenant has added to an entity; what is defined wrongly is left out. */
export function extFieldsOf(entity: SalesEntity, { caller }: Pick<Asking, 'caller'>): readonly ExtField[] {
  const defined = ownValue(ownValue(caller.tenant.settings, 'ext_fields'), entity)
  if (!Array.isArray(defined)) return []
  return defined
    .filter(isObject)
    .filter((it) => typeof it.key === 'string' && KEY.test(it.key) && KINDS.includes(String(it.kind)))
    .slice(0, FIELDS_MOST)
    .map((it) => ({
      key: String(it.key),
      label: typeof it.label === 'string' ? it.label : String(it.key),
      kind: it.kind as ExtField['kind'],
      required: it.required === true,
      max: typeof it.max === 'number' ? Math.min(it.max, TEXT_MOST) : 200,
      options: Array.isArray(it.options) ? it.options.map(String) : [],
    }))
}

/**
 * Checks the tenant's own fields of a write.
 * @param stored  what the record has already; given fields replace, `null` clears
 * @returns all of them together, and a message per `ext.<key>` that cannot stay
 */
export function checkExt(
  entity: SalesEntity,
  given: Json | undefined,
  stored: JsonObject,
  asking: Asking,
  complete: boolean,
): { readonly ext: JsonObject; readonly faults: Readonly<Record<string, string>> } {
  const fields = extFieldsOf(entity, asking)
  const posted = isObject(given) ? given : {}
  const faults: Record<string, string> = {}
  if (given !== undefined && given !== null && !isObject(given)) faults.ext = text('record.unknown-field')
  for (const key of Object.keys(posted))
    if (!fields.some((field) => field.key === key)) faults[`ext.${key}`] = text('record.unknown-field')
  for (const field of fields) {
    const isPosted = Object.hasOwn(posted, field.key)
    const value = posted[field.key] ?? null
    const isEmpty = value === null || value === ''
    if (field.required && isEmpty && (complete || isPosted))
      faults[`ext.${field.key}`] = text('record.required', { label: field.label })
    else if (!isEmpty && !isValue(value, field))
      faults[`ext.${field.key}`] = text('record.format', { label: field.label })
  }
  const entries = Object.entries({ ...stored, ...posted }).filter(
    ([, value]) => value !== null && value !== '',
  )
  return { ext: Object.fromEntries(entries), faults }
}

function isValue(value: Json, field: ExtField): boolean {
  if (field.kind === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (field.kind === 'flag') return typeof value === 'boolean'
  if (field.kind === 'multi')
    return Array.isArray(value) && value.every((it) => typeof it === 'string' && field.options.includes(it))
  if (typeof value !== 'string') return false
  if (field.kind === 'select') return field.options.includes(value)
  if (field.kind === 'day') return /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/.test(value)
  return Array.from(value).length <= field.max && !value.includes('\0')
}
