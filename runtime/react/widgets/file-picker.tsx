import { useRef } from 'react'
import { Field, useField } from '../fields/field.tsx'
import { textOf } from '../page/options.ts'
import type { ViewProps } from '../page/view.ts'
import { UploadList } from '../upload/upload-list.tsx'
import { UploadTiles } from '../upload/upload-tiles.tsx'
import { useUpload } from '../upload/use-upload.ts'
import '../styles/extra.css'

/** Pictures in a grid; other files, or another mode, in a list of names. */
export function View({ state }: ViewProps) {
  const parts = useField(state)
  const picker = useRef<HTMLInputElement>(null)
  const uploading = useUpload(state, picker)
  const { options } = state
  const grid = (options.mode ?? 'grid') === 'grid' && (options.fileMediatype ?? 'image') === 'image'
  const Files = grid ? UploadTiles : UploadList
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      {textOf(options.title) === '' ? null : (
        <div className="vf-files-head">
          <span>{textOf(options.title)}</span>
          <span className="vf-quiet">{`${uploading.count}/${uploading.limit}`}</span>
        </div>
      )}
      <Files state={state} parts={parts} uploading={uploading} picker={picker} />
    </Field>
  )
}
