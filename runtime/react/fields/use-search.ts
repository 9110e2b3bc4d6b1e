import { useCallback, useEffect, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { isObject, type Json } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'

/** Debounce of the search in a choice, in milliseconds. */
const PAUSE_MS = 300

/**
 * The search in a list of choices. Loaded items are filtered immediately; remote ones are requested after a pause, by the hook onRemoteQuery and from
 * the field's data source with the keyword as `DSV.search`. Only the answer to the latest request is used.
 */
export function useSearch(state: NodeState) {
  const engine = useEngine()
  const [keyword, setKeyword] = useState('')
  const [busy, setBusy] = useState(false)
  const cancel = useRef(() => {})
  const turn = useRef(0)
  const remote = state.options.remote === true
  const source = remote && state.options.dsEnabled === true ? textOf(state.options.dsName) : ''
  const fetchChoices = useCallback(
    async (text: string) => {
      turn.current += 1
      const mine = turn.current
      void engine.event(state.key, 'remoteQuery', { args: [text] })
      if (source === '') return
      setBusy(true)
      const answer = await engine.request(source, { search: text, widgetName: state.node.name })
      if (turn.current !== mine) return
      setBusy(false)
      engine.setOption(state.key, 'itemsState', answer.ok ? 'ready' : 'failed')
      if (answer.ok)
        engine.setOption(state.key, 'loadedItems', rowsOf(answer.value, state.options.dataSetName))
    },
    [engine, state.key, state.node.name, state.options.dataSetName, source],
  )
  useEffect(
    () => () => {
      cancel.current()
      turn.current += 1
    },
    [],
  )
  const search = (text: string) => {
    setKeyword(text)
    if (!remote) return
    cancel.current()
    cancel.current = engine.ports.clock.after(PAUSE_MS, () => void fetchChoices(text.trim()))
  }
  /** Clears the keyword without a request: the last results stay, which have the label of the chosen item. */
  const reset = () => {
    cancel.current()
    setKeyword('')
  }
  return { keyword, search, reset, busy, remote }
}

function rowsOf(answer: Json, set: Json | undefined): Json {
  const found = typeof set === 'string' && set !== '' && isObject(answer) ? (answer[set] ?? null) : answer
  if (Array.isArray(found)) return found
  return isObject(found) && Array.isArray(found.list) ? found.list : []
}
