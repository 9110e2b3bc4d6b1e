import { json, jsonParseLinter } from '@codemirror/lang-json'
import { t } from '../context.ts'
import { completeJson, type PageNames } from './complete.ts'
import type { Language } from './editor.ts'
import { meaningInJson } from './meaning.ts'
import type { Root } from './schema-place.ts'

const parseFaults = jsonParseLinter()

/** The language support for the text of a page, or of a part of one. */
export const pageJson = (root: Root, names: () => PageNames): Language => ({
  extensions: [json()],
  meaning: (text, at) => meaningInJson(text, at, root),
  complete: (context) => completeJson(context, root, names()),
  // The browser's error message is in English; only its position is used.
  faults: (view) => parseFaults(view).map((fault) => ({ ...fault, message: t('workbench.json.broken') })),
})
