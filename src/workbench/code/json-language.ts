import { json, jsonParseLinter } from '@codemirror/lang-json'
import { t } from '../context.ts'
import { completeJson } from './complete.ts'
import type { Language } from './editor.ts'

const parseFaults = jsonParseLinter()

/** The text of a page. */
export const pageJson = (): Language => ({
  extensions: [json()],
  complete: completeJson,
  // The browser's words for the fault are English; its place is what counts.
  faults: (view) => parseFaults(view).map((one) => ({ ...one, message: t('workbench.json.broken') })),
})
