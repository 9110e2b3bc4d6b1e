import { itemsOf } from '../../../runtime/core/edit/entries.ts'
import { useEngine } from '../../../runtime/react/page/page-context.ts'
import { ACTS, editOf } from '../acts.ts'
import { t, useBench, useBenchState, useEditing } from '../context.ts'
import { fromClipboard, isHidden, pasted, toClipboard } from '../selection.ts'
import { useTitles } from './titles.ts'

/** The actions on the selection. */
export function Acts() {
  const bench = useBench()
  const { document, selected } = useEditing()
  const also = useBenchState((state) => state.also)
  const { feedback, device } = useEngine().ports
  const titleFor = useTitles()
  if (selected === null) return null
  const keys = [selected, ...also]
  const items = itemsOf(document)
  const isShown = keys.some((key) => {
    const item = items.get(key)
    return item !== undefined && !isHidden(item)
  })
  const copy = async () => {
    const text = toClipboard(document, keys)
    bench.clip(text)
    await device.copy(text)
    feedback.toast({ text: t('workbench.copied', { n: keys.length }), icon: 'success' })
  }
  const keep = async () => {
    const [first, ...more] = keys.flatMap((key) => items.get(key) ?? [])
    if (first === undefined) return
    const name = titleFor(first)
    const title = more.length === 0 ? name : t('workbench.block.many', { title: name, n: keys.length })
    const savedTitle = await bench.keepBlock({ title, items: fromClipboard(toClipboard(document, keys)) })
    feedback.toast({ text: t('workbench.block.kept', { title: savedTitle }), icon: 'success' })
  }
  return (
    <div className="wb-acts" role="toolbar" aria-label={t('workbench.acts')}>
      {ACTS.map((act) => {
        const edit = editOf(act, document, keys)
        const name = act === 'hide' && !isShown ? 'show' : act
        return (
          <button
            key={act}
            type="button"
            disabled={edit === null}
            className={act === 'remove' ? 'wb-act wb-danger' : 'wb-act'}
            onClick={() => edit !== null && bench.perform(edit)}
          >
            {t(`workbench.act.${name}`)}
          </button>
        )
      })}
      <button type="button" className="wb-act" onClick={() => void copy()}>
        {t('workbench.act.copy')}
      </button>
      <button type="button" className="wb-act" onClick={() => void keep()}>
        {t('workbench.block.keep')}
      </button>
      <Paste />
    </div>
  )
}

/** Pastes the last copy, from this or another page. */
export function Paste() {
  const bench = useBench()
  const { document, selected } = useEditing()
  const clip = useBenchState((state) => state.clip)
  const edit = pasted(document, fromClipboard(clip), selected)
  return (
    <button
      type="button"
      className="wb-act"
      disabled={edit === null}
      onClick={() => edit !== null && bench.perform(edit)}
    >
      {t('workbench.act.paste')}
    </button>
  )
}
