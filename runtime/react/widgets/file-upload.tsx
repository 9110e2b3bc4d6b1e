import { useRef } from 'react'
import { Field, useField } from '../fields/field.tsx'
import type { ViewProps } from '../page/view.ts'
import { UploadList } from '../upload/upload-list.tsx'
import { useUpload } from '../upload/use-upload.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  const picker = useRef<HTMLInputElement>(null)
  const uploading = useUpload(state, picker)
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      <UploadList state={state} parts={parts} uploading={uploading} picker={picker} />
    </Field>
  )
}
