import { type CSSProperties, type ReactNode, useEffect, useId } from 'react'
import type { NodeState } from '../../core/engine.ts'
import { Glyph } from '../kit/glyph.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText, WindowScroll } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { Overlay, type Side } from './overlay.tsx'

interface Props {
  readonly state: NodeState
  readonly body: ReactNode
  readonly side: Side
  /** The event that reports that it has opened. */
  readonly opened: string
}

/** Dialog and drawer: a head, the page's widgets, and two buttons, each of which the page's code may refuse (HOOKS 1.4). */
export default function HostingLayer({ state, body, side, opened }: Props) {
  const engine = useEngine()
  const t = useText()
  const id = useId()
  const fire = useFire(state)
  const { key, options } = state
  const open = options.open === true
  useEffect(() => {
    if (!open) return
    void engine.event(key, 'open')
    void engine.event(key, opened)
  }, [open, engine, key, opened])
  const close = async () => {
    if (!(await engine.consents(key, 'dialogBeforeClose'))) return
    engine.setOption(key, 'open', false)
    void fire('close')
  }
  const press = async (button: string) => {
    if (await engine.consents(key, button)) await close()
  }
  const shown = (button: 'ok' | 'cancel') => options[`${button}ButtonHidden`] !== true
  return (
    <Overlay
      open={open}
      side={side}
      onClose={() => void close()}
      maskCloses={options.closeOnClickModal !== false}
      escapeCloses={options.closeOnPressEscape !== false}
      maskColor={options.showModal === false ? 'transparent' : undefined}
      className={`vf-hosting${options.fullscreen === true ? ' vf-hosting-full' : ''}`}
      style={sizeOf(side, textOf(options.width) || textOf(options.size))}
      naming={{ 'aria-labelledby': id }}
    >
      <div className="vf-sheet-head">
        <h2 id={id}>{textOf(options.title) || state.label}</h2>
        {options.showClose === false ? null : (
          <button
            type="button"
            className="vf-sheet-close"
            aria-label={t('widget.close')}
            onClick={() => void close()}
          >
            <Glyph name="cross" size={20} />
          </button>
        )}
      </div>
      <WindowScroll.Provider value={false}>
        <div className="vf-sheet-body">{body}</div>
      </WindowScroll.Provider>
      {shown('ok') || shown('cancel') ? (
        <div className="vf-dialog-foot">
          {shown('cancel') ? (
            <button type="button" onClick={() => void press('cancelButtonClick')}>
              {textOf(options.cancelButtonLabel) || t('popup.cancel')}
            </button>
          ) : null}
          {shown('ok') ? (
            <button type="button" className="vf-strong" onClick={() => void press('okButtonClick')}>
              {textOf(options.okButtonLabel) || t('popup.confirm')}
            </button>
          ) : null}
        </div>
      ) : null}
    </Overlay>
  )
}

/** A CSS length as written, or a number in px; limited to the screen, since documents for desktops may ask for more. */
function sizeOf(side: Side, written: string): CSSProperties | undefined {
  if (written === '') return undefined
  const length = /^\d+(\.\d+)?$/.test(written) ? `${written}px` : written
  return side === 'top' || side === 'bottom' ? { height: length } : { width: length }
}
