import { useEffect, useState } from 'react'
import { type ColumnChoice, readChoice, UNCHOSEN } from '../../core/widgets/columns.ts'
import { useEngine } from '../page/page-context.ts'

/** The user's columns of a list, stored on the device under `key`. */
export function useColumnChoice(key: string): readonly [ColumnChoice, (next: ColumnChoice) => void] {
  const { storage } = useEngine().ports
  const [choice, setChoice] = useState(UNCHOSEN)
  useEffect(() => {
    let isUnmounted = false
    void storage.get(key).then((stored) => {
      if (!isUnmounted) setChoice(readChoice(stored))
    })
    return () => {
      isUnmounted = true
    }
  }, [storage, key])
  return [
    choice,
    (next) => {
      setChoice(next)
      void storage.set(key, { names: next.names, widths: next.widths })
    },
  ]
}
