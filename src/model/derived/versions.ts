import type { JsonObject } from '../../../runtime/core/json.ts'
import type { MergedModule } from '../merge-module.ts'
import { getSource, ownCall, variable } from '../page-parts.ts'
import { container, pathOf } from './parts.ts'
import { type DetailTab, isOpen } from './tabs.ts'
import type { DerivedWords } from './words.ts'

/** A choice of the menu 更多. */
export interface Choice {
  readonly label: string
  readonly if: JsonObject
  readonly then: readonly JsonObject[]
}

/** True while the page shows an earlier version instead of the record. */
const IS_EARLIER: JsonObject = { '!!': { var: 'params.no' } }

/** What records with versions have: the number, the earlier ones, and the beginning of another. Nothing for others. */
export function versionParts({ name, behaviours }: MergedModule, words: DerivedWords) {
  if (!behaviours.includes('versions')) return { tabs: [], sources: [], choices: [], notes: [], tags: [] }
  const tab: DetailTab = {
    item: { label: words.versions, value: 'versions', visibleOn: { '!': IS_EARLIER } },
    sources: [getSource('versions', ownCall(name, 'versions'), [variable('id', 'params.id')])],
    widgets: [
      container(
        'list',
        {
          name: 'versionRows',
          dsName: 'versions',
          rowKey: 'no',
          itemHeight: 72,
          visibleOn: isOpen('versions'),
          empty: words.noVersions,
          on: {
            rowClick: [
              {
                do: 'navigate',
                url: pathOf(name, 'detail'),
                query: { id: '{{ params.id }}', no: '{{ row.no }}' },
              },
            ],
          },
        },
        [
          {
            type: 'static-text',
            options: {
              name: 'versionTitle',
              textContent: 'V{{ row.no }} {{ row.title }}',
              fontSize: '16px',
              maxLines: 1,
            },
          },
          {
            type: 'static-text',
            options: {
              name: 'versionFoot',
              textContent: '{{ row.user_name }} · {{ row.created_at | date:YYYY-MM-DD HH:mm }}',
              fontSize: '13px',
              tone: 'weak',
            },
          },
        ],
      ),
    ],
  }
  const choice: Choice = {
    label: words.version,
    if: { in: ['version', { var: 'data.detail.actions' }] },
    then: [
      {
        fragment: 'act/confirmed',
        with: {
          title: words.version,
          content: words.versionAsk,
          source: 'version',
          done: words.versionBegun,
          then: [{ do: 'navigate', url: `${pathOf(name, 'add')}?id={{ params.id }}` }],
        },
      },
    ],
  }
  return {
    tabs: [tab],
    sources: [
      {
        uniqueName: 'version',
        requestURL: ownCall(name, 'version'),
        requestMethod: 'post',
        data: [
          variable('clientToken', 'DSV.clientToken'),
          variable('id', 'params.id'),
          variable('version', 'data.detail.record.version'),
        ],
      },
    ],
    choices: [choice],
    notes: [
      {
        type: 'alert',
        options: {
          name: 'earlier',
          type: 'warning',
          showIcon: true,
          closable: false,
          title: words.earlier,
          visibleOn: IS_EARLIER,
        },
      },
    ],
    tags: [
      {
        type: 'tag',
        options: {
          name: 'versionNo',
          text: 'V{{ data.detail.record.revision_no }}',
          tone: 'default',
          plain: true,
        },
      },
    ],
  }
}
