import { useEffect, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { plainText } from '../../core/widgets/values.ts'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { useNode } from '../page/use-node.ts'
import { idOf, idsIn, joined, nameOf, type RecordRow, readRows } from './rows.ts'

/**
 * The names of a reference's value: those in the field beside it while they belong to this value, else those its source returns for the ids. A record
 * that the user does not see, or that cannot be queried now, has no name.
 */
export function useNames(state: NodeState): {
  readonly text: string
  /** Stores the names of a choice that is about to be made. */
  readonly keep: (rows: readonly RecordRow[]) => void
} {
  const engine = useEngine()
  const t = useText()
  const { options, value, node } = state
  const source = textOf(options.dsName)
  const ids = idsIn(value).join()
  const nameWidget = engine.find(textOf(options.nameField))
  const written = useNode(nameWidget ?? state.key)
  const storedName = nameWidget === undefined ? '' : textOf(written.value)
  const of = useRef({ ids, said: storedName })
  const [answer, setAnswer] = useState({ ids: '', text: '' })
  if (storedName !== of.current.said) of.current = { ids, said: storedName }
  const shownName = storedName !== '' && of.current.ids === ids ? storedName : ''
  const text = shownName || (answer.ids === ids ? answer.text : '')
  const isAsking = ids !== '' && shownName === '' && answer.ids !== ids && source !== ''
  const applyNames = (of: string, names: string) => {
    setAnswer({ ids: of, text: names })
    if (nameWidget !== undefined) engine.setValues({ [textOf(options.nameField)]: names })
  }
  const latestApply = useRef(applyNames)
  latestApply.current = applyNames
  useEffect(() => {
    if (!isAsking) return
    let isOpen = true
    void engine.request(source, { ids, widgetName: node.name }, { keep: true }).then((found) => {
      if (!isOpen) return
      const namesById = new Map(
        (found.ok ? readRows(found.value).rows : []).map((row) => [idOf(row), nameOf(row)]),
      )
      latestApply.current(ids, joined(ids.split(',').map((id) => namesById.get(id) ?? '')))
    })
    return () => {
      isOpen = false
    }
  }, [engine, source, ids, node.name, isAsking])
  return {
    text:
      ids === '' ? '' : text || (isAsking ? '…' : source === '' ? plainText(value) : t('reference.unnamed')),
    keep(rows) {
      const names = joined(rows.map(nameOf))
      setAnswer({ ids: rows.map(idOf).join(), text: names })
      if (nameWidget !== undefined) engine.change(nameWidget, names === '' ? null : names)
    },
  }
}
