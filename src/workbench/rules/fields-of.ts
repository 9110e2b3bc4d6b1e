import type { Engine } from '../../../runtime/core/engine.ts'
import { isObject, type Json, ownValue } from '../../../runtime/core/json.ts'

/** Something a rule may read. */
export interface Readable {
  readonly path: string
  readonly label: string
  /** Values it can have, where it has choices. */
  readonly choices: readonly { readonly label: string; readonly value: Json }[]
}

const known = new WeakMap<object, readonly Readable[]>()

/** Fields and parameters of a page, by the paths under which rules read them. */
export function fieldsOf(engine: Engine): readonly Readable[] {
  const found = known.get(engine)
  if (found !== undefined) return found
  const fields = [...engine.page.nodes.values()]
    .filter((node) => node.field && node.name !== '')
    .map((node): Readable => {
      const root = node.subForm === null ? 'form' : 'row'
      const label = node.option('label')
      return {
        path: `${root}.${node.name}`,
        label: typeof label === 'string' && label !== '' ? label : node.name,
        choices: choicesOf(engine, node.option('optionItems'), node.option('dict')),
      }
    })
  const params = (engine.page.settings.params ?? []).flatMap((one): Readable[] =>
    isObject(one) && typeof one.name === 'string'
      ? [{ path: `params.${one.name}`, label: one.name, choices: [] }]
      : [],
  )
  const all = [...fields, ...params]
  known.set(engine, all)
  return all
}

function choicesOf(engine: Engine, items: Json | undefined, dict: Json | undefined): Readable['choices'] {
  const listed = typeof dict === 'string' && dict !== '' ? ownValue(engine.scope().dict, dict) : items
  return (Array.isArray(listed) ? listed : []).flatMap((one: Json) => {
    const value = ownValue(one, 'value')
    return value === undefined ? [] : [{ label: String(ownValue(one, 'label') ?? value), value }]
  })
}
