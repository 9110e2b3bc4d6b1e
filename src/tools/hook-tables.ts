import type { Entry } from '../../runtime/core/hooks/catalogue-entry.ts'
import { HOOK_NOTES, HOOKS_NOT_RUN } from '../../runtime/core/hooks/catalogue-hooks.ts'
import { HOOKS } from '../../runtime/core/hooks/hook-names.ts'
import { CATALOGUE } from '../../runtime/core/hooks/script-catalogue.ts'
import { table } from './markdown.ts'

const TITLES: Readonly<Record<Entry['owner'], string>> = {
  every: 'The form and every widget',
  form: 'Form (`this` in form hooks, `getFormRef()`, `VFR`)',
  field: 'Fields',
  subForm: 'Sub-forms',
  container: 'Containers',
  global: 'Globals',
}
const THIS = { form: 'the form', widget: 'the widget', none: '–' } as const
const STATUS = { supported: 'yes', 'stand-in': 'stand-in', error: 'named error' } as const

/** The tables of the hook chapter in `runtime/README.md`. */
export function hookTables(): string {
  const hooks = Object.entries(HOOKS).map(([name, { params, self }]) => [
    `\`${name}\``,
    params.map((param) => `\`${param}\``).join(', '),
    THIS[self],
    HOOK_NOTES[name]?.fired ?? '',
    HOOK_NOTES[name]?.returns ?? '',
  ])
  const notRun = Object.entries(HOOKS_NOT_RUN).map(([name, instead]) => [`\`${name}\``, instead])
  const owners = Object.keys(TITLES) as Entry['owner'][]
  return [
    '### Hooks',
    table(['Hook', 'Parameters', '`this`', 'When', 'What its return value means'], hooks),
    'Hooks of PC and private builds that are kept in the document and never run:',
    table(['Hook', 'Instead'], notRun),
    ...owners.flatMap((owner) => [`### ${TITLES[owner]}`, memberTable(owner)]),
  ].join('\n\n')
}

function memberTable(owner: Entry['owner']): string {
  const members = CATALOGUE.filter((entry) => entry.owner === owner)
  return table(
    ['Name', 'Status', 'To know; for an error: what it tells to use instead'],
    members.map(({ name, params, kind, status, note }) => [
      `\`${name}${kind === 'method' ? `(${params})` : ''}\``,
      STATUS[status],
      note,
    ]),
  )
}
