import type { JsonObject } from '../../../runtime/core/json.ts'
import { addressOf, seenRule } from '../field-rights.ts'
import { kindOf } from '../kinds/index.ts'
import { labelText } from '../labels.ts'
import type { MergedModule } from '../merge-module.ts'
import { ownCall, variable } from '../page-parts.ts'
import { button, container, factOf, rightOf, shownFields } from './parts.ts'
import { isSubTable, subTable } from './sub-table.ts'
import type { DerivedWords } from './words.ts'

const RECORD = 'data.detail.record'

/** A record as a paper: what it says, what is sold, what it is worth in figures and in capitals, and room to sign. */
export function printPage(module: MergedModule, words: DerivedWords): JsonObject {
  const { name, amount = '' } = module
  const isInternal = signsOf(module) === 'internal'
  const isListed = ({ rows, kind }: { readonly rows?: string; readonly kind: string }): boolean =>
    rows === undefined && kind !== 'files' && kind !== 'pictures'
  const listed = shownFields(module).filter(isListed)
  const printed = listed.filter(
    (field) => field.name !== amount && field.name !== module.title && !isSubTable(field),
  )
  const [long, short] = [true, false].map((isLong) =>
    printed.filter(({ kind }) => (kind === 'long-text' || kindOf(kind).stored === 'json') === isLong),
  ) as [typeof printed, typeof printed]
  const line = (one: string, textContent: string, more: JsonObject): JsonObject => ({
    type: 'static-text',
    options: { name: one, textContent, textAlign: 'center', ...more },
  })
  return {
    formConfig: {
      layoutType: 'H5',
      jsonVersion: -3,
      page: {
        title: `${words.print}${labelText(module.label)}`,
        permission: rightOf(name, 'view'),
        draft: false,
        params: [{ name: 'id', type: 'String', required: true }],
      },
      dataSources: [
        {
          uniqueName: 'detail',
          requestURL: ownCall(name, 'detail'),
          requestMethod: 'get',
          params: [variable('id', 'params.id')],
          auto: true,
          needed: true,
        },
      ],
      cssCode:
        '.paper { background:var(--vf-card); padding:24px 20px; } .paper .paper-inset { padding:8px 16px; } .paper :is(.paper-price, .paper-count, .paper-sum) { flex:none; white-space:nowrap; } .paper .paper-price { min-width:24%; } .paper .paper-count { min-width:14%; } .paper .paper-sum { min-width:28%; } @media print { .paper { padding:0; } }',
    },
    widgetList: [
      container('line', { name: 'paper', vertical: true, gap: 12, customClass: ['paper'] }, [
        line('firm', '{{ user.tenant.name }}', { fontSize: '15px' }),
        line('paperTitle', labelText(module.label), { fontSize: '22px', weight: 'bold' }),
        line('paperSubject', `{{ ${RECORD}.title }}`, { fontSize: '16px' }),
        ...(module.approval === undefined ? [] : [notAgreed(words)]),
        facts('facts', [
          ...(module.number === undefined ? [] : [{ label: words.number, bind: 'record_no' }]),
          ...(isInternal ? applied(module, words) : []),
          ...short.map((one) => factOf(one, RECORD)),
        ]),
        { fragment: 'print/sold', with: { module: module.name } },
        facts('money', [
          {
            label: labelText(module.fields.find((field) => field.name === amount)?.label ?? amount),
            text: `{{ ${RECORD}.${amount} | money }}`,
          },
          { label: words.capitals, bind: 'amount_capitals' },
        ]),
        facts(
          'more',
          long.map((one) => factOf(one, RECORD)),
        ),
        ...listed.filter(isSubTable).map((one) => subTable(one)),
        {
          type: 'static-text',
          options: {
            name: 'withheld',
            textContent: words.withheld,
            fontSize: '12px',
            tone: 'secondary',
            customClass: ['paper-inset'],
            visibleOn: withheldRule(module),
          },
        },
        { fragment: isInternal ? 'print/internal-signs' : 'print/signs' },
      ]),
      container('action-bar', { name: 'bar' }, [
        button('print', words.print, [{ do: 'emit', name: 'print' }], {
          type: 'primary',
          disabledOn: { '!': { var: 'data.detail' } },
        }),
      ]),
    ],
  }
}

/** Who signs: as the module says, else the two parties where it asks for a customer. */
const signsOf = ({ print, fields }: MergedModule): 'parties' | 'internal' =>
  print?.signs ??
  (fields.some(({ kind, module, required }) => kind === 'ref' && module === 'customer' && required === true)
    ? 'parties'
    : 'internal')

const STATE = `{{ ${RECORD}.approval_status | dict:approval_status }}`

/** What everybody who holds the paper has to know: nobody agreed to it. */
const notAgreed = (words: DerivedWords): JsonObject => ({
  type: 'static-text',
  options: {
    name: 'notAgreed',
    textContent: `${words.approvalStatus}：${STATE}`,
    textAlign: 'center',
    fontSize: '16px',
    weight: 'bold',
    tone: 'danger',
    visibleOn: { in: [{ var: `${RECORD}.approval_status` }, [0, 1, 3, 4]] },
  },
})

/** Who asks, when, and whether it was agreed to. */
const applied = (module: MergedModule, words: DerivedWords): readonly JsonObject[] => [
  ...(module.behaviours.includes('owned')
    ? [
        { label: words.applicant, bind: 'owner_name' },
        { label: words.department, bind: 'owner_dept_name', hideEmpty: true },
      ]
    : [{ label: words.applicant, bind: 'created_by_name' }]),
  { label: words.date, text: `{{ ${RECORD}.created_at | date:YYYY-MM-DD }}` },
  ...(module.approval === undefined ? [] : [{ label: words.approvalStatus, text: STATE }]),
]

/** True for who does not see in full what is on the paper, by their role or because the record lies in a pool. */
function withheldRule(module: MergedModule): JsonObject {
  const onPaper = shownFields(module).filter(
    ({ name, rows, kind }) =>
      kind !== 'files' && kind !== 'pictures' && (rows === undefined || name === 'lines'),
  )
  return {
    or: onPaper.flatMap((field) => [
      { '!': seenRule(addressOf(module, field)) },
      { in: [field.name, { var: 'data.detail.mask' }] },
    ]),
  }
}

const facts = (name: string, items: readonly JsonObject[]): JsonObject => ({
  type: 'descriptions',
  options: { name, bind: RECORD, items: [...items], columns: 1, labelWidth: 96 },
})
