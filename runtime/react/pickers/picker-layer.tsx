import type { ReactNode } from 'react'
import { useIsDesktop } from '../kit/use-is-desktop.ts'
import { Overlay } from '../layers/overlay.tsx'

interface Props {
  /** The id for `aria-controls` of the control that opens it. */
  readonly id: string
  readonly open: boolean
  readonly naming: { readonly 'aria-label'?: string; readonly 'aria-labelledby'?: string }
  /** Wide enough for two months. */
  readonly double?: boolean
  /** Height on a phone. */
  readonly height?: string | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The layer of a picker: from the bottom on a phone; on a desktop a panel beside its field, 301 or 653 px wide. */
export function PickerLayer({ id, open, naming, double = false, height, onClose, children }: Props) {
  const atDesk = useIsDesktop()
  return (
    <Overlay
      id={id}
      open={open}
      side={atDesk ? 'beside' : 'bottom'}
      onClose={onClose}
      className={`vf-sheet-panel ${atDesk ? `vf-beside${double ? ' vf-double' : ''}` : 'vf-sheet'}`}
      style={atDesk || height === undefined ? undefined : { height }}
      maskColor={atDesk ? 'transparent' : undefined}
      naming={naming}
    >
      {children}
    </Overlay>
  )
}
