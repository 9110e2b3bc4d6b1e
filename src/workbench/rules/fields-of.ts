import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'
import type { PageNode } from '../../../runtime/core/page/page.ts'
import { t } from '../context.ts'
import type { Kind } from './model.ts'

/** A value that a rule may read. */
export interface Readable {
  readonly path: string
  readonly label: string
  readonly kind: Kind
  /** Its possible values, if it has choices. */
  readonly choices: readonly { readonly label: string; readonly value: Json }[]
}

const cache = new WeakMap<object, readonly Readable[]>()

/** Fields and parameters of a page, by the paths under which rules read them. */
export function fieldsOf(engine: Engine): readonly Readable[] {
  const found = cache.get(engine)
  if (found !== undefined) return found
  const fields = [...engine.page.nodes.values()]
    .filter((node) => (node.field || node.spec.children === 'rowList') && node.name !== '')
    .map((node): Readable => {
      const root = node.subForm === null ? 'form' : 'row'
      const label = node.option('label')
      const choices = choicesIn(engine, node)
      return {
        path: `${root}.${node.name}`,
        label: typeof label === 'string' && label !== '' ? label : node.name,
        kind: kindOf(node, choices),
        choices,
      }
    })
  const params = (engine.page.settings.params ?? []).flatMap((one): Readable[] =>
    isObject(one) && typeof one.name === 'string'
      ? [
          {
            path: `params.${one.name}`,
            label: one.name,
            kind: PARAMS[String(one.type)] ?? 'text',
            choices: [],
          },
        ]
      : [],
  )
  const all = [...fields, ...params]
  cache.set(engine, all)
  return all
}

const PARAMS: Readonly<Record<string, Kind>> = { Number: 'number', Boolean: 'flag' }
const MOMENTS: Readonly<Record<string, Kind>> = {
  date: 'day',
  calendar: 'day',
  datetime: 'moment',
  time: 'time',
}

const TEXTS = new Set(['input', 'textarea', 'search-bar'])

/** The kind of a field's value, derived from its widget's normalisation. */
function kindOf({ spec, widget, type }: PageNode, choices: Readable['choices']): Kind {
  const { options } = widget
  const made = (value: Json): Json => spec.normalize?.(value, options) ?? null
  if (spec.children === 'rowList' || Array.isArray(made('x'))) return 'list'
  if (made('1') === 1) return 'number'
  if (type === 'switch') return 'flag'
  if (choices.length > 0 || spec.hasItems === true) return 'choice'
  if (MOMENTS[type] !== undefined) return MOMENTS[type]
  if (TEXTS.has(type)) return 'text'
  return Array.isArray(made(['', ''])) ? 'pair' : 'any'
}

function choicesIn(engine: Engine, node: PageNode): Readable['choices'] {
  if (node.type !== 'switch') return choicesOf(engine, node.option('optionItems'), node.option('dict'))
  return [
    { label: t('workbench.rule.on'), value: node.option('activeValue') ?? true },
    { label: t('workbench.rule.off'), value: node.option('inactiveValue') ?? false },
  ]
}

function choicesOf(engine: Engine, items: Json | undefined, dict: Json | undefined): Readable['choices'] {
  const listed = typeof dict === 'string' && dict !== '' ? ownValue(engine.scope().dict, dict) : items
  return (Array.isArray(listed) ? listed : []).flatMap((one: Json) => {
    const value = ownValue(one, 'value')
    return value === undefined ? [] : [{ label: String(ownValue(one, 'label') ?? value), value }]
  })
}
