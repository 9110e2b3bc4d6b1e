import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, list } from './option-kinds.ts'
import { FIELD, UPLOAD } from './option-sets.ts'
import { asFiles, plainText } from './values.ts'

/** Pictures: checks by count, type and size, thumbnails, preview of all. */
export const pictureUpload: WidgetSpec = {
  type: 'picture-upload',
  kind: 'field',
  emptyValue: [],
  normalize: asFiles,
  estimatedHeight: 132,
  events: ['beforeUpload', 'uploadSuccess', 'uploadError', 'fileRemove', 'change'],
  options: {
    ...FIELD,
    ...UPLOAD,
    defaultValue: any(undefined, []),
    fileTypes: list('file extensions', ['jpg', 'jpeg', 'png']),
    capture: { ...choice(['', 'camera', 'album'], 'where pictures come from; empty = the user chooses') },
    showFileList: flag(undefined, true),
  },
  text: plainText,
}
