import { type RefObject, useEffect, useRef } from 'react'
import { endingsOf, fileLimit } from '../../core/engine/upload-checks.ts'
import type { Entry } from '../../core/engine/upload-entries.ts'
import { uploadsOf } from '../../core/engine/uploads.ts'
import type { NodeState } from '../../core/engine.ts'
import type { JsonObject } from '../../core/json.ts'
import { objectsOf } from '../page/options.ts'
import { useEngine } from '../page/page-context.ts'

/** A stored file, or an upload at its place between them: as they were chosen. */
interface Tile {
  readonly at: number
  readonly upload: Entry | null
  readonly file: JsonObject
}

/** The common part of picture-upload and file-upload: files, running uploads, sending, and deleting after confirmation. */
export function useUpload(state: NodeState) {
  const engine = useEngine()
  const { text, feedback } = engine.ports
  const files = objectsOf(state.value)
  const uploads = (state.options.uploads ?? []) as unknown as readonly Entry[]
  const tiles: readonly Tile[] = [
    ...uploads.map((upload) => ({ at: upload.at, upload, file: {} })),
    ...files.map((file, at) => ({ at, upload: null, file })),
  ].sort((a, b) => a.at - b.at)

  const add = (picked: readonly File[]): void => {
    const handles = picked.map((file) => ({
      name: file.name,
      size: file.size,
      type: file.type,
      handle: file,
    }))
    if (handles.length > 0) void uploadsOf(engine).add(state.key, handles)
  }
  /** Asks first. */
  const remove = async (which: string | JsonObject): Promise<void> => {
    const { confirm } = await feedback.modal({
      title: text('upload.delete.title'),
      content: text('upload.delete.ask'),
    })
    if (confirm) uploadsOf(engine).remove(state.key, which)
  }
  const limit = fileLimit(state.node.type, state.options)
  const replaces = state.node.type === 'file-picker' && state.options.returnType === 'object'
  const count = files.length + uploads.length
  return {
    picker: usePicking(state),
    files,
    tiles,
    accept: endingsOf(state.options.fileTypes ?? state.options.fileExtname).join(','),
    limit,
    several: state.node.type === 'file-picker' ? limit > 1 : state.options.multipleSelect === true,
    count,
    full: count >= limit && !replaces,
    add,
    remove,
    retry: (id: string) => void uploadsOf(engine).retry(state.key, id),
  }
}

/** The files, the running uploads, and the actions on them. */
export type Uploading = ReturnType<typeof useUpload>

/** The action `upload` opens the picker by changing the option `picking`. */
function usePicking(state: NodeState): RefObject<HTMLInputElement | null> {
  const picker = useRef<HTMLInputElement>(null)
  const { picking } = state.options
  const seen = useRef(picking)
  useEffect(() => {
    if (picking === seen.current) return
    seen.current = picking
    picker.current?.click()
  }, [picking])
  return picker
}

/** The files of a picker. It is cleared so that the same file can be picked again. */
export function takeFiles(input: HTMLInputElement): readonly File[] {
  const files = [...(input.files ?? [])]
  input.value = ''
  return files
}
