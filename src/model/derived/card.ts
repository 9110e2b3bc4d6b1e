import type { JsonObject } from '../../../runtime/core/json.ts'
import { kindOf } from '../kinds/index.ts'
import type { MergedModule } from '../merge-module.ts'
import { cardLines } from './card-line.ts'
import {
  approvalTags,
  container,
  lapsedTag,
  leftDaysTag,
  shownFields,
  statusOf,
  statusTags,
  worth,
} from './parts.ts'
import type { DerivedWords } from './words.ts'

const MAX_CARD_LINES = 4

/** Title and status, then the fields that say they belong on a card, else the first that say something. @param prefix  keeps its names apart on a page with other cards */
export function cardOf(
  module: MergedModule,
  words: Pick<DerivedWords, 'lapsed' | 'star' | 'leftDays'>,
  prefix = '',
): readonly JsonObject[] {
  const status = statusOf(module)
  const others = shownFields(module).filter(
    ({ name }) => name !== module.title && name !== status?.name && name !== module.amount,
  )
  const chosen = others.filter(({ card }) => card === true)
  const lines = (chosen.length > 0 ? chosen : others.filter(({ kind }) => kindOf(kind).long !== true)).slice(
    0,
    MAX_CARD_LINES,
  )
  return [
    container('line', { name: `${prefix}head`, gap: 8, grow: `${prefix}title` }, [
      {
        type: 'static-text',
        options: {
          name: `${prefix}title`,
          textContent: '{{ row.title }}',
          fontSize: '17px',
          weight: 'medium',
          maxLines: 2,
        },
      },
      ...(status === undefined ? [] : statusTags(status, 'row', prefix)),
      ...lapsedTag(module, words, 'row', prefix),
      ...leftDaysTag(module, words, 'row', prefix),
      ...approvalTags(module, 'row', prefix),
      ...starTag(module, words, prefix),
    ]),
    ...worth(module.amount, 'row', { name: `${prefix}worth`, fontSize: '16px' }),
    ...lines.flatMap((line) => cardLines(line, 'row', `${prefix}card_${line.name}`)),
    {
      type: 'static-text',
      options: {
        name: `${prefix}foot`,
        textContent: module.behaviours.includes('owned')
          ? '{{ row.owner_name }} · {{ row.created_at | date:YYYY-MM-DD }}'
          : '{{ row.created_at | date:YYYY-MM-DD }}',
        fontSize: '13px',
        tone: 'weak',
        maxLines: 1,
      },
    },
  ]
}

/** Says that the reader marked the record. */
const starTag = (
  { behaviours }: Pick<MergedModule, 'behaviours'>,
  words: Pick<DerivedWords, 'star'>,
  prefix: string,
): readonly JsonObject[] =>
  behaviours.includes('star')
    ? [
        {
          type: 'tag',
          options: {
            name: `${prefix}starred`,
            text: words.star,
            tone: 'warning',
            plain: true,
            visibleOn: { var: 'row.starred' },
          },
        },
      ]
    : []
