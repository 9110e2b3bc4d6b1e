import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { Item } from './store.ts'
import { KINDS } from './tables.ts'

type Ordered = Pick<Item, 'kind' | 'name' | 'content'>

/** Changes in the order in which they are applied: kind by kind, and a field after those of the set that it reads. */
export function inOrder<One extends Ordered>(items: readonly One[]): readonly One[] {
  const sorted = [...items].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const done = new Set<One>()
  const visit = (item: One, above: readonly One[]): void => {
    if (done.has(item) || above.includes(item)) return
    for (const other of sorted) if (isRead(other, item)) visit(other, [...above, item])
    done.add(item)
  }
  for (const item of sorted) visit(item, [])
  return [...done]
}

/** Whether a field reads another: it sums it up, or a formula or default of the same module names it. */
function isRead(other: Ordered, item: Ordered): boolean {
  if (item === other || item.kind !== 'field' || other.kind !== 'field') return false
  const form = formOf(item)
  const [module = '', name = ''] = other.name.split('/')
  const at = String(form('rollup_at') ?? '')
  if (at === other.name) return true
  if (at.split('/')[0] === module && form('rollup_field') === name) return true
  if (item.name.split('/')[0] !== module) return false
  const label = formOf(other)('label')
  const usual = String(form('default') ?? '')
  const written = `${String(form('formula_text') ?? '')} ${usual.startsWith('=') ? usual : ''}`
  return written.includes(name) || (typeof label === 'string' && label !== '' && written.includes(label))
}

function formOf({ content }: Ordered): (key: string) => Json | undefined {
  const form = isObject(content) ? content.form : null
  return (key) => ownValue(form, key)
}

/**
 * Published changes in the order in which they are reverted, the last first: changes of the same thing by the version that they became, for each
 * restores what was there before it.
 *
 * @param subjectOf  the thing that a change is about
 */
export function inOrderOfReverting<One extends Ordered & Pick<Item, 'became'>>(
  items: readonly One[],
  subjectOf: (item: One) => string,
): readonly One[] {
  const reversed = [...items].reverse()
  const version = ({ became }: One): number => (typeof became === 'number' ? became : 0)
  const left = new Map<string, One[]>()
  for (const item of reversed) left.set(subjectOf(item), [...(left.get(subjectOf(item)) ?? []), item])
  for (const [subject, same] of left)
    left.set(
      subject,
      same.sort((a, b) => version(b) - version(a)),
    )
  return reversed.map((item) => left.get(subjectOf(item))?.shift() ?? item)
}
