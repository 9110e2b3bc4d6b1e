import { type ReactNode, useId } from 'react'
import { SheetFrame } from '../layers/sheet-frame.tsx'
import { PickerLayer } from './picker-layer.tsx'

interface Props {
  readonly id: string
  readonly open: boolean
  readonly title: string
  readonly double?: boolean
  readonly height?: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The layer of a picker, with a title and a close button. */
export function PickerSheet({ title, onClose, children, ...layer }: Props) {
  const titleId = useId()
  return (
    <PickerLayer {...layer} onClose={onClose} naming={{ 'aria-labelledby': titleId }}>
      <SheetFrame titleId={titleId} title={title} onClose={onClose}>
        {children}
      </SheetFrame>
    </PickerLayer>
  )
}
