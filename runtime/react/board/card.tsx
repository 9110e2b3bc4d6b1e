import { useDraggable } from '@dnd-kit/core'
import type { KeyboardEvent } from 'react'
import type { JsonObject } from '../../core/json.ts'
import { useEngine } from '../page/page-context.ts'
import { useScope } from '../page/use-node.ts'
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

/** One card: a tap or Enter opens it, a hand that holds it or Space picks it up. */
export function BoardCard({ node, row, id, column, label, movable, onOpen }: Props) {
  const { attributes, listeners, setNodeRef, isDragging } = useDraggable({
    id,
    data: { column, label },
    disabled: !movable,
  })
  // A card is a link that can be carried: what says so is read with it.
  const spoken = { role: 'link', tabIndex: 0, 'aria-describedby': attributes['aria-describedby'] }
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
      {...spoken}
      className={`vf-card vf-board-card${isDragging ? ' vf-board-lifted' : ''}`}
      onKeyDown={onKeyDown}
      onClick={onOpen}
    >
      <Face node={node} row={row} />
    </div>
  )
}

/** What a card shows, in its column and in the hand. */
export function Face({ node, row }: Pick<Props, 'node' | 'row'>) {
  const engine = useEngine()
  useScope()
  return <TemplateViews nodes={engine.template(node, row)} row={row} />
}
