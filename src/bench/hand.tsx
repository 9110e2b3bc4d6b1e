import { DatePicker, Input, List, Picker, Switch, TextArea } from 'antd-mobile'
import { memo, useCallback, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { type BenchField, type BenchForm, OPTIONS } from './forms.ts'
import { openProbe } from './probe.ts'
import { createSmallStore, keyOf, type SmallStore, type Value } from './small-store.ts'
import './bench.css'

/** A form as written by hand with React: memoised fields, each with its own slice of a small store. */
interface Opened {
  readonly store: SmallStore
  readonly form: BenchForm
}
interface Picking {
  readonly key: string
  readonly field: BenchField
}
interface CellProps {
  readonly store: SmallStore
  readonly field: BenchField
  readonly at: string
  readonly pick: (picking: Picking) => void
}

const COLUMNS = [[...OPTIONS]]

function useSlot(store: SmallStore, key: string) {
  const subscribe = useCallback((listener: () => void) => store.subscribe(key, listener), [store, key])
  return useSyncExternalStore(subscribe, () => store.get(key))
}

const Control = memo(function Control({
  type,
  value,
  onChange,
}: {
  readonly type: BenchField['type']
  readonly value: Value
  readonly onChange: (value: Value) => void
}) {
  if (type === 'switch') return <Switch checked={value === true} onChange={onChange} />
  if (type === 'textarea') return <TextArea rows={2} value={String(value)} onChange={onChange} />
  if (type === 'number') return <Input type="number" value={String(value)} onChange={onChange} />
  return <Input clearable value={String(value)} onChange={onChange} />
})

const Cell = memo(function Cell({ store, field, at, pick }: CellProps) {
  const { value, error } = useSlot(store, at)
  const onChange = useCallback((next: Value) => store.set(at, next), [store, at])
  const title = field.required ? `${field.label} *` : field.label
  const description = error === '' ? null : <span className="fault">{error}</span>
  if (field.type === 'select' || field.type === 'date') {
    const label = OPTIONS.find((option) => option.value === value)?.label ?? String(value)
    return (
      <List.Item title={title} description={description} onClick={() => pick({ key: at, field })}>
        {label || '请选择'}
      </List.Item>
    )
  }
  return (
    <List.Item title={title} description={description}>
      <Control type={field.type} value={value} onChange={onChange} />
    </List.Item>
  )
})

const Conditional = memo(function Conditional(props: CellProps) {
  const { value } = useSlot(props.store, props.field.visibleIf ?? '')
  return value === '' ? null : <Cell {...props} />
})

const Row = memo(function Row({
  store,
  form,
  index,
  pick,
}: Opened & { readonly index: number; readonly pick: CellProps['pick'] }) {
  return (
    <List header={`#${index + 1}`}>
      {form.fields.map((field) => (
        <Cell key={field.name} store={store} field={field} at={keyOf(field.name, index)} pick={pick} />
      ))}
    </List>
  )
})

function Page({ store, form }: Opened) {
  const [picking, setPicking] = useState<Picking | null>(null)
  const close = () => setPicking(null)
  const take = (value: Value) => picking && store.set(picking.key, value)
  return (
    <>
      {form.kind === 'T'
        ? form.rows.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows come and go nowhere here
            <Row key={index} store={store} form={form} index={index} pick={setPicking} />
          ))
        : null}
      {form.kind === 'T' ? null : (
        <List>
          {form.fields.map((field) => {
            const Shown = field.visibleIf === undefined ? Cell : Conditional
            return <Shown key={field.name} store={store} field={field} at={field.name} pick={setPicking} />
          })}
        </List>
      )}
      {picking?.field.type === 'date' ? (
        <DatePicker visible onClose={close} onConfirm={(day) => take(day.toISOString().slice(0, 10))} />
      ) : null}
      {picking?.field.type === 'select' ? (
        <Picker visible columns={COLUMNS} onClose={close} onConfirm={([value]) => take(String(value))} />
      ) : null}
    </>
  )
}

let opened: Opened | null = null
openProbe({
  prepare(form) {
    opened = { form, store: createSmallStore(form) }
  },
  mount(element) {
    if (opened) createRoot(element).render(<Page {...opened} />)
  },
  validate: () => opened?.store.validate() ?? 0,
  value: (name, row) => opened?.store.get(keyOf(name, row)).value ?? null,
})
