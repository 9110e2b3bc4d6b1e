import type { ApprovalEntity, FlowStep, StepCondition, StepLimit } from '../../../contract/approval.ts'
import { labelText } from '../../../model/labels.ts'
import {
  type ConditionField,
  conditionFields,
  limitedTo,
  limitOf,
  STEP_LIMITS,
} from '../../kernel/approvals/conditions.ts'
import { amountFields } from '../../kernel/approvals/entity.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { text } from '../../kernel/text/text.ts'
import { readDicts } from '../dict/routes.ts'

interface Item {
  readonly value: string
  readonly label: string
}

/** The fields that conditions of a step can use, as offered by its form: fields with fixed values, and numbers. */
export interface ConditionItems {
  readonly values: readonly Item[]
  readonly numbers: readonly Item[]
}

export async function conditionItems(
  entity: ApprovalEntity,
  steps: readonly FlowStep[],
  ctx: CallContext,
): Promise<ConditionItems> {
  const used = new Set(steps.flatMap(({ when = [] }) => when.map(({ field }) => field)))
  const fields = conditionFields(entity, ctx).filter(({ name, field }) => !field.retired || used.has(name))
  const { trx, caller } = ctx
  const dicts = fields.some(({ field }) => field.dict !== undefined)
    ? await readDicts(trx, caller.tenantId)
    : {}
  const valuesOf = ({ field }: ConditionField): readonly Item[] => {
    if (field.kind === 'flag')
      return [
        { value: 'true', label: text('sheet.yes') },
        { value: 'false', label: text('sheet.no') },
      ]
    const items = field.dict === undefined ? (field.options ?? []) : (dicts[field.dict] ?? [])
    return items.map(({ value, label }) => ({ value: String(value), label: labelText(label) }))
  }
  const amount = amountFields(entity, ctx)?.[1]
  return {
    values: fields
      .filter(({ isNumber }) => !isNumber)
      .flatMap((field) =>
        valuesOf(field).map(({ value, label }) => ({
          value: formValue({ field: field.name, is: value }),
          label: text('approval.condition', { field: labelText(field.field.label), value: label }),
        })),
      ),
    numbers: fields
      .filter(({ isNumber, name }) => isNumber && name !== amount)
      .map(({ name, field }) => ({ value: name, label: labelText(field.label) })),
  }
}

/** The conditions of a step in the form's shape: values in one list, one number. Conditions on fields whose kind has changed are dropped. */
export function conditionForm({ when = [] }: FlowStep, offered: ConditionItems) {
  const isOffered = (items: readonly Item[], name: string): boolean =>
    items.some(({ value }) => value === name)
  const number = when.flatMap((one) =>
    'is' in one || !isOffered(offered.numbers, one.field) ? [] : [one],
  )[0]
  const [compare, from] = number === undefined ? (['from', null] as const) : limitOf(number)
  return {
    values: when
      .flatMap((one) => ('is' in one ? [formValue(one)] : []))
      .filter((one) => isOffered(offered.values, one)),
    from_field: number?.field ?? null,
    compare,
    from,
  }
}

/** The reverse conversion. A form without `compare` is one from before it was offered: its number is reached. */
export function conditionsOfForm(form: {
  readonly values: unknown
  readonly from_field: unknown
  readonly compare: unknown
  readonly from: unknown
}): readonly StepCondition[] {
  const values = Array.isArray(form.values) ? form.values.map(String) : []
  const { from_field, from } = form
  const by: StepLimit = STEP_LIMITS.find((name) => name === form.compare) ?? 'from'
  return [
    ...values.map((value) => {
      const at = value.indexOf('=')
      return { field: value.slice(0, at), is: value.slice(at + 1) }
    }),
    ...(typeof from_field === 'string' && from_field !== '' && typeof from === 'number'
      ? [limitedTo(from_field, by, from)]
      : []),
  ]
}

const formValue = ({ field, is }: { readonly field: string; readonly is: string }): string => `${field}=${is}`
