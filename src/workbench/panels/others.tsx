import { useState } from 'react'
import { readJson } from '../../../runtime/core/edit/history.ts'
import type { Json } from '../../../runtime/core/json.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import type { Answer, Colleague } from '../calls.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { Changes } from './changes.tsx'
import { Dialog } from './dialog.tsx'

/** Other people who have this page open and have no draft. */
export function Here() {
  const here = useBenchState((state) => state.here)
  const others = useBenchState((state) => state.others)
  const writing = new Set(others.map(({ author }) => author))
  const names = here.filter((name) => !writing.has(name)).join('、')
  return names === '' ? null : <span className="wb-here">{t('workbench.here', { names })}</span>
}

/** Other people with drafts of this page: their drafts can be viewed, merged or taken over. */
export function OthersButton() {
  const others = useBenchState((state) => state.others)
  const [isOpen, setOpen] = useState(false)
  const [first, ...more] = others
  if (first === undefined) return null
  return (
    <>
      <button type="button" className="wb-button wb-others" onClick={() => setOpen(true)}>
        {more.length === 0
          ? t('workbench.others.one', { author: first.author })
          : t('workbench.others.many', { n: others.length })}
      </button>
      {isOpen && (
        <Dialog title={t('workbench.others.title')} wide onClose={() => setOpen(false)}>
          {others.map((other) => (
            <Other key={other.user} colleague={other} onDone={() => setOpen(false)} />
          ))}
        </Dialog>
      )}
    </>
  )
}

function Other({ colleague, onDone }: { readonly colleague: Colleague; readonly onDone: () => void }) {
  const bench = useBench()
  const { feedback } = useEngine().ports
  const path = useBenchState((state) => state.path)
  const { document } = useEditing()
  const [theirs, setTheirs] = useState<Json>()
  const [failure, setFailure] = useState('')
  const { author, at, base, user } = colleague
  const ownBase = useBenchState((state) => state.base)
  const look = async () => {
    const answer = await bench.calls.draftOf(path, user)
    const found = answer.ok ? readJson(answer.value.text) : undefined
    setFailure(answer.ok ? (found === undefined ? t('workbench.others.unreadable') : '') : answer.message)
    setTheirs(found)
  }
  const finish = async (work: Promise<Answer<null>>, message: string) => {
    const answer = await work
    if (!answer.ok) return setFailure(answer.message)
    if (bench.get().conflict === null) feedback.toast({ text: message, icon: 'success' })
    onDone()
  }
  return (
    <section className="wb-other">
      <h3>{author}</h3>
      <p className="wb-quiet">
        {at}
        {base !== ownBase && ` · ${t('workbench.others.base', { n: base })}`}
      </p>
      <div className="wb-acts">
        <button type="button" className="wb-act" onClick={() => void look()}>
          {t('workbench.others.look')}
        </button>
        <button
          type="button"
          className="wb-act"
          onClick={() => void finish(bench.takeIn(colleague), t('workbench.others.in', { author }))}
        >
          {t('workbench.others.takeIn')}
        </button>
        <button
          type="button"
          className="wb-act"
          onClick={() => void finish(bench.takeOver(colleague), t('workbench.others.over', { author }))}
        >
          {t('workbench.others.takeOver')}
        </button>
      </div>
      {theirs !== undefined && <Changes before={document} after={theirs} />}
      {failure !== '' && (
        <p className="wb-error" role="alert">
          {failure}
        </p>
      )}
    </section>
  )
}
