import { useRef } from 'react'
import { Field, useField } from '../field.tsx'
import { UploadTiles } from '../upload-tiles.tsx'
import { useUpload } from '../use-upload.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const parts = useField(state)
  const picker = useRef<HTMLInputElement>(null)
  const uploading = useUpload(state, picker)
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      <UploadTiles state={state} parts={parts} uploading={uploading} picker={picker} />
    </Field>
  )
}
