import { useState } from 'react'
import { addressOfFile } from '../../core/data/stored-file.ts'
import type { NodeState } from '../../core/engine.ts'
import { type Json, ownValue } from '../../core/json.ts'
import type { FieldParts } from '../fields/field.tsx'
import { Glyph } from '../kit/glyph.tsx'
import { MoreGlyph } from '../kit/more-glyphs.tsx'
import { safeImage, safePicture } from '../kit/safe-url.ts'
import { layerPart } from '../layers/layer-part.tsx'
import { lengthOf, textOf } from '../page/options.ts'
import { useText } from '../page/page-context.ts'
import { useAddresses } from '../page/use-address.ts'
import { UploadProgress } from './upload-progress.tsx'
import { takeFiles, type Uploading } from './use-upload.ts'
import '../styles/extra.css'

const Preview = layerPart(() => import('../pickers/preview.tsx'))

/** The props that tiles and list share. */
export interface UploadProps {
  readonly state: NodeState
  readonly parts: FieldParts
  readonly uploading: Uploading
}

/** Pictures in a grid with a tile to add; a tap shows all of them large. */
export function UploadTiles({ state, parts, uploading }: UploadProps) {
  const t = useText()
  const { options } = state
  const { files, tiles, full, remove, retry } = uploading
  const [shown, setShown] = useState<number | null>(null)
  const pictures = files.map((file) => safePicture(addressOfFile(file)))
  const urls = useAddresses(pictures).map(safeImage)
  const open = parts.open && !state.readMode
  const style = sizeOf(options.imageStyles)
  const cross = (name: string, act: () => void) =>
    open && options.delIcon !== false ? (
      <button
        type="button"
        className="vf-picture-delete"
        aria-label={t('upload.delete', { name })}
        onClick={act}
      >
        <Glyph name="cross" size={12} />
      </button>
    ) : null
  return (
    <fieldset className="vf-pictures" {...parts.naming} aria-describedby={parts.aria['aria-describedby']}>
      {tiles.map(({ at, upload, file }) =>
        upload ? (
          <div
            key={upload.id}
            className={`vf-picture vf-pending${upload.status === 'error' ? ' vf-failed' : ''}`}
            style={style}
          >
            {upload.status !== 'uploading' ? (
              <button type="button" onClick={() => retry(upload.id)}>
                {upload.status === 'error' ? (
                  <MoreGlyph name="retry" size={20} />
                ) : (
                  <Glyph name="plus" size={20} />
                )}
                <span>{t(upload.status === 'error' ? 'upload.retry' : 'upload.waiting')}</span>
              </button>
            ) : (
              <UploadProgress name={upload.name} percent={upload.progress} />
            )}
            {cross(upload.name, () => void remove(upload.id))}
          </div>
        ) : options.showFileList === false ? null : (
          <div key={`${at} ${textOf(file.url)}`} className="vf-picture" style={style}>
            <button
              type="button"
              aria-label={t('upload.preview', { name: textOf(file.name) })}
              disabled={options.disablePreview === true}
              onClick={() => setShown(at)}
            >
              <img src={urls[at] || undefined} alt="" loading="lazy" />
            </button>
            {cross(textOf(file.name), () => void remove(file))}
          </div>
        ),
      )}
      {open && !full ? <AddTile state={state} uploading={uploading} style={style} /> : null}
      {!open && files.length === 0 ? <span className="vf-quiet">—</span> : null}
      {shown === null ? null : <Preview images={pictures} at={shown} onClose={() => setShown(null)} />}
    </fieldset>
  )
}

interface AddProps extends Omit<UploadProps, 'parts'> {
  readonly style: ReturnType<typeof sizeOf>
}

/** The tile to add. `capture`: `camera` opens the camera, `album` the pictures; otherwise the phone asks. */
function AddTile({ state, uploading, style }: AddProps) {
  const t = useText()
  const { options } = state
  const { picker, accept, limit, count, several, add } = uploading
  const kinds = options.fileMediatype === 'video' ? 'video/*' : 'image/*'
  const camera = options.capture === 'camera'
  return (
    <label className="vf-picture vf-picture-add" style={style}>
      <input
        ref={picker}
        type="file"
        aria-label={`${state.label} ${t(camera ? 'upload.camera' : 'upload.add')}`}
        accept={camera || accept === '' ? kinds : accept}
        multiple={several}
        {...(camera ? { capture: 'environment' } : {})}
        onChange={(event) => add(takeFiles(event.currentTarget))}
      />
      {options.capture === 'album' ? <Glyph name="plus" size={24} /> : <MoreGlyph name="camera" size={24} />}
      <span>{`${count}/${limit}`}</span>
    </label>
  )
}

function sizeOf(styles: Json | undefined) {
  const width = lengthOf(ownValue(styles, 'width'))
  const height = lengthOf(ownValue(styles, 'height'))
  return width === undefined && height === undefined ? undefined : { width, height }
}
