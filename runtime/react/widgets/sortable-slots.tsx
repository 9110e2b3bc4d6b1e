import type { Json, JsonObject } from '../../core/json.ts'
import { valueAt } from '../../core/json.ts'
import {
  addToSlot,
  asSlots,
  boundsOf,
  moveInSlot,
  removeFromSlot,
  type SlotBounds,
  type Slots,
} from '../../core/widgets/slots.ts'
import { Field, useField } from '../fields/field.tsx'
import { objectsOf, textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
import type { ViewProps } from '../page/view.ts'
import { SlotBox } from '../slots/slot-box.tsx'
import type { SlotEntry } from '../slots/slot-row.tsx'
import '../styles/slots.css'

export function View({ state }: ViewProps) {
  const { feedback, text } = useEngine().ports
  const scope = useScope()
  const parts = useField(state)
  const { options } = state
  const slots = asSlots(state.value)
  const read = (bind: Json | undefined, value: Json | undefined) =>
    textOf(bind) === '' ? value : valueAt(scope, textOf(bind))
  const candidates = read(options.candidatesBind, options.candidates)
  const write = (next: Slots) => {
    if (next !== slots) parts.change(next as Json)
  }
  const remove = (bounds: SlotBounds, id: Json) => {
    const next = removeFromSlot(slots, bounds, id)
    if (next === slots) feedback.toast({ text: text('widget.slots.least', { min: bounds.min }) })
    write(next)
  }
  return (
    <Field state={state} parts={parts} group below>
      <fieldset className="vf-slots" {...parts.naming} aria-describedby={parts.aria['aria-describedby']}>
        {objectsOf(read(options.slotsBind, options.slots))
          .map(boundsOf)
          .map((bounds) => {
            const entries = objectsOf(valueAt(candidates, bounds.key)).flatMap(readEntry)
            const ids = slots[bounds.key] ?? []
            const fixed = (at: string) =>
              objectsOf(options.fixed)
                .filter((entry) => entry.slot === bounds.key && entry.at === at)
                .flatMap((entry) => readEntry({ ...entry, id: textOf(entry.title) }))
            return (
              <SlotBox
                key={bounds.key}
                title={bounds.title}
                min={bounds.min}
                max={bounds.max}
                chosen={ids.flatMap((id) => entries.find((entry) => entry.id === id) ?? [])}
                spare={entries.filter((entry) => !ids.includes(entry.id))}
                first={fixed('first')}
                last={fixed('last')}
                addLabel={textOf(options.addLabel)}
                orderOnly={options.orderOnly === true}
                open={parts.open}
                onMove={(from, to) => write(moveInSlot(slots, bounds.key, from, to))}
                onAdd={(id) => write(addToSlot(slots, bounds, id))}
                onRemove={(id) => remove(bounds, id)}
              />
            )
          })}
      </fieldset>
    </Field>
  )
}

function readEntry(raw: JsonObject): SlotEntry[] {
  const { id } = raw
  return typeof id === 'string' || typeof id === 'number'
    ? [{ id, title: textOf(raw.title), icon: textOf(raw.icon) }]
    : []
}
