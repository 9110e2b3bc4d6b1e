import { addressOfFile } from '../../core/data/stored-file.ts'
import { ownValue } from '../../core/json.ts'
import { Glyph } from '../kit/glyph.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { textOf } from '../page/options.ts'
import { useEngine, useText } from '../page/page-context.ts'
import { UploadProgress } from './upload-progress.tsx'
import type { UploadProps } from './upload-tiles.tsx'
import { takeFiles } from './use-upload.ts'
import '../styles/extra.css'

/** Files by name, with a button to add; a tap opens the file. */
export function UploadList({ state, parts, uploading }: UploadProps) {
  const t = useText()
  const { device, feedback } = useEngine().ports
  const { options } = state
  const { picker, files, tiles, accept, several, full, remove, retry, add } = uploading
  const open = parts.open && !state.readMode
  const show = async (url: string) => {
    if (!(await device.openDocument(url))) feedback.toast({ text: t('upload.noPreview') })
  }
  const bin = (name: string, act: () => void) =>
    open && options.delIcon !== false ? (
      <button
        type="button"
        className="vf-clear vf-bin"
        aria-label={t('upload.delete', { name })}
        onClick={act}
      >
        <MoreGlyph name="bin" size={18} />
      </button>
    ) : null
  const look = `${ownValue(options.listStyles, 'border') === false ? ' vf-bare' : ''}${ownValue(options.listStyles, 'dividers') === false ? ' vf-close' : ''}`
  return (
    <fieldset
      className={`vf-files${look}`}
      {...parts.naming}
      aria-describedby={parts.aria['aria-describedby']}
    >
      {tiles.map(({ at, upload, file }) =>
        upload ? (
          <div key={upload.id} className={`vf-file${upload.status === 'error' ? ' vf-failed' : ''}`}>
            <MoreGlyph name="file" size={20} />
            <span className="vf-file-name">{upload.name}</span>
            {upload.status !== 'uploading' ? (
              <button type="button" className="vf-file-retry" onClick={() => retry(upload.id)}>
                {t(upload.status === 'error' ? 'upload.retry' : 'upload.waiting')}
              </button>
            ) : (
              <UploadProgress name={upload.name} percent={upload.progress} />
            )}
            {bin(upload.name, () => void remove(upload.id))}
          </div>
        ) : options.showFileList === false ? null : (
          <div key={`${at} ${textOf(file.url)}`} className="vf-file">
            <button type="button" onClick={() => void show(addressOfFile(file))}>
              <MoreGlyph name="file" size={20} />
              <span>{textOf(file.name) || textOf(file.url)}</span>
            </button>
            {bin(textOf(file.name), () => void remove(file))}
          </div>
        ),
      )}
      {open && !full ? (
        <label className="vf-button vf-default vf-small vf-file-add">
          <input
            ref={picker}
            type="file"
            aria-label={`${state.label} ${textOf(options.uploadButtonText) || t('upload.choose')}`}
            accept={accept}
            multiple={several}
            onChange={(event) => add(takeFiles(event.currentTarget))}
          />
          <Glyph name="plus" />
          <span>{textOf(options.uploadButtonText) || t('upload.choose')}</span>
        </label>
      ) : null}
      {!open && files.length === 0 ? <span className="vf-quiet">—</span> : null}
    </fieldset>
  )
}
