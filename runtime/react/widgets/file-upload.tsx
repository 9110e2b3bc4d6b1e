import { useRef } from 'react'
import { Field, useField } from '../field.tsx'
import { Glyph } from '../glyph.tsx'
import { textOf } from '../options.ts'
import { useEngine, useText } from '../page-context.ts'
import { takeFiles, useUpload } from '../use-upload.ts'
import type { ViewProps } from '../view.ts'

export function View({ state }: ViewProps) {
  const t = useText()
  const { device, feedback } = useEngine().ports
  const parts = useField(state)
  const picker = useRef<HTMLInputElement>(null)
  const { files, uploads, accept, full, add, remove, retry, drop } = useUpload(state, picker)
  const open = parts.open && !state.readMode
  const show = async (url: string) => {
    if (!(await device.openDocument(url))) feedback.toast({ text: t('upload.noPreview') })
  }
  const deleteButton = (name: string, onDelete: () => void) => (
    <button type="button" className="vf-clear" aria-label={t('upload.delete', { name })} onClick={onDelete}>
      <Glyph name="bin" size={18} />
    </button>
  )
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      <fieldset className="vf-files" {...parts.naming} aria-describedby={parts.aria['aria-describedby']}>
        {files.map((file) => (
          <div key={textOf(file.url)} className="vf-file">
            <button type="button" onClick={() => void show(textOf(file.url))}>
              <Glyph name="file" />
              <span>{textOf(file.name) || textOf(file.url)}</span>
            </button>
            {open ? deleteButton(textOf(file.name), () => void remove(file)) : null}
          </div>
        ))}
        {uploads.map((upload) => (
          <div key={upload.id} className="vf-file">
            <span className="vf-quiet">{upload.name}</span>
            {upload.failed ? (
              <button type="button" className="vf-link" onClick={() => retry(upload.id)}>
                {t('upload.retry')}
              </button>
            ) : (
              <progress max={100} value={Math.max(5, upload.progress)} aria-label={upload.name} />
            )}
            {deleteButton(upload.name, () => drop(upload.id))}
          </div>
        ))}
        {open && !full ? (
          <label className="vf-button vf-default vf-small vf-file-add">
            <input
              ref={picker}
              type="file"
              aria-label={`${state.label} ${t('upload.choose')}`}
              accept={accept}
              multiple={state.options.multipleSelect === true}
              onChange={(event) => add(takeFiles(event.currentTarget))}
            />
            <span>{textOf(state.options.uploadButtonText) || t('upload.choose')}</span>
          </label>
        ) : null}
        {!open && files.length === 0 ? <span className="vf-quiet">—</span> : null}
      </fieldset>
    </Field>
  )
}
