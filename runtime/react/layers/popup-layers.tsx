import { type ReactNode, useEffect, useId, useState } from 'react'
import type { NodeState } from '../../core/engine.ts'
import type { Json } from '../../core/json.ts'
import { Icon } from '../kit/icon.tsx'
import { uniqueKeys } from '../kit/unique-keys.ts'
import { numberOf, objectsOf, textOf } from '../page/options.ts'
import { useEngine, useText, WindowScroll } from '../page/page-context.ts'
import { useFire } from '../page/use-fire.ts'
import { Overlay, type Side } from './overlay.tsx'

interface Props {
  readonly state: NodeState
  readonly body: ReactNode
}

/** Message comes from above, dialog is centred, share comes from below. */
const SIDES: Readonly<Record<string, Side>> = {
  top: 'top',
  bottom: 'bottom',
  left: 'left',
  right: 'right',
  message: 'top',
  share: 'bottom',
}
const KINDS = new Set(['success', 'warn', 'info', 'error'])
const MESSAGE_MS = 3000

/** A popup of any type. Closing writes the option `open`, which actions and hooks also write. */
export default function PopupLayers({ state, body }: Props) {
  const engine = useEngine()
  const t = useText()
  const fire = useFire(state)
  const { options } = state
  const open = options.open === true
  const type = textOf(options.type)
  const close = () => {
    engine.setOption(state.key, 'open', false)
    void fire('close')
  }
  useEffect(() => {
    if (open) void engine.event(state.key, 'open')
  }, [open, engine, state.key])
  useEffect(() => {
    const duration = numberOf(options.duration, MESSAGE_MS)
    if (!open || type !== 'message' || duration <= 0) return
    return engine.ports.clock.after(duration, () => engine.setOption(state.key, 'open', false))
  }, [open, type, options.duration, engine, state.key])
  const tone = KINDS.has(textOf(options.tone)) ? textOf(options.tone) : type === 'message' ? 'success' : ''
  const modal = type === 'dialog' || type === 'share'
  return (
    <Overlay
      open={open}
      side={SIDES[type] ?? 'center'}
      onClose={close}
      onMask={() => void fire('maskClick')}
      maskCloses={type !== 'dialog' && options.maskClick !== false}
      animated={options.animation !== false}
      light={type === 'message'}
      role={type === 'message' ? 'status' : type === 'dialog' ? 'alertdialog' : 'dialog'}
      maskColor={textOf(options.maskColor) || undefined}
      className={type === 'dialog' ? 'vf-dialog' : type === 'share' ? 'vf-share' : ''}
      style={{
        ...(options.backgroundColor ? { background: textOf(options.backgroundColor) } : {}),
        ...(options.borderRadius ? { borderRadius: textOf(options.borderRadius) } : {}),
      }}
      naming={{ 'aria-label': state.label || t(type === 'share' ? 'popup.share' : 'popup.title') }}
    >
      {type === 'message' ? (
        <div className={`vf-message vf-say-${tone}`}>{textOf(options.content) || state.label}</div>
      ) : null}
      {type === 'dialog' ? <Dialog state={state} tone={tone} body={body} onClose={close} /> : null}
      {type === 'share' ? <Share state={state} onClose={close} /> : null}
      {modal || type === 'message' ? null : (
        <WindowScroll.Provider value={false}>
          {state.label === '' ? null : <h2 className="vf-popup-head">{state.label}</h2>}
          {body}
        </WindowScroll.Provider>
      )}
    </Overlay>
  )
}

interface DialogProps extends Props {
  readonly tone: string
  readonly onClose: () => void
}

function Dialog({ state, tone, body, onClose }: DialogProps) {
  const t = useText()
  const id = useId()
  const fire = useFire(state)
  const { options } = state
  const [typed, setTyped] = useState(textOf(options.value))
  const hasInput = options.mode === 'input'
  const maxLength = numberOf(options.maxlength, -1)
  const finish = (name: string, args: readonly Json[] = []) => {
    void fire(name, args)
    if (options.beforeClose !== true) onClose()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        finish('confirm', hasInput ? [typed] : [])
      }}
    >
      <h2 id={id} className={tone === '' ? '' : `vf-say-${tone}`}>
        {state.label || t('popup.title')}
      </h2>
      <div className="vf-dialog-body">
        {hasInput ? (
          <input
            data-first
            aria-labelledby={id}
            placeholder={textOf(options.placeholder) || t('popup.placeholder')}
            value={typed}
            {...(maxLength < 0 ? {} : { maxLength: maxLength })}
            onChange={(event) => setTyped(event.target.value)}
          />
        ) : (
          (body ?? textOf(options.content))
        )}
      </div>
      <div className="vf-dialog-foot">
        {options.showClose === false ? null : (
          <button type="button" onClick={onClose}>
            {textOf(options.cancelText) || t('popup.cancel')}
          </button>
        )}
        <button type="submit">{textOf(options.confirmText) || t('popup.confirm')}</button>
      </div>
    </form>
  )
}

const SHARE = ['wechat', 'alipay', 'qq', 'sina'] as const

function Share({ state, onClose }: { readonly state: NodeState; readonly onClose: () => void }) {
  const t = useText()
  const fire = useFire(state)
  const given = objectsOf(state.options.items)
  const items =
    given.length > 0
      ? given.map((item) => ({ name: textOf(item.name), label: textOf(item.label), icon: textOf(item.icon) }))
      : SHARE.map((name) => ({ name, label: t(`popup.share.${name}`), icon: '' }))
  const keys = uniqueKeys(items.map(({ name }) => name))
  return (
    <>
      <h2>{state.label || t('popup.share')}</h2>
      <div className="vf-share-items">
        {items.map((item, index) => (
          <button
            key={keys[index]}
            type="button"
            onClick={() => {
              void fire('select', [{ item, index }])
              if (state.options.beforeClose !== true) onClose()
            }}
          >
            <i aria-hidden="true">
              {item.icon === '' ? item.label.slice(0, 1) : <Icon name={item.icon} size={24} />}
            </i>
            <span>{item.label}</span>
          </button>
        ))}
      </div>
      <button type="button" className="vf-share-cancel" onClick={onClose}>
        {textOf(state.options.cancelText) || t('popup.cancel')}
      </button>
    </>
  )
}
