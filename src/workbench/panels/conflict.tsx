import { useMemo, useState } from 'react'
import { type Choices, type MergeConflict, mergePages } from '../../../runtime/core/edit/merge-pages.ts'
import { isObject } from '../../../runtime/core/json.ts'
import type { Conflict } from '../bench-state.ts'
import { t, useBench, useBenchState, useEditing, wordOr } from '../context.ts'
import { Changes, short } from './changes.tsx'
import { Dialog } from './dialog.tsx'

/** Two people changed one page: shows both sides' changes, and a choice for each conflict. */
export function ConflictDialog() {
  const conflict = useBenchState((state) => state.conflict)
  return conflict === null ? null : <Choosing conflict={conflict} />
}

function Choosing({ conflict }: { readonly conflict: Conflict }) {
  const bench = useBench()
  const { document } = useEditing()
  const [choices, setChoices] = useState<Choices>(new Map())
  const { kind, author, base, baseDocument } = conflict
  const { conflicts } = useMemo(
    () => mergePages(baseDocument, document, conflict.document, choices),
    [baseDocument, document, conflict, choices],
  )
  return (
    <Dialog
      title={t(`workbench.conflict.title.${kind}`, { author })}
      wide
      onClose={() => bench.dismissConflict()}
      foot={
        <>
          <button type="button" className="wb-button" onClick={() => bench.dismissConflict()}>
            {t('workbench.cancel')}
          </button>
          <button type="button" className="wb-button wb-primary" onClick={() => bench.settle(choices)}>
            {t('workbench.conflict.take')}
          </button>
        </>
      }
    >
      <p>{t(`workbench.conflict.said.${kind}`, { n: base, author })}</p>
      <div className="wb-sides">
        <section>
          <h3>{t('workbench.conflict.mine')}</h3>
          <Changes before={baseDocument} after={document} />
        </section>
        <section>
          <h3>{t('workbench.conflict.theirs')}</h3>
          <Changes before={baseDocument} after={conflict.document} />
        </section>
      </div>
      {conflicts.length > 0 && <h3>{t('workbench.conflict.choose')}</h3>}
      {conflicts.map((one) => (
        <Choice
          key={one.name}
          conflict={one}
          onChoose={(side) => setChoices((known) => new Map(known).set(one.name, side))}
        />
      ))}
    </Dialog>
  )
}

interface ChoiceProps {
  readonly conflict: MergeConflict
  readonly onChoose: (side: 'mine' | 'theirs') => void
}

function Choice({ conflict, onChoose }: ChoiceProps) {
  const { name, title, taken, isOpen } = conflict
  return (
    <fieldset className="wb-choose">
      <legend>{`${title === '' ? t('workbench.tree.page') : title} · ${whatWords(conflict)}`}</legend>
      {!isOpen && <p className="wb-quiet">{t('workbench.conflict.settled')}</p>}
      {isOpen &&
        (['mine', 'theirs'] as const).map((side) => (
          <label key={side}>
            <input
              type="radio"
              name={`conflict ${name}`}
              checked={taken === side}
              onChange={() => onChoose(side)}
            />
            <span>{t(`workbench.conflict.${side}`)}</span>
            <SideWords conflict={conflict} side={side} />
          </label>
        ))}
    </fieldset>
  )
}

/** A side's version. */
function SideWords({
  conflict,
  side,
}: {
  readonly conflict: MergeConflict
  readonly side: 'mine' | 'theirs'
}) {
  const { what } = conflict
  const value = conflict[side]
  if (what === 'order') return null
  if (what === 'removed')
    return <b>{t(isObject(value) ? 'workbench.conflict.stays' : 'workbench.conflict.goes')}</b>
  if (what === 'place')
    return (
      <b>{value === '' ? t('workbench.tree.page') : t('workbench.conflict.in', { name: String(value) })}</b>
    )
  return <code>{short(value) ?? JSON.stringify(value)}</code>
}

function whatWords({ what }: MergeConflict): string {
  const option = what.replace(/^options\.|^formConfig\.page\./, '')
  return wordOr(
    `workbench.conflict.${what}`,
    wordOr(`workbench.option.${option}`, wordOr(`workbench.page.${option}`, option)),
  )
}
