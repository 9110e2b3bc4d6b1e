import type { JsonObject } from '../../../../runtime/core/json.ts'
import { type Named, readExpression, writeExpression } from '../../../model/expression.ts'
import { ownName } from '../../../model/form-fields.ts'
import { kindOf } from '../../../model/kinds/index.ts'
import { labelText } from '../../../model/labels.ts'
import type { MergedField, MergedModule } from '../../../model/merge-module.ts'
import { ownRule } from '../../../model/own-rule.ts'
import { defaultRule } from '../../../model/worked-out.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { text } from '../../kernel/text/text.ts'

/** How rules of a module call a field: in one of the product, the tenant's own stand beside its own under another name. */
export const nameInRule = ({ origin }: MergedModule, field: MergedField): string =>
  origin === 'vendor' && field.origin === 'tenant' ? ownName(field.name) : field.name

/** Fields that an expression may name: those with numbers in them, and other formulas. */
const namedNumbers = (module: MergedModule, but: string): readonly Named[] =>
  module.fields
    .filter(
      ({ name, kind, retired, result }) =>
        name !== but && retired !== true && (kindOf(kind).stored === 'number' || result === 'number'),
    )
    .map((field) => ({ name: nameInRule(module, field), label: labelText(field.label) }))

/** What the sheet shows of a field's formula, and of a default that is one: as people write it, where that is possible. */
export function expressionsOf(module: MergedModule, field: MergedField): JsonObject {
  const fields = namedNumbers(module, field.name)
  const own = new Set(module.fields.flatMap(({ name, origin }) => (origin === 'tenant' ? [name] : [])))
  const said = (rule: JsonObject): string | null =>
    writeExpression(module.origin === 'vendor' ? ownRule(rule, own) : rule, fields)
  const usual = defaultRule(field)
  const written = usual === undefined ? null : said(usual)
  return {
    ...(field.formula === undefined ? {} : { formula_text: said(field.formula) }),
    ...(written === null ? {} : { default: `=${written}` }),
  }
}

/** The sheet with its expressions as rules. @throws Refusal 400 where one of them cannot be read */
export function withRules(form: JsonObject, module: MergedModule, name: string): JsonObject {
  const { rules, faults } = readRules(form, module, name)
  refuseFaults(faults)
  return { ...form, ...rules }
}

/** The sheet with those of its expressions as rules that can be read by now. */
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
    if ('rule' in found) keep(found.rule)
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

const NAMES_MOST = 20

/** The line below a formula: what it may name; of one that no sheet can write, that it stays. */
export function formulaHint(module: MergedModule, name: string, form: JsonObject): string {
  if (form.kind === 'formula' && form.formula_text === null) return text('model.formula-kept')
  const labels = namedNumbers(module, name).map(({ label }) => label)
  return labels.length === 0
    ? text('model.formula-no-numbers')
    : text('model.formula-names', { names: labels.slice(0, NAMES_MOST).join('、') })
}
