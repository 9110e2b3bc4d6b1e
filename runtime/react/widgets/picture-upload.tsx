import type { ViewProps } from '../page/view.ts'
import { UploadField } from '../upload/upload-field.tsx'
import { UploadTiles } from '../upload/upload-tiles.tsx'

export function View({ state }: ViewProps) {
  return <UploadField state={state} Files={UploadTiles} />
}
