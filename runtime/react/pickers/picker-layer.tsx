import type { ReactNode } from 'react'
import { useAtDesk } from '../kit/use-at-desk.ts'
import { Overlay } from '../layers/overlay.tsx'

interface Props {
  /** What the control that opens it names in `aria-controls`. */
  readonly id: string
  readonly open: boolean
  readonly naming: { readonly 'aria-label'?: string; readonly 'aria-labelledby'?: string }
  /** Room for two months. */
  readonly double?: boolean
  /** On a phone. */
  readonly height?: string | undefined
  readonly onClose: () => void
  readonly children: ReactNode
}

/** What a picker opens: from the bottom of a phone; at a desk a panel beside its field, 301 px wide or 653. */
export function PickerLayer({ id, open, naming, double = false, height, onClose, children }: Props) {
  const atDesk = useAtDesk()
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
