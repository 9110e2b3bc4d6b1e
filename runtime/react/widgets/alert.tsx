import { useState } from 'react'
import { Glyph } from '../kit/glyph.tsx'
import { Pressable } from '../kit/pressable.tsx'
import { textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { listensTo, useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'
import '../styles/extra.css'

const KINDS = new Set(['success', 'warning', 'error', 'info'])

export function View({ state, row }: ViewProps) {
  const t = useText()
  const fire = useFire(state, row)
  const [closed, setClosed] = useState(false)
  if (closed) return null
  const { options } = state
  const kind = textOf(options.type)
  const look = [
    'vf-alert',
    `vf-alert-${KINDS.has(kind) ? kind : 'default'}`,
    options.effect === 'dark' ? 'vf-dark' : '',
    options.center === true ? 'vf-center' : '',
  ]
  const words = (
    <>
      <span>{textOf(options.title) || state.label}</span>
      {options.description ? <small>{textOf(options.description)}</small> : null}
    </>
  )
  return (
    <div className={look.join(' ')} role="note">
      {options.showIcon === true ? <Glyph name="info" size={18} /> : null}
      {listensTo(state, 'click') ? (
        <Pressable onPress={() => void fire('click')}>{words}</Pressable>
      ) : (
        <div>{words}</div>
      )}
      {options.closable === false ? null : (
        <button
          type="button"
          aria-label={t('widget.close')}
          onClick={() => {
            setClosed(true)
            void fire('close')
          }}
        >
          {textOf(options.closeText) || <Glyph name="cross" size={14} />}
        </button>
      )}
    </div>
  )
}
