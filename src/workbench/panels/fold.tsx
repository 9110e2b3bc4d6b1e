import { type ReactNode, useState } from 'react'

interface FoldProps {
  readonly title: ReactNode
  readonly children: () => ReactNode
}

/** Content that is created when its line is unfolded, because editors are expensive. */
export function Fold({ title, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="wb-fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}
