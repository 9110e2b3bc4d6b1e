import { type BenchField, type BenchForm, linkedValue, OPTIONS } from './forms.ts'
import { openProbe } from './probe.ts'
import { faultOf, keyOf, type Value } from './small-store.ts'
import './dom.css'

/** The lower bound of what a browser needs: elements created by hand, rows of fixed height that need no layout while hidden. */
interface Entry {
  readonly field: BenchField
  readonly root: HTMLElement
  readonly control: HTMLInputElement | HTMLTextAreaElement | HTMLButtonElement
  readonly error: HTMLElement
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Partial<HTMLElementTagNameMap[K]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), props)
  made.append(...children)
  return made
}

/** A native list or date box is created when it is opened. */
function chooser(field: BenchField): HTMLButtonElement {
  const face = element('button', { type: 'button', textContent: '请选择' })
  face.onclick = () => {
    const native =
      field.type === 'date'
        ? element('input', { type: 'date' })
        : element(
            'select',
            {},
            ...OPTIONS.map(({ label, value }) => element('option', { value, textContent: label })),
          )
    native.onchange = () => {
      face.value = native.value
      face.textContent = native.value || '请选择'
      native.replaceWith(face)
    }
    face.replaceWith(native)
    native.focus()
  }
  return face
}

function controlOf(field: BenchField): Entry['control'] {
  if (field.type === 'textarea') return element('textarea', { rows: 2 })
  if (field.type === 'select' || field.type === 'date') return chooser(field)
  return element('input', {
    type: field.type === 'switch' ? 'checkbox' : field.type === 'number' ? 'number' : 'text',
  })
}

function entryOf(field: BenchField, value: Value | undefined): Entry {
  const control = controlOf(field)
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value === true
  else if (value !== undefined) control.value = String(value)
  const error = element('div', { className: 'fault' })
  const label = element('label', { textContent: field.required ? `${field.label} *` : field.label })
  return { field, control, error, root: element('div', { className: 'entry' }, label, control, error) }
}

const held = ({ control }: Entry): Value =>
  control instanceof HTMLInputElement && control.type === 'checkbox' ? control.checked : control.value

let form: BenchForm | null = null
const entries = new Map<string, Entry>()

function check(entry: Entry): boolean {
  entry.error.textContent = faultOf(entry.field, held(entry))
  return entry.error.textContent !== ''
}

function listen(opened: BenchForm, entry: Entry): void {
  const dependents = opened.fields.flatMap(({ name, visibleIf }) =>
    visibleIf === entry.field.name ? (entries.get(name) ?? []) : [],
  )
  const targets = opened.kind === 'H' && entry.field === opened.typeIn ? opened.targets : []
  entry.control.addEventListener('input', () => {
    if (entry.error.textContent !== '') check(entry)
    for (const { root } of dependents) root.hidden = held(entry) === ''
    for (const target of targets) {
      const control = entries.get(target.name)?.control
      if (control) control.value = String(linkedValue(String(held(entry)), target))
    }
  })
}

openProbe({
  prepare: (given) => {
    form = given
  },
  mount(root) {
    if (form === null) return
    const all = document.createDocumentFragment()
    if (form.kind === 'T') {
      for (const [i, row] of form.rows.entries()) {
        const made = form.fields.map((field) => entryOf(field, row[field.name] as Value))
        for (const entry of made) entries.set(keyOf(entry.field.name, i), entry)
        all.append(element('fieldset', {}, ...made.map((entry) => entry.root)))
      }
    } else {
      for (const field of form.fields) {
        const entry = entryOf(field, undefined)
        entry.root.hidden = field.visibleIf !== undefined
        entries.set(field.name, entry)
        all.append(entry.root)
      }
      for (const entry of entries.values()) if (entry.field.type === 'input') listen(form, entry)
    }
    root.append(all)
  },
  validate: () => [...entries.values()].filter(check).length,
  value(name, row) {
    const entry = entries.get(keyOf(name, row))
    return entry ? held(entry) : null
  },
})
