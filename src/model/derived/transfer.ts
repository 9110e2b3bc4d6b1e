import type { MergedModule } from '../merge-module.ts'
import { formField, getSource, ownCall, variable } from '../page-parts.ts'
import { button, container, rightOf } from './parts.ts'
import type { DerivedWords } from './words.ts'

/** What gives a record to a colleague: a button in the bar, a sheet, and what they ask for. Nothing where records have no owners. */
export function transferParts({ name, behaviours }: MergedModule, words: DerivedWords) {
  if (!behaviours.includes('owned')) return { sources: [], buttons: [], sheets: [] }
  return {
    sources: [
      getSource('colleagues', `/mini/user/options?may=${rightOf(name, 'edit')}`, [
        variable('keyword', 'DSV.search'),
        variable('without', 'data.detail.record.owner_id'),
      ]),
      {
        uniqueName: 'transfer',
        requestURL: ownCall(name, 'transfer'),
        requestMethod: 'post',
        data: [variable('clientToken', 'DSV.clientToken')],
        body: { ids: ['{{ params.id }}'], toUserId: '{{ form.transfer_to }}' },
      },
    ],
    buttons: [
      button('transfer', words.transfer, [{ do: 'openSheet', name: 'transferSheet' }], {
        type: 'default',
        visibleOn: { in: ['transfer', { var: 'data.detail.actions' }] },
      }),
    ],
    sheets: [
      container('sheet', { name: 'transferSheet', label: words.transfer }, [
        formField('select', {
          name: 'transfer_to',
          label: words.transferTo,
          remote: true,
          filterable: true,
          dsEnabled: true,
          dsName: 'colleagues',
          dataSetName: 'list',
          labelKey: 'name',
          valueKey: 'id',
        }),
        container('action-bar', { name: 'transferBar' }, [
          button(
            'transferDone',
            words.done,
            [
              {
                do: 'request',
                dsName: 'transfer',
                then: [
                  {
                    do: 'when',
                    if: { '!!': { var: 'result.failed.0' } },
                    then: [{ do: 'toast', text: '{{ result.failed.0.message }}' }],
                    else: [
                      { do: 'closeSheet', name: 'transferSheet' },
                      { do: 'toast', text: words.transferred, icon: 'success' },
                      { do: 'back' },
                    ],
                  },
                ],
              },
            ],
            { type: 'primary', disabledOn: { '!': { var: 'form.transfer_to' } } },
          ),
        ]),
      ]),
    ],
  }
}
