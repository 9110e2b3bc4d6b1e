import type { ApprovalEntity, FlowStep, StepCondition } from '../../../contract/approval.ts'
import { labelText } from '../../../model/labels.ts'
import { type ConditionField, conditionFields } from '../../kernel/approvals/conditions.ts'
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
  const number = when.find((one) => 'from' in one && isOffered(offered.numbers, one.field))
  return {
    values: when
      .flatMap((one) => ('is' in one ? [formValue(one)] : []))
      .filter((one) => isOffered(offered.values, one)),
    from_field: number?.field ?? null,
    from: number !== undefined && 'from' in number ? number.from : null,
  }
}

/** The reverse conversion. */
export function conditionsOfForm(form: {
  readonly values: unknown
  readonly from_field: unknown
  readonly from: unknown
}): readonly StepCondition[] {
  const values = Array.isArray(form.values) ? form.values.map(String) : []
  const { from_field, from } = form
  return [
    ...values.map((value) => {
      const at = value.indexOf('=')
      return { field: value.slice(0, at), is: value.slice(at + 1) }
    }),
    ...(typeof from_field === 'string' && from_field !== '' && typeof from === 'number'
      ? [{ field: from_field, from }]
      : []),
  ]
}

const formValue = ({ field, is }: { readonly field: string; readonly is: string }): string => `${field}=${is}`
