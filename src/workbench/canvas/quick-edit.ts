import { keysByPlace } from '../../../runtime/core/edit/entries.ts'
import { optionChange } from '../../../runtime/core/edit/option-change.ts'
import { isObject, type Json } from '../../../runtime/core/json.ts'
import { type Drawn, nodesOf } from './draw.ts'
import { isReference } from './resolve-page.ts'

/** Applies the change to the open page; false if the page has to be reopened. */
export function showQuickly(drawn: Drawn, before: Json, after: Json): boolean {
  const change = optionChange(before, after)
  const key = change === null ? undefined : keysByPlace(after).get(change.at)
  if (change === null || key === undefined || drawn.engine === null) return false
  const [node, ...more] = nodesOf(drawn, key)
  if (node === undefined || more.length > 0 || isReference(itemAt(after, change.at))) return false
  drawn.engine.setOption(node.key, change.option, change.value)
  return true
}

function itemAt(document: Json, pointer: string): Json {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Json>(
      (value, step) =>
        (Array.isArray(value) ? value[Number(step)] : isObject(value) ? value[step] : null) ?? null,
      document,
    )
}
