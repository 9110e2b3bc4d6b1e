import { isObject, type Json, type JsonObject, ownValue } from '../../../../runtime/core/json.ts'
import type { Field } from '../../../model/description.ts'
import type { Words } from '../../../model/kind.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedModule } from '../../../model/merge-module.ts'
import { isEmpty } from '../../../model/read-record.ts'
import { sameValue } from '../../../model/same-value.ts'
import type { CallContext } from '../context/call-context.ts'
import { extFieldsOf } from '../fields/ext-fields.ts'
import { wordsFor, writeSeen } from '../fields/value-words.ts'
import { isTextCode, text } from '../text/text.ts'
import { actionWords, moduleNamed } from './action-words.ts'

/** An entry of the history as text: the action, and each field before and after. */
export interface LogWords {
  readonly title: string
  readonly text: string
}

/** Values before and after a change, limited to what the reader may see. */
export interface LoggedChange {
  readonly action: string
  readonly before: JsonObject
  readonly after: JsonObject
}

/** How a log shows a field of the product that has a text of its own, if it is not a plain value. */
export type LogValue = (name: string, value: Json | undefined) => Json | undefined

/** Entries of a history as texts; values of the tenant's own fields are formatted by their kinds. */
export async function logWords(
  entity: string,
  changes: readonly LoggedChange[],
  ctx: CallContext,
  format: LogValue = (_, value) => value,
): Promise<readonly LogWords[]> {
  const { model } = ctx
  const ofTenant = moduleNamed(entity, model)
  if (ofTenant !== undefined) return wordsOfOwn(ofTenant, changes, ctx)
  const ownFields = extFieldsOf(entity, ctx)
  const rows = changes.flatMap(({ before, after }) => [extOf(before), extOf(after)])
  const words = rows.some((row) => Object.keys(row).length > 0) ? await wordsFor(ownFields, rows, ctx) : null
  return changes.map(({ action, before, after }) => {
    const plain = Object.keys(before)
      .filter((name) => !isOwn(name, before[name], ownFields))
      .flatMap((name) => {
        const [was, is] = [format(name, ownValue(before, name)), format(name, ownValue(after, name))]
        // Of what the reader may not see, both are empty.
        if (isEmpty(was) && isEmpty(is)) return []
        const label = labelOf(entity, name, ctx)
        return areAsMany(was, is)
          ? text('log.rows-changed', { label })
          : text('log.change', { label, was: shortText(was), is: shortText(is) })
      })
    const ofOwn = words === null ? [] : ownChanges(ownFields, extOf(before), extOf(after), words)
    return { title: actionWords(action, model), text: [...plain, ...ofOwn].join('\n') }
  })
}

/** The history of a record of a tenant's own module: all its values are formatted by their kinds. */
async function wordsOfOwn(
  { fields }: MergedModule,
  changes: readonly LoggedChange[],
  ctx: CallContext,
): Promise<readonly LogWords[]> {
  const words = await wordsFor(
    fields,
    changes.flatMap(({ before, after }) => [before, after]),
    ctx,
  )
  return changes.map(({ action, before, after }) => ({
    title: actionWords(action, ctx.model),
    text: [...commonChanges(fields, before, after), ...ownChanges(fields, before, after, words)].join('\n'),
  }))
}

/** What changed of a record beside the fields of its module: who shares it. */
const commonChanges = (fields: readonly Field[], before: JsonObject, after: JsonObject): readonly string[] =>
  Object.keys(before).flatMap((name) => {
    const code = `log.column.${name}`
    if (fields.some((field) => field.name === name) || !isTextCode(code)) return []
    return [
      text('log.change', { label: text(code), was: shortText(before[name]), is: shortText(after[name]) }),
    ]
  })

/** The tenant's label of a field; columns without a description have texts in the catalogue. */
function labelOf(entity: string, name: string, { model }: CallContext): string {
  const field = model.modules.get(entity)?.fields.find((one) => one.name === name)
  if (field !== undefined) return labelText(field.label)
  const code = [`${entity}.field.${name}`, `log.column.${name}`].find(isTextCode)
  return code === undefined ? name : text(code)
}

const isOwn = (name: string, value: Json | undefined, ownFields: readonly Field[]): boolean =>
  name === 'ext' && isObject(value) && ownFields.length > 0

const extOf = ({ ext }: JsonObject): JsonObject => (isObject(ext) ? ext : {})

function ownChanges(
  ownFields: readonly Field[],
  before: JsonObject,
  after: JsonObject,
  words: Words,
): readonly string[] {
  // What the reader does not see differs from nothing: without a word for it, a change from one to the other would say nothing.
  const write = (field: Field, value: Json | undefined) =>
    value === undefined || isEmpty(value)
      ? shortText('')
      : shortText(oneLine(writeSeen(value, field, words)) || text('log.unseen'))
  return ownFields
    .filter(({ name }) => !sameValue(before[name] ?? null, after[name] ?? null))
    .map((field) =>
      text('log.change', {
        label: labelText(field.label),
        was: write(field, before[field.name]),
        is: write(field, after[field.name]),
      }),
    )
}

const isRows = (value: Json | undefined): value is Json[] => Array.isArray(value) && value.some(isObject)

const areAsMany = (was: Json | undefined, is: Json | undefined): boolean =>
  isRows(was) && isRows(is) && was.length === is.length

/** Each field has its own line. */
const oneLine = (written: string): string => written.replace(/\s+/g, ' ')

function shortText(value: Json | undefined): string {
  if (isRows(value)) return text('log.rows', { n: value.length })
  const written = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  return written === '' || written === '""' || written === 'null' ? text('log.nothing') : written.slice(0, 60)
}
