import type { ViewProps } from '../page/view.ts'
import { UploadField } from '../upload/upload-field.tsx'
import { UploadList } from '../upload/upload-list.tsx'

export function View({ state }: ViewProps) {
  return <UploadField state={state} Files={UploadList} />
}
