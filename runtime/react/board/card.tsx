import { useDraggable } from '@dnd-kit/core'
import type { KeyboardEvent } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { useTemplate } from '../page/use-node.ts'
import { TemplateViews } from '../page/widget-view.tsx'

interface Props {
  readonly node: string
  readonly row: JsonObject
  readonly id: string
  readonly column: string
  readonly label: string
  readonly movable: boolean
  readonly onOpen: () => void
}

/** One card: a tap or Enter opens it, a long press or Space picks it up. */
export function BoardCard({ node, row, id, column, label, movable, onOpen }: Props) {
  const { attributes, listeners, setNodeRef, isDragging } = useDraggable({
    id,
    data: { column, label },
    disabled: !movable,
  })
  // A card is a link that can be dragged: its description for screen readers says so.
  const linkProps = { role: 'link', tabIndex: 0, 'aria-describedby': attributes['aria-describedby'] }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isDragging) {
      event.preventDefault()
      onOpen()
    } else listeners?.onKeyDown?.(event)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is in `spoken`
    <div
      ref={setNodeRef}
      {...listeners}
      {...linkProps}
      className={`vf-card vf-board-card${isDragging ? ' vf-board-lifted' : ''}`}
      onKeyDown={onKeyDown}
      onClick={onOpen}
    >
      <Face node={node} row={row} />
    </div>
  )
}

/** The contents of a card, in its column and while it is dragged. */
export function Face({ node, row }: Pick<Props, 'node' | 'row'>) {
  return <TemplateViews nodes={useTemplate(node, row)} row={row} />
}
