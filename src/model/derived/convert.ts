import type { JsonObject } from '../../../runtime/core/json.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import type { IsOwn } from '../page-parts.ts'
import { pathOf, rightOf } from './parts.ts'
import type { Choice } from './versions.ts'
import type { DerivedWords } from './words.ts'

/** True for a module whose records are made of others. */
export const isMadeOfOthers = (
  { name }: Pick<MergedModule, 'name'>,
  others: ReadonlyMap<string, MergedModule>,
): boolean => [...others.values()].some(({ convert = {} }) => convert[name] !== undefined)

/** What a record may become: a choice of 更多 for each, which opens the form of the other with what goes along. @param others  modules by name */
export function convertChoices(
  { name, convert = {} }: MergedModule,
  words: DerivedWords,
  others: ReadonlyMap<string, MergedModule>,
  isOwn: IsOwn,
): readonly Choice[] {
  return Object.keys(convert).flatMap((to): Choice[] => {
    const target = others.get(to)
    if (target === undefined) return []
    const form = isOwn(to) ? pathOf(to, 'add') : target.pages?.form
    if (form === undefined) return []
    const right = isOwn(to) ? rightOf(to, 'add') : `${target.permission ?? to}:add`
    const query = { of: name, ofId: '{{ params.id }}' }
    return [
      {
        label: words.made.replace('{label}', labelText(target.label)),
        if: {
          and: [
            { in: ['convert', { var: 'data.detail.actions' }] },
            { in: [right, { var: 'user.permissions' }] },
          ],
        },
        then: [{ do: 'navigate', url: form, query } as JsonObject],
      },
    ]
  })
}
