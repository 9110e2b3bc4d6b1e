import { json, jsonParseLinter } from '@codemirror/lang-json'
import { t } from '../context.ts'
import type { PlaceWord } from '../places/places.ts'
import { completeJson } from './complete.ts'
import type { Language } from './editor.ts'
import { meaningInJson } from './meaning.ts'

const parseFaults = jsonParseLinter()

/** The text of a page. */
export const pageJson = (places: () => readonly PlaceWord[]): Language => ({
  extensions: [json()],
  meaning: meaningInJson,
  complete: (context) => completeJson(context, places()),
  // The browser's words for the fault are English; its place is what counts.
  faults: (view) => parseFaults(view).map((one) => ({ ...one, message: t('workbench.json.broken') })),
})
