import { type ReactNode, useId } from 'react'
import { Overlay } from './overlay.tsx'
import { SheetFrame } from './sheet-frame.tsx'

interface Props {
  readonly open: boolean
  readonly title: string
  readonly onClose: () => void
  readonly closable?: boolean
  readonly height?: string | undefined
  readonly children: ReactNode
}

/** A panel from the bottom of the screen. It takes the focus while it is open and returns it afterwards. Escape closes it. */
export function BottomSheet({ open, title, onClose, closable = true, height, children }: Props) {
  const id = useId()
  return (
    <Overlay
      open={open}
      side="bottom"
      onClose={onClose}
      maskCloses={closable}
      escapeCloses={closable}
      className="vf-sheet vf-sheet-panel"
      style={height === undefined ? undefined : { height }}
      naming={{ 'aria-labelledby': id }}
    >
      <SheetFrame titleId={id} title={title} onClose={closable ? onClose : undefined}>
        {children}
      </SheetFrame>
    </Overlay>
  )
}
