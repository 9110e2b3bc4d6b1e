import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, flag, list, text } from './option-kinds.ts'
import { FIELD, UPLOAD } from './option-sets.ts'
import { asFiles, plainText } from './values.ts'

/** Files: the same checks, a list of names; a tap opens the document. */
export const fileUpload: WidgetSpec = {
  type: 'file-upload',
  kind: 'field',
  emptyValue: [],
  normalize: asFiles,
  estimatedHeight: 110,
  events: ['beforeUpload', 'uploadSuccess', 'uploadError', 'fileRemove', 'change'],
  options: {
    ...FIELD,
    ...UPLOAD,
    defaultValue: any(undefined, []),
    fileTypes: list('file extensions', ['doc', 'docx', 'xls', 'xlsx']),
    uploadButtonText: text('label of the button'),
    showFileList: flag(undefined, true),
  },
  text: plainText,
}
