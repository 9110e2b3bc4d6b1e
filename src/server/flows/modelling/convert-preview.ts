import type { JsonObject } from '../../../../runtime/core/json.ts'
import { targetKinds } from '../../../model/convert-value.ts'
import type { Field } from '../../../model/description.ts'
import { KIND_NAMES } from '../../../model/kinds/index.ts'
import { type MergedField, type MergedModule, madeBy } from '../../../model/merge-module.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { type Held, heldIn, holdsValues, judgeConversion } from '../../kernel/fields/convert-field.ts'
import { text } from '../../kernel/text/text.ts'
import { isValueSeen } from '../../kernel/visibility/value-seen.ts'
import { kindLabel } from './field-form.ts'

/** Maximum values of each group in the preview, and maximum options that are created from values. */
const MAX_SHOWN = 20
const MAX_OPTIONS = 50

/**
 * The kinds to which a field can be changed: only its own if the product, the title or the statuses depend on it; any while no record has a value.
 */
export async function kindsOpen(
  module: MergedModule,
  field: MergedField,
  ctx: CallContext,
): Promise<readonly JsonObject[]> {
  const isFixed =
    madeBy(field) === 'vendor' || module.title === field.name || module.statuses?.field === field.name
  const held: Held = { ...heldIn(module.name), name: field.name }
  const open = isFixed ? [] : (await holdsValues(held, ctx)) ? targetKinds(field.kind) : KIND_NAMES
  return KIND_NAMES.filter((kind) => kind === field.kind || open.includes(kind)).map((kind) => ({
    value: kind,
    label: kindLabel(kind),
  }))
}

/** The result of converting the values of a field to `made`, as texts for its sheet. */
export async function convertPreview(
  module: MergedModule,
  was: Field,
  newField: Field,
  ctx: CallContext,
): Promise<JsonObject> {
  if (was.kind === newField.kind) return { shown: false, fits: true, list: [], changes: [], words: [] }
  const held: Held = { ...heldIn(module.name), name: was.name }
  const seen = isValueSeen(module, was.name, ctx.caller)
  const judged = await judgeConversion(held, was, newField, ctx, seen)
  const { records, refused, lost, changed, words } = judged
  const detail = module.origin === 'tenant' ? `/pages/m/${module.name}/detail` : module.pages?.detail
  return {
    shown: true,
    fits: refused === 0,
    text:
      records === 0
        ? text('model.convert.none')
        : refused === 0
          ? text('model.convert.fits', { n: records })
          : text('model.convert.some', { all: records, n: refused }),
    list: lost.slice(0, MAX_SHOWN).map(({ at, preview, n }, i) => ({
      id: String(i),
      label: text('model.convert.value', { value: preview, n }),
      // Where it can be viewed and corrected.
      path: detail === undefined || at === null ? '' : `${detail}?id=${at}`,
    })),
    changes: changed
      .slice(0, MAX_SHOWN)
      .map((item, i) => ({ id: String(i), label: text('model.convert.becomes', item) })),
    words: words.length > MAX_OPTIONS ? [] : words.map((label) => ({ value: null, label })),
  }
}
