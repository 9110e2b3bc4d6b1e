import type { DragEvent } from 'react'
import type { Edit, Spot } from '../../runtime/core/edit/edit.ts'
import type { Json, JsonObject } from '../../runtime/core/json.ts'
import { inserted } from './make-widget.ts'
import { moveTo } from './placing.ts'

/** What is being dragged: an item of the page, or something new. */
export type Cargo = { readonly move: string } | { readonly insert: readonly JsonObject[] }

/** Browsers hide what is dragged until it is dropped; the kind tells that it is ours. */
const KIND = 'application/x-workbench'

export function startDrag(event: DragEvent, cargo: Cargo): void {
  event.dataTransfer.setData(KIND, JSON.stringify(cargo))
  event.dataTransfer.effectAllowed = 'move'
}

export const isOurs = (event: DragEvent): boolean => event.dataTransfer.types.includes(KIND)

/** What the drop comes to. */
export function droppedEdit(event: DragEvent, document: Json, spot: Spot): Edit | null {
  const text = event.dataTransfer.getData(KIND)
  if (text === '') return null
  const cargo = JSON.parse(text) as Cargo
  return 'move' in cargo ? moveTo(document, cargo.move, spot) : inserted(document, cargo.insert, spot)
}
