import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { type BenchField, type BenchForm, INVALID, OPTIONS, REQUIRED, type Variant } from './forms.ts'

/** A standard form as a plain VForm document. */
export function toDocument(form: BenchForm, variant: Variant): JsonObject {
  const widgets = form.fields.map((field) => toWidget(field, form, variant))
  const widgetList: readonly Json[] =
    form.kind === 'T'
      ? [
          {
            type: 'sub-form',
            category: 'container',
            options: { name: 'rows', label: '明细', showBlankRow: false, showRowNumber: true },
            widgetList: widgets,
          },
        ]
      : widgets
  return {
    widgetList,
    formConfig: { layoutType: 'H5', jsonVersion: 3, labelWidth: 100, labelPosition: 'left' },
  }
}

/** Contains all options that a designer writes, used or not: a real document is no shorter. */
function toWidget(field: BenchField, form: BenchForm, variant: Variant): JsonObject {
  const hook = hookOf(field, form, variant)
  return {
    type: field.type,
    id: `${field.type}-${field.name}`,
    icon: '',
    formItemFlag: true,
    options: {
      name: field.name,
      label: field.label,
      labelAlign: '',
      labelWidth: null,
      labelHidden: false,
      columnWidth: '120px',
      defaultValue: field.type === 'switch' ? false : null,
      placeholder: '',
      size: '',
      readonly: false,
      disabled: false,
      hidden: field.visibleIf !== undefined && variant === 'hook',
      clearable: true,
      required: field.required === true,
      requiredHint: field.required ? REQUIRED : '',
      validation: field.pattern ? `/${field.pattern}/` : '',
      validationHint: field.pattern ? INVALID : '',
      customClass: [],
      onCreated: '',
      onMounted: '',
      onChange: '',
      onFocus: '',
      onBlur: '',
      onValidate: '',
      onInput: hook,
      ...(field.visibleIf !== undefined && variant === 'rule'
        ? { visibleOn: { '!!': [{ var: field.visibleIf }] } }
        : {}),
      ...(field.type === 'select' ? { optionItems: OPTIONS as unknown as Json } : {}),
      ...(field.type === 'textarea' ? { rows: 2 } : {}),
    },
  }
}

function hookOf(field: BenchField, form: BenchForm, variant: Variant): string {
  const shown = variant === 'hook' ? form.fields.filter(({ visibleIf }) => visibleIf === field.name) : []
  const written = form.kind === 'H' && field === form.typeIn ? form.targets : []
  return [
    ...shown.map(({ name }) => `this.getWidgetRef('${name}').setHidden(!value)`),
    ...written.map(({ name, type }) => {
      const value =
        type === 'number' ? `${1000 * Number(name.slice(1))} + value.length` : `value + '-${name}'`
      return `this.getWidgetRef('${name}').setValue(${value})`
    }),
  ].join('\n')
}
