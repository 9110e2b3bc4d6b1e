import type { OptionSpec, WidgetSpec } from '../../../runtime/core/page/widget-spec.ts'
import { COMMON_OPTIONS } from '../../../runtime/core/widgets/index.ts'

export interface Option {
  readonly name: string
  readonly spec: OptionSpec
}

export type GroupName = 'basic' | 'rules' | 'data' | 'look' | 'events' | 'more'

const BASIC = [
  'name',
  'label',
  'title',
  'textContent',
  'htmlContent',
  'text',
  'content',
  'description',
  'placeholder',
  'defaultValue',
  'hint',
  'required',
  'requiredHint',
  'unit',
  'maxLength',
  'minLength',
  'min',
  'max',
  'precision',
  'validation',
  'validationHint',
  'type',
  'multiple',
  'filterable',
  'hidden',
  'disabled',
  'readonly',
]
const DATA = new Set([
  'optionItems',
  'dict',
  'bind',
  'dsName',
  'dsEnabled',
  'dataSetName',
  'labelKey',
  'valueKey',
  'childrenKey',
  'rowKey',
  'items',
  'itemsBind',
  'columns',
  'series',
  'rowsBind',
  'namesAt',
  'empty',
  'emptyAction',
])
const LOOK =
  /^(?:size|align|justify|gap|inset|border|color|tone|radius|round|plain|width|height|font|label(?:Align|Width|Hidden|Icon)|customClass|icon|direction|vertical|wrap|grow|displayStyle|span|offset|gutter|inputAlign|background|columnWidth|button(?:Style|Icon)|weight|maxLines|textAlign|leftIcon|rightIcon|prefixIcon|suffixIcon)/

/** The options of a widget in the panel: the most used ones first. */
export function groupedOptions(spec: WidgetSpec): ReadonlyMap<GroupName, readonly Option[]> {
  const groups = new Map<GroupName, Option[]>(
    (['basic', 'rules', 'data', 'look', 'events', 'more'] as const).map((name) => [name, []]),
  )
  const common = Object.entries(COMMON_OPTIONS).filter(([name]) => appliesTo(name, spec))
  for (const [name, option] of [...Object.entries(spec.options), ...common])
    groups.get(groupOf(name, option))?.push({ name, spec: option })
  // Options that need no code come first.
  groups.get('events')?.sort((a, b) => Number(b.name === 'on') - Number(a.name === 'on'))
  groups.get('basic')?.sort((a, b) => BASIC.indexOf(a.name) - BASIC.indexOf(b.name))
  return groups
}

/** Rules about values apply to fields only. */
function appliesTo(name: string, { kind }: WidgetSpec): boolean {
  return kind === 'field' || !['requiredOn', 'readonlyOn', 'valueOn'].includes(name)
}

function groupOf(name: string, { type }: OptionSpec): GroupName {
  if (type === 'rule') return 'rules'
  if (type === 'code' || name === 'on') return 'events'
  if (BASIC.includes(name)) return 'basic'
  if (DATA.has(name)) return 'data'
  return LOOK.test(name) ? 'look' : 'more'
}
