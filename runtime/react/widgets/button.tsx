import { useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { textOf } from '../page/options.ts'
import { useFire } from '../page/use-fire.ts'
import type { ViewProps } from '../page/view.ts'

export function View({ state, row }: ViewProps) {
  const { options } = state
  const fire = useFire(state, row)
  const [busy, setBusy] = useState(false)
  const icon = textOf(options.icon)
  const name = [
    'vf-button',
    `vf-${textOf(options.type) || 'default'}`,
    `vf-${textOf(options.size) || 'normal'}`,
    options.displayStyle === 'inline-block' ? '' : 'vf-block',
    options.plain === true ? 'vf-plain' : '',
    options.round === true ? 'vf-round' : '',
    options.circle === true ? 'vf-circle' : '',
  ].join(' ')
  const press = async () => {
    if (busy) return
    setBusy(true)
    try {
      await fire('click')
    } finally {
      setBusy(false)
    }
  }
  return (
    <button
      type="button"
      className={name}
      disabled={state.disabled}
      aria-busy={busy || undefined}
      {...(options.circle === true ? { 'aria-label': state.label } : {})}
      onClick={() => void press()}
    >
      {icon === '' || icon.startsWith('el-') ? null : <Icon name={icon} size={18} />}
      {options.circle === true ? null : (
        <span>{busy && options.loadingText ? textOf(options.loadingText) : state.label}</span>
      )}
    </button>
  )
}
