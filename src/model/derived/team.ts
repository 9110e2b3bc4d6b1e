import type { JsonObject } from '../../../runtime/core/json.ts'
import type { MergedModule } from '../merge-module.ts'
import type { Choice } from './versions.ts'
import type { DerivedWords } from './words.ts'

/** Colleagues who share a record: their list behind 更多, by the sheets of the product's own records. Nothing where records are not shared. */
export function teamParts({ name, behaviours }: MergedModule, words: DerivedWords) {
  if (!behaviours.includes('team')) return { load: [], choices: [], sheets: [] }
  const load: readonly JsonObject[] = [
    { do: 'set', data: 'picker', value: 'personSheet' },
    { do: 'set', data: 'kind', value: `m.${name}` },
  ]
  const choices: readonly Choice[] = [
    {
      label: words.members,
      if: { '!!': { var: 'data.detail' } },
      then: [
        { do: 'refresh', dsName: 'team' },
        { do: 'openSheet', name: 'membersSheet' },
      ],
    },
  ]
  const sheets: readonly JsonObject[] = [{ fragment: 'sheet/team', with: { module: `m/${name}` } }]
  return { load, choices, sheets }
}
