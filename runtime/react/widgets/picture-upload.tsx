import { lazy, Suspense, useRef, useState } from 'react'
import { Field, useField } from '../field.tsx'
import { Glyph } from '../glyph.tsx'
import { textOf } from '../options.ts'
import { useText } from '../page-context.ts'
import { safeImage } from '../safe-url.ts'
import { takeFiles, useUpload } from '../use-upload.ts'
import type { ViewProps } from '../view.ts'

const Preview = lazy(() => import('../pickers/preview.tsx'))

export function View({ state }: ViewProps) {
  const t = useText()
  const parts = useField(state)
  const picker = useRef<HTMLInputElement>(null)
  const { files, uploads, accept, full, add, remove, retry, drop } = useUpload(state, picker)
  const [shown, setShown] = useState<number | null>(null)
  const urls = files.map((file) => safeImage(textOf(file.url)))
  const open = parts.open && !state.readMode
  return (
    <Field state={{ ...state, readMode: false }} parts={parts} below group>
      <fieldset className="vf-pictures" {...parts.naming} aria-describedby={parts.aria['aria-describedby']}>
        {files.map((file, i) => (
          <div key={textOf(file.url)} className="vf-picture">
            <button
              type="button"
              aria-label={t('upload.preview', { name: textOf(file.name) })}
              onClick={() => setShown(i)}
            >
              <img src={urls[i]} alt="" loading="lazy" />
            </button>
            {open ? (
              <button
                type="button"
                className="vf-picture-delete"
                aria-label={t('upload.delete', { name: textOf(file.name) })}
                onClick={() => void remove(file)}
              >
                <Glyph name="cross" size={12} />
              </button>
            ) : null}
          </div>
        ))}
        {uploads.map((upload) => (
          <div key={upload.id} className={`vf-picture vf-pending${upload.failed ? ' vf-failed' : ''}`}>
            {upload.failed ? (
              <button type="button" onClick={() => retry(upload.id)}>
                {t('upload.retry')}
              </button>
            ) : (
              <progress max={100} value={Math.max(5, upload.progress)} aria-label={upload.name} />
            )}
            <button
              type="button"
              className="vf-picture-delete"
              aria-label={t('upload.delete', { name: upload.name })}
              onClick={() => drop(upload.id)}
            >
              <Glyph name="cross" size={12} />
            </button>
          </div>
        ))}
        {open && !full ? (
          <label className="vf-picture vf-picture-add">
            <input
              ref={picker}
              type="file"
              aria-label={`${state.label} ${t('upload.add')}`}
              accept={accept}
              multiple={state.options.multipleSelect === true}
              {...(state.options.capture === 'camera' ? { capture: 'environment' } : {})}
              onChange={(event) => add(takeFiles(event.currentTarget))}
            />
            <Glyph name="camera" size={24} />
            <span>{`${files.length}/${textOf(state.options.limit)}`}</span>
          </label>
        ) : null}
        {!open && files.length === 0 ? <span className="vf-quiet">—</span> : null}
      </fieldset>
      {shown === null ? null : (
        <Suspense fallback={null}>
          <Preview images={urls} at={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </Field>
  )
}
