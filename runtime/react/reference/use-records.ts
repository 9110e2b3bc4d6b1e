import { useEffect, useRef, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { textOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'
import { idOf, idsIn, once, type RecordRow, readRows } from './rows.ts'

/** Debounce of the search, in milliseconds. */
const PAUSE_MS = 300
/** Maximum number of recent choices per list that a device stores. */
const MAX_RECENT = 8

interface Found {
  readonly rows: readonly RecordRow[]
  /** The cursor of the next page; '' at the end. */
  readonly next: string
  readonly state: 'asking' | 'ready' | 'away'
}

const NOTHING: Found = { rows: [], next: '', state: 'asking' }

/**
 * The records a reference offers: recent choices on this device, then what its source returns, page by page. Without a network the search uses what
 * is stored of both.
 */
export function useRecords(state: NodeState, open: boolean) {
  const engine = useEngine()
  const source = textOf(state.options.dsName)
  const [keyword, setKeyword] = useState('')
  const [found, setFound] = useState(NOTHING)
  const [recent, setRecent] = useState<readonly RecordRow[]>([])
  const [known, setKnown] = useState<readonly RecordRow[]>([])
  const turn = useRef(0)
  const cancel = useRef(() => {})
  const loaded = useRef<readonly RecordRow[]>([])
  const place = `picked ${JSON.stringify(engine.sourceKey(source))}`

  const fetchRows = async (variables: JsonObject) => {
    const answer = await engine.request(source, { widgetName: state.node.name, ...variables }, { keep: true })
    return answer.ok ? readRows(answer.value) : null
  }
  const find = async (search: string, cursor = '') => {
    turn.current += 1
    const mine = turn.current
    setFound((last) => ({ ...last, state: 'asking' }))
    const answer = await fetchRows({ search, ...(cursor === '' ? {} : { cursor }) })
    if (turn.current !== mine) return
    if (answer === null) return setFound({ rows: loaded.current, next: '', state: 'away' })
    setFound((last) => ({
      rows: cursor === '' ? answer.rows : once([...last.rows, ...answer.rows]),
      next: answer.next,
      state: 'ready',
    }))
    if (search === '' && cursor === '') loaded.current = answer.rows
  }
  /** Reloads the recent choices; records that no longer exist are removed. */
  const remember = async () => {
    const stored = await engine.ports.storage.get(place)
    const before = Array.isArray(stored) ? stored.filter(isObject) : []
    const ids = [...new Set([...idsIn(state.value), ...before.map(idOf)])]
    const answer = ids.length === 0 ? null : await fetchRows({ ids: ids.join() })
    const now = answer?.rows ?? before
    const found = (id: string) => now.filter((row) => idOf(row) === id)
    setRecent(before.flatMap((row) => found(idOf(row))))
    setKnown(ids.flatMap(found))
  }
  const opening = useRef(() => {})
  opening.current = () => {
    void remember()
    void find('')
  }
  useEffect(() => {
    if (!open) return
    setKeyword('')
    opening.current()
    return () => {
      cancel.current()
      turn.current += 1
    }
  }, [open])
  // The page reads again when the network is back.
  const again = useRef(async () => {})
  again.current = async () => {
    if (found.state === 'away') await find(keyword.trim())
  }
  useEffect(() => (open ? engine.onRefresh(() => again.current()) : undefined), [open, engine])

  const query = keyword.trim().toLowerCase()
  const isCalled = (row: RecordRow) =>
    `${textOf(row.label)} ${textOf(row.desc)}`.toLowerCase().includes(query)
  return {
    keyword: keyword.trim(),
    typed: keyword,
    /** Recent choices; none during a search. */
    recent: query === '' ? recent : [],
    rows: found.state === 'away' ? once([...recent, ...found.rows]).filter(isCalled) : found.rows,
    known,
    state: found.state,
    more: found.next === '' ? null : () => void find(keyword.trim(), found.next),
    search(text: string) {
      setKeyword(text)
      cancel.current()
      cancel.current = engine.ports.clock.after(PAUSE_MS, () => void find(text.trim()))
    },
    async chosen(rows: readonly RecordRow[]) {
      const recents = once([...rows, ...recent]).slice(0, MAX_RECENT)
      await engine.ports.storage.set(
        place,
        recents.map(({ value = null, label = null, desc = null }) => ({ value, label, desc })),
      )
    },
  }
}
