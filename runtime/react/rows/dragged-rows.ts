/** What rows of a list are while they are carried. */
export const DRAGGED_ROWS = 'application/x-vf-rows'

/** The ids of the rows that were dropped; none for anything else. */
export function draggedRows(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const text = data.getData(DRAGGED_ROWS)
  return text === '' ? [] : text.split('\n')
}
