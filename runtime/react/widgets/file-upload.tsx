import { useRef } from 'react'
import { Field, useField } from '../field.tsx'
import { UploadList } from '../upload-list.tsx'
import { useUpload } from '../use-upload.ts'
import type { ViewProps } from '../view.ts'

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
