import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { AdminLogChange } from '../../../contract/admin.ts'
import { extName } from '../../../model/form-fields.ts'
import { labelText } from '../../../model/labels.ts'
import type { Caller } from '../../kernel/auth/caller.ts'
import { fieldRight } from '../../kernel/auth/field-rights.ts'
import type { TenantModel } from '../../kernel/model/library.ts'
import { moduleNamed } from '../../kernel/records/action-words.ts'
import { isTextCode, text } from '../../kernel/text/text.ts'

const MAX_TEXT = 300
const MAX_CHANGES = 200
/** Internal columns of a row that say nothing about the action. */
const QUIET: ReadonlySet<string> = new Set(['version', 'id', 'etag', 'updated_at', 'updated_by'])

/** The reader of an entry, and the modules as defined for the tenant. */
export interface LogReader {
  readonly caller: Pick<Caller, 'fieldRights'>
  readonly model: Pick<TenantModel, 'modules'>
}

/**
 * The content of an audit log entry by field: those that differ between `before` and `after`, or all values of an entry without a previous state.
 * Fields the reader may not see are left out, masked ones stay masked.
 */
export function logChanges(entity: string, detail: Json, reader: LogReader): readonly AdminLogChange[] {
  const { caller } = reader
  const isCompared = ownValue(detail, 'before') !== undefined || ownValue(detail, 'after') !== undefined
  const before = leavesOf(isCompared ? ownValue(detail, 'before') : null)
  const after = leavesOf(isCompared ? ownValue(detail, 'after') : detail)
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names
    .filter((name) => before.get(name) !== after.get(name) && !QUIET.has(name))
    .filter((name) => fieldRight(caller, entity, rootOf(name)) !== 'hidden')
    .slice(0, MAX_CHANGES)
    .map((name) => {
      const isMasked = fieldRight(caller, entity, rootOf(name)) === 'masked'
      const shown = (value = '') => (isMasked && value !== '' ? '***' : wordOf(entity, name, value))
      return {
        label: labelOf(entity, name, reader),
        was: shown(before.get(name)),
        is: shown(after.get(name)),
      }
    })
}

/** Every value that is not an object, by its path. */
function leavesOf(value: Json | undefined, at = ''): ReadonlyMap<string, string> {
  if (isObject(value))
    return new Map(
      Object.entries(value).flatMap(([name, child]) => [
        ...leavesOf(child, at === '' ? name : `${at}.${name}`),
      ]),
    )
  return at === '' ? new Map() : new Map([[at, written(value)]])
}

function written(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return text(value ? 'log.yes' : 'log.no')
  const isPlain = Array.isArray(value) && value.every((item) => !isObject(item) && !Array.isArray(item))
  const words = Array.isArray(value) ? (isPlain ? value.join('、') : JSON.stringify(value)) : String(value)
  return words.length > MAX_TEXT ? `${words.slice(0, MAX_TEXT)}…` : words
}

/** What an approver did, in words; every other value as it is. */
function wordOf(entity: string, name: string, value: string): string {
  const code = `approval.act.${value}`
  return entity === 'approval' && name === 'action' && isTextCode(code) ? text(code) : value
}

/** The name that field rights use for the field of a path: `ext.<name>` for one of the tenant's own. */
const rootOf = (path: string): string => {
  const [root = path, own] = path.split('.')
  return root === 'ext' && own !== undefined ? extName(own) : root
}

/** The field's own label for the tenant, a label shared by all administration, or its name. */
function labelOf(entity: string, name: string, { model }: Pick<LogReader, 'model'>): string {
  const last = name.split('.').at(-1) ?? name
  const ownModule = moduleNamed(entity, model)
  const fields = (ownModule ?? model.modules.get(entity))?.fields ?? []
  const isExt = (origin: string) => ownModule === undefined && origin === 'tenant'
  const called = (wanted: string) =>
    fields.find((one) => (isExt(one.origin) ? extName(one.name) : one.name) === wanted)
  const field = called(name)
  if (field !== undefined) return labelText(field.label)
  const codes = [`${entity}.field.${name}`, `admin.field.${last}`, `${entity}.field.${last}`]
  const code = codes.find(isTextCode)
  if (code !== undefined && isTextCode(code)) return text(code)
  const inner = called(last)
  return inner === undefined ? name : labelText(inner.label)
}
