import { isObject, type Json, type JsonObject, valueAt } from '../json.ts'
import type { Model } from '../model/model.ts'
import type { NodeKey } from '../page/page.ts'
import type { Write } from '../ports.ts'
import { dataCell } from '../state/cells.ts'
import type { Choices } from './choices.ts'
import type { FieldActs } from './field-acts.ts'
import type { RowTiming } from './row-timing.ts'
import type { ScriptLink } from './script-link.ts'
import type { Touched } from './touched.ts'

/** Writes from outside the fields: results of sources, records, values set by actions. */
export interface Writing {
  /** Writes that may replace rows: their hooks follow. */
  commitRows(writes: readonly Write[]): void
  /** Sets a field, or all rows of a sub-form. */
  assign(key: NodeKey, value: Json): void
  /** Stores a result in the page: as `data.<name>`, and in unchanged fields if the source has `fill`. */
  storeSource(name: string, value: Json): void
  /** Sets the fields named by a record's keys; other keys are ignored. */
  fill(record: JsonObject): void
}

interface WritingParts {
  readonly model: Model
  readonly link: ScriptLink
  readonly fields: FieldActs
  readonly timing: RowTiming
  readonly touched: Touched
  readonly choices: () => Choices
}

/** Writes values into a page's state. @param parts  `choices` is read late, because choices are loaded by sources that write here */
export function createWriting({ model, link, fields, timing, touched, choices }: WritingParts): Writing {
  const { page } = model
  function commitRows(writes: readonly Write[]): void {
    link.commit(writes)
    timing.written(writes)
  }
  function fillWrites(values: JsonObject, isWanted: (name: string) => boolean): readonly Write[] {
    return Object.entries(values).flatMap(([name, value]) => {
      const key = page.byName.get(name)
      const node = key === undefined ? undefined : page.nodes.get(key)
      if (key === undefined || node === undefined || value === undefined || !isWanted(name)) return []
      if (model.subForms.has(key))
        return Array.isArray(value) ? model.setRows(key, value.filter(isObject)) : []
      if (!node.field) return []
      return [model.valueWrite(key, node.spec.normalize ? node.spec.normalize(value, node.options) : value)]
    })
  }
  return {
    commitRows,
    assign(key, value) {
      if (!model.subForms.has(key)) fields.setValue(key, value)
      else commitRows(model.setRows(key, Array.isArray(value) ? value.filter(isObject) : []))
    },
    storeSource(name, value) {
      const from = page.dataSources.get(name)?.fill
      const record = typeof from === 'string' ? (from === '' ? value : valueAt(value, from)) : undefined
      commitRows([
        { cell: dataCell(name), value },
        ...choices().follow(name, value),
        ...(isObject(record) ? fillWrites(record, (field) => !touched.has(field)) : []),
      ])
    },
    fill: (record) => commitRows(fillWrites(record, () => true)),
  }
}
