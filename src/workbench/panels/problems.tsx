import { useMemo } from 'react'
import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import type { PageProblem } from '../../contract/pages.ts'
import { adviceOn, type PlacedAdvice } from '../advice.ts'
import { useCanvas } from '../canvas/use-drawn.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { useTitles } from './titles.ts'
import { useDrawnAdvice } from './use-drawn-advice.ts'

/** Problems with their places: a tap selects the widget. */
export function Problems({
  list,
  onGo,
}: {
  readonly list: readonly PageProblem[]
  readonly onGo?: () => void
}) {
  const bench = useBench()
  return (
    <ul className="wb-problems">
      {list.map((problem) => (
        <li key={`${problem.code} ${problem.file} ${problem.at} ${problem.message}`}>
          <button
            type="button"
            onClick={() => {
              bench.goTo(problem.at)
              onGo?.()
            }}
          >
            <span>{problem.message}</span>
            {problem.hint !== '' && <small>{problem.hint}</small>}
            <code>{`${problem.code} ${problem.at || '/'}`}</code>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The server's result for the current draft. */
export function Checks() {
  const problems = useBenchState((state) => state.problems)
  const advice = useBenchState((state) => state.advice)
  const isChecking = useBenchState((state) => state.isChecking)
  const { document } = useEditing()
  const { drawn } = useCanvas()
  const written = useMemo(() => (drawn === null ? [] : adviceOn(document, drawn)), [document, drawn])
  const seen = useDrawnAdvice()
  const drawnAdvice = [...written, ...seen]
  return (
    <div className="wb-pad" aria-busy={isChecking}>
      <h2>{t('workbench.checks.problems', { n: problems.length })}</h2>
      {problems.length === 0 && <p className="wb-quiet">{t('workbench.checks.fine')}</p>}
      <Problems list={problems} />
      <h2>{t('workbench.checks.advice', { n: advice.length + drawnAdvice.length })}</h2>
      {advice.length + drawnAdvice.length === 0 && (
        <p className="wb-quiet">{t('workbench.checks.noAdvice')}</p>
      )}
      <Problems list={advice} />
      <OwnAdvice list={drawnAdvice} />
    </div>
  )
}

/** Suggestions for improvement: a tap selects the widget, a button applies the suggestion. */
function OwnAdvice({ list }: { readonly list: readonly PlacedAdvice[] }) {
  const bench = useBench()
  const title = useTitles()
  const items = itemsOf(useEditing().document)
  const about = (key: string | null): string => {
    const item = key === null ? undefined : items.get(key)
    return item === undefined ? '' : t('workbench.checks.about', { name: title(item) })
  }
  return (
    <ul className="wb-problems">
      {list.map(({ name, message, key, edit }, i) => (
        <li key={`${name} ${key ?? i}`}>
          <button type="button" onClick={() => bench.select(key)}>
            <span>{`${about(key)}${message}`}</span>
            <code>{name}</code>
          </button>
          {edit !== null && (
            <button type="button" className="wb-act" onClick={() => bench.perform(edit)}>
              {t(edit.do === 'remove' ? 'workbench.act.remove' : 'workbench.checks.fix')}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
