/** Data type of dragged rows of a list. */
export const DRAGGED_ROWS = 'application/x-vf-rows'

/** The ids of the dropped rows; empty for anything else. */
export function draggedRows(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const text = data.getData(DRAGGED_ROWS)
  return text === '' ? [] : text.split('\n')
}
