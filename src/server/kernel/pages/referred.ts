import { checkModule } from '../../../model/check-module.ts'
import type { FormWords } from '../../../model/form-fields.ts'
import type { ListWords } from '../../../model/list-words.ts'
import { text } from '../text/text.ts'
import type { JsonFile } from './read-files.ts'
import type { Referred } from './references.ts'

type Files = ReadonlyMap<string, JsonFile>

/** What the files of `schemas/fragments` and `schemas/modules` provide to pages; an invalid one provides nothing. */
export function referredFrom(fragments: Files, modules: Files): Referred {
  const good = new Map(
    [...modules].flatMap(([name, { content }]) => {
      const checked = content === undefined ? null : checkModule(content)
      return checked?.ok ? [[name, checked.module] as const] : []
    }),
  )
  return {
    fragment(name) {
      const found = fragments.get(name)
      return found?.content === undefined ? undefined : { file: found.file, content: found.content }
    },
    module: (name) => good.get(name),
    words: pageWords(),
  }
}

/** Texts that fields add to pages. */
export const pageWords = (): FormWords & ListWords => ({
  required: text('record.required'),
  requiredChoice: text('record.required-choice'),
  requiredFiles: text('record.required-files'),
  requiredRows: text('record.required-rows'),
  format: text('record.format'),
  optional: text('derived.optional'),
  elseToday: text('derived.else-today'),
  elseNow: text('derived.else-now'),
  elseMe: text('derived.else-me'),
  yuan: text('derived.yuan'),
  lng: text('derived.lng'),
  lat: text('derived.lat'),
  locate: text('derived.locate'),
  owner: text('derived.owner'),
  createdAt: text('derived.created-at'),
  followedAt: text('derived.followed-at'),
  ownerSince: text('derived.owner-since'),
  spoken: text('derived.spoken'),
  poolEnteredAt: text('derived.pool-entered-at'),
  poolReason: text('derived.pool-reason'),
  any: text('derived.any'),
  from: text('derived.from'),
  until: text('derived.until'),
  today: text('derived.today'),
  thisWeek: text('derived.this-week'),
  thisMonth: text('derived.this-month'),
  last30d: text('derived.last-30d'),
  located: text('derived.located'),
  clearPlace: text('derived.clear-place'),
  address: text('derived.address'),
})
