import { useMemo, useState } from 'react'
import { applyEdit } from '../../../runtime/core/edit/apply-edit.ts'
import { readJson } from '../../../runtime/core/edit/history.ts'
import type { MergeConflict } from '../../../runtime/core/edit/merge-pages.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { useEngine } from '../../../runtime/react/page-context.ts'
import { t, useBench, useBenchState, useEditing, wordOr } from '../context.ts'
import { Changes, short } from './changes.tsx'
import { Dialog } from './dialog.tsx'
import { Problems } from './problems.tsx'

/** What goes out, in words, with a note; a fault that keeps it from going stands in its place. */
export function PublishDialog({ onClose }: { readonly onClose: () => void }) {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const { document } = useEditing()
  const baseText = useBenchState((state) => state.baseText)
  const isBusy = useBenchState((state) => state.isBusy)
  const problems = useBenchState((state) => state.problems)
  const before = useMemo(() => readJson(baseText) ?? null, [baseText])
  const [note, setNote] = useState('')
  const [refusal, setRefusal] = useState('')
  const publish = async () => {
    const answer = await bench.publish(note.trim())
    if (answer.ok) {
      feedback.toast({ text: t('workbench.publish.done', { n: answer.value.revision }), icon: 'success' })
      onClose()
    } else if (answer.other !== null) onClose()
    else setRefusal(answer.message)
  }
  return (
    <Dialog
      title={t('workbench.publish.title')}
      onClose={onClose}
      foot={
        <>
          <button type="button" className="wb-button" onClick={onClose}>
            {t('workbench.cancel')}
          </button>
          <button
            type="button"
            className="wb-button wb-primary"
            disabled={isBusy || problems.length > 0}
            onClick={() => void publish()}
          >
            {t(isBusy ? 'workbench.publish.busy' : 'workbench.publish.go')}
          </button>
        </>
      }
    >
      <h3>{t('workbench.publish.changes')}</h3>
      <Changes before={before} after={document} />
      <label className="wb-field">
        <span>{t('workbench.publish.note')}</span>
        <textarea
          rows={2}
          maxLength={200}
          value={note}
          placeholder={t('workbench.publish.notePlace')}
          onChange={(event) => setNote(event.target.value)}
        />
      </label>
      {problems.length > 0 && <Problems list={problems} onGo={onClose} />}
      {refusal !== '' && (
        <p className="wb-error" role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}

/** Somebody published meanwhile: what both did, merged; where they contradict each other, one is chosen. */
export function ConflictDialog() {
  const bench = useBench()
  const { document } = useEditing()
  const conflict = useBenchState((state) => state.conflict)
  const [theirs, setTheirs] = useState<ReadonlySet<number>>(new Set())
  if (conflict === null) return null
  const { merged, baseDocument } = conflict
  const settle = () => {
    const chosen = merged.conflicts.filter((_, i) => theirs.has(i))
    bench.settle(chosen.reduce(takeTheirs, merged.document))
  }
  return (
    <Dialog
      title={t('workbench.conflict.title')}
      wide
      onClose={() => bench.dismissConflict()}
      foot={
        <>
          <button type="button" className="wb-button" onClick={() => bench.dismissConflict()}>
            {t('workbench.cancel')}
          </button>
          <button type="button" className="wb-button wb-primary" onClick={settle}>
            {t('workbench.conflict.take')}
          </button>
        </>
      }
    >
      <p>{t('workbench.conflict.said', { n: conflict.revision })}</p>
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
      {merged.conflicts.length > 0 && <h3>{t('workbench.conflict.choose')}</h3>}
      {merged.conflicts.map((one, i) => (
        <fieldset key={`${one.id} ${one.what}`} className="wb-choose">
          <legend>{`${one.title} · ${whatWords(one)}`}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={`conflict-${i}`}
                checked={theirs.has(i) === (side === 'theirs')}
                disabled={side === 'theirs' && !canTake(one)}
                onChange={() =>
                  setTheirs((known) => {
                    const next = new Set(known)
                    if (side === 'theirs') next.add(i)
                    else next.delete(i)
                    return next
                  })
                }
              />
              <span>{t(`workbench.conflict.${side}`)}</span>
              <code>{short(one[side]) ?? JSON.stringify(one[side])}</code>
            </label>
          ))}
        </fieldset>
      ))}
    </Dialog>
  )
}

function whatWords({ what }: MergeConflict): string {
  const option = what.replace(/^options\./, '')
  return wordOr(`workbench.conflict.${what}`, wordOr(`workbench.option.${option}`, option))
}

/** Only values can be exchanged; what was taken out, moved or brought into another order stays as it was merged. */
const canTake = ({ what }: MergeConflict): boolean =>
  what.startsWith('options.') || what.startsWith('formConfig.')

function takeTheirs(document: Json, { id, what, theirs }: MergeConflict): Json {
  const item = id === '' ? {} : { id }
  const value = theirs === undefined ? {} : { value: theirs }
  return applyEdit(document, { do: 'set', ...item, path: what.split('.'), ...value })?.document ?? document
}
