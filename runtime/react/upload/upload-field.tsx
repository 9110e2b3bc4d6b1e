import type { ComponentType } from 'react'
import { Field, useField } from '../fields/field.tsx'
import type { ViewProps } from '../page/view.ts'
import type { UploadProps } from './upload-tiles.tsx'
import { useUpload } from './use-upload.ts'
import '../styles/extra.css'

interface UploadFieldProps extends Pick<ViewProps, 'state'> {
  readonly Files: ComponentType<UploadProps>
  /** Has a title above the files, with their number. */
  readonly title?: string
}

/** A field of files, drawn by `Files`. */
export function UploadField({ state, Files, title = '' }: UploadFieldProps) {
  const parts = useField(state)
  const uploading = useUpload(state)
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      {title === '' ? null : (
        <div className="vf-files-head">
          <span>{title}</span>
          <span className="vf-quiet">{`${uploading.count}/${uploading.limit}`}</span>
        </div>
      )}
      <Files state={state} parts={parts} uploading={uploading} />
    </Field>
  )
}
