import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Editing } from '../../runtime/core/edit/history.ts'
import { fillPlaces } from '../../runtime/core/errors.ts'
import catalogue from '../../schemas/text/zh-hans.workbench.json'
import type { Bench, BenchState } from './bench-state.ts'

export const BenchContext = createContext<Bench | null>(null)

/** The state of the page being edited. */
export function useBench(): Bench {
  const bench = useContext(BenchContext)
  if (bench === null) throw new Error('a part of the workbench was drawn outside of it')
  return bench
}

/** A part of the state; redraws when it changes. */
export function useBenchState<T>(read: (state: BenchState) => T): T {
  const bench = useBench()
  return useSyncExternalStore(bench.subscribe, () => read(bench.get()))
}

/** The page being edited; components that use it exist only while there is one. */
export function useEditing(): Editing {
  const editing = useBenchState((state) => state.editing)
  if (editing === null) throw new Error('no page is open')
  return editing
}

const words: Readonly<Record<string, string>> = catalogue

/** A text of the workbench. */
export function t(code: string, places: Readonly<Record<string, string | number>> = {}): string {
  return fillPlaces(words[code] ?? code, places)
}

/** A text that may be missing: names of options that nobody has given a word for. */
export function wordOr(code: string, otherwise: string): string {
  return words[code] ?? otherwise
}

/** A hook by its label, and by its name in code. */
export function hookWord(name: string): string {
  const label = wordOr(`workbench.option.${name}`, '')
  return label === '' ? name : `${label} ${name}`
}
