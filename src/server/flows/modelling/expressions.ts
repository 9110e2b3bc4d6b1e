import type { JsonObject } from '../../../../runtime/core/json.ts'
import { dividesByZero } from '../../../model/changed-fields.ts'
import { defaultRule } from '../../../model/computed-values.ts'
import { type Named, readExpression, writeExpression } from '../../../model/expression.ts'
import { ownName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { ownRule } from '../../../model/own-rule.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { text } from '../../kernel/text/text.ts'

/** The names that rules of a module use for fields: in one of the product, the tenant's own fields have a prefix. */
export const nameInRule = ({ origin }: MergedModule, field: MergedField): string =>
  origin === 'vendor' && field.origin === 'tenant' ? ownName(field.name) : field.name

/** Fields that an expression may use: those with numbers, and other formulas. */
const namedNumbers = (module: MergedModule, but: string): readonly Named[] =>
  module.fields
    .filter(
      ({ name, kind, retired, result }) =>
        name !== but && retired !== true && (kindOf(kind).stored === 'number' || result === 'number'),
    )
    .map((field) => ({ name: nameInRule(module, field), label: labelText(field.label) }))

/** A field's formula, and a default that is one, as shown in the sheet: as people write it, if possible. */
export function expressionsOf(module: MergedModule, field: MergedField): JsonObject {
  const fields = namedNumbers(module, field.name)
  const ownFields = new Set(module.fields.flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])))
  const ruleText = (rule: JsonObject): string | null =>
    writeExpression(module.origin === 'vendor' ? ownRule(rule, ownFields) : rule, fields)
  const usual = defaultRule(field)
  const written = usual === undefined ? null : ruleText(usual)
  return {
    ...(field.formula === undefined ? {} : { formula_text: ruleText(field.formula) }),
    ...(written === null ? {} : { default: `=${written}` }),
  }
}

/** The sheet with its expressions converted to rules. @throws Refusal 400 if one of them is invalid */
export function withRules(form: JsonObject, module: MergedModule, name: string): JsonObject {
  const { rules, faults } = readRules(form, module, name)
  refuseFaults(faults)
  return { ...form, ...rules }
}

/** The sheet with its valid expressions converted to rules. */
export const readableRules = (form: JsonObject, module: MergedModule, name: string): JsonObject => ({
  ...form,
  ...readRules(form, module, name).rules,
})

function readRules({ kind, formula_text, default: usual }: JsonObject, module: MergedModule, name: string) {
  const fields = namedNumbers(module, name)
  const rules: Record<string, JsonObject> = {}
  const faults: Record<string, string> = {}
  const read = (at: string, written: string, keep: (rule: JsonObject) => void): void => {
    const found = readExpression(written, fields)
    if ('rule' in found && dividesByZero(found.rule)) faults[at] = text('model.formula-zero')
    else if ('rule' in found) keep(found.rule)
    else
      faults[at] =
        found.fault === '' ? text('model.formula-end') : text('model.formula-at', { at: found.fault })
  }
  if (kind === 'formula' && typeof formula_text === 'string' && formula_text.trim() !== '')
    read('formula_text', formula_text, (rule) => {
      rules.formula = rule
    })
  if (typeof usual === 'string' && usual.startsWith('='))
    read('default', usual.slice(1), (rule) => {
      rules.default = { rule }
    })
  return { rules, faults }
}

const MAX_NAMES = 20

/** The help below a formula: the names it may use; for one that the sheet cannot express, that it stays. */
export function formulaHint(module: MergedModule, name: string, form: JsonObject): string {
  if (form.kind === 'formula' && form.formula_text === null) return text('model.formula-kept')
  const labels = namedNumbers(module, name).map(({ label }) => label)
  return labels.length === 0
    ? text('model.formula-no-numbers')
    : text('model.formula-names', { names: labels.slice(0, MAX_NAMES).join('、') })
}
