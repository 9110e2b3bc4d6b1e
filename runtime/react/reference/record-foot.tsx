import type { NodeState } from '../../core/engine.ts'
import { ownValue } from '../../core/json.ts'
import { applyRule, isTruthy } from '../../core/logic/rule.ts'
import { queryPart } from '../../core/text/query.ts'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { idOf, type RecordRow, readRows } from './rows.ts'

interface Props {
  readonly state: NodeState
  /** The keyword: the name of a new record. */
  readonly keyword: string
  /** The id of the record that can be opened; '' if none can. */
  readonly shown: string
  /** Marked records; null if a tap chooses immediately. */
  readonly marked: readonly RecordRow[] | null
  readonly onClose: () => void
  /** A record was created. */
  readonly onMade: (row: RecordRow) => void
  readonly onDone: () => void
}

/** Buttons below the records: open the chosen one, create a new one, confirm the marked ones. */
export function RecordFoot({ state, keyword, shown, marked, onClose, onMade, onDone }: Props) {
  const t = useText()
  const { ports, request, fill, scope } = useEngine()
  const { options } = state
  const { createOn = null } = state.node.options
  const show = shown === '' ? '' : textOf(options.show)
  const create = createOn === null || isTruthy(applyRule(createOn, scope())) ? textOf(options.create) : ''
  if (show === '' && create === '' && marked === null) return null
  const make = async () => {
    onClose()
    const created = await ports.navigator.ask?.(withParameter(create, 'name', keyword))
    const value = textOf(ownValue(created ?? null, 'id'))
    if (value === '') return
    const answer = await request(textOf(options.dsName), { ids: value, widgetName: state.node.name })
    const rows = answer.ok ? readRows(answer.value).rows : []
    onMade(rows.find((row) => idOf(row) === value) ?? { value, label: keyword })
  }
  const limit = Number(options.multipleLimit ?? 0)
  const count = marked?.length ?? 0
  return (
    <div className="vf-sheet-foot">
      {show === '' ? null : (
        <button
          type="button"
          className="vf-button vf-default vf-block"
          onClick={() => {
            onClose()
            ports.navigator.open(withParameter(fill(show), 'id', shown))
          }}
        >
          {t('reference.show')}
        </button>
      )}
      {create === '' ? null : (
        <button type="button" className="vf-button vf-default vf-block" onClick={() => void make()}>
          {keyword === '' ? t('reference.create') : t('reference.createNamed', { name: keyword })}
        </button>
      )}
      {marked === null ? null : (
        <button type="button" className="vf-button vf-primary vf-block" onClick={onDone}>
          {t('widget.confirm') + (count > 0 ? ` (${limit > 0 ? `${count}/${limit}` : count})` : '')}
        </button>
      )}
    </div>
  )
}

/** Adds a parameter to an address unless it is empty. */
const withParameter = (url: string, name: string, value: string): string =>
  value === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${queryPart(name, value)}`
