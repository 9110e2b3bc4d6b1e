import type { Engine } from '../../../runtime/core/engine.ts'
import { namesFor } from '../actions/model.ts'
import { wordsOf } from '../places/places.ts'
import type { PageNames } from './complete.ts'

/** The names that texts of an open page can use; empty while none is drawn. */
export function pageNames(engine: Engine | null): PageNames {
  return {
    words: engine === null ? [] : wordsOf(engine),
    sources: [...(engine?.page.dataSources.values() ?? [])].map(({ uniqueName, requestURL }) => ({
      word: uniqueName,
      label: requestURL,
    })),
    dictionaries: Object.keys(engine?.scope().dict ?? {}).map((word) => ({ word, label: '' })),
    forAction: (action, key) => namesFor(action, key, engine),
  }
}
