import type { JsonObject } from '../../runtime/core/json.ts'
import { toDocument } from './document.ts'
import type { BenchForm } from './forms.ts'
import { openProbe } from './probe.ts'
import './main.tsx'

let opened: { readonly form: BenchForm; readonly document: JsonObject } | null = null

/** Our own page, through the interface that external benchmarks use. */
openProbe({
  prepare(form, variant) {
    opened = { form, document: toDocument(form, variant) }
  },
  async mount(element) {
    if (opened) await window.mountForm(opened.document, element, { rows: opened.form.rows })
  },
  validate: () => window.validateForm(),
  value(name, row) {
    const values = window.getFormData()
    if (row === undefined) return values[name] ?? null
    return (values.rows as readonly JsonObject[])[row]?.[name] ?? null
  },
  reveal: (name, row) => window.revealField(name, row),
})
