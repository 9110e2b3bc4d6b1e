import { type ReactNode, useState } from 'react'

interface FoldProps {
  readonly title: ReactNode
  readonly children: () => ReactNode
}

/** What stands below a line until it is asked for: an editor is made when it is. */
export function Fold({ title, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="wb-fold" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && children()}
    </details>
  )
}
