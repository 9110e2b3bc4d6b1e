import { useMemo, useState } from 'react'
import { readJson } from '../../../runtime/core/edit/history.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { Changes } from './changes.tsx'
import { Dialog } from './dialog.tsx'
import { Problems } from './problems.tsx'
import { TypedAway } from './typed-away.tsx'

/** The changes to be published, as texts, with a note; errors that prevent publishing are shown instead. */
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
  const putInSet = async () => {
    const { path, base, editing } = bench.get()
    const answer = await bench.calls.putInSet(path, editing?.text ?? '', base)
    if (!answer.ok) return setRefusal(answer.message)
    feedback.toast({ text: t('workbench.publish.put', { title: answer.value.title }), icon: 'success' })
    onClose()
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
          <button type="button" className="wb-button" disabled={isBusy} onClick={() => void putInSet()}>
            {t('workbench.publish.together')}
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
      <TypedAway />
      {problems.length > 0 && <Problems list={problems} onGo={onClose} />}
      {refusal !== '' && (
        <p className="wb-error" role="alert">
          {refusal}
        </p>
      )}
    </Dialog>
  )
}
