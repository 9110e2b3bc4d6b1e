import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'
import { UploadField } from '../upload/upload-field.tsx'
import { UploadList } from '../upload/upload-list.tsx'
import { UploadTiles } from '../upload/upload-tiles.tsx'

/** Pictures in a grid; other files, or another mode, in a list of names. */
export function View({ state }: ViewProps) {
  const { mode, fileMediatype, title } = state.options
  const grid = (mode ?? 'grid') === 'grid' && (fileMediatype ?? 'image') === 'image'
  return <UploadField state={state} Files={grid ? UploadTiles : UploadList} title={textOf(title)} />
}
