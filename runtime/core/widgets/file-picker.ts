import type { WidgetSpec } from '../page/widget-spec.ts'
import { any, choice, flag, number, object, text } from './option-kinds.ts'
import { FIELD, UPLOAD } from './option-sets.ts'
import { asFiles, plainText } from './values.ts'

/** The file picker: accepts what fits, skips other formats with a message. */
export const filePicker: WidgetSpec = {
  type: 'file-picker',
  kind: 'field',
  emptyValue: [],
  normalize: asFiles,
  estimatedHeight: 132,
  events: ['beforeUpload', 'uploadSuccess', 'uploadError', 'fileRemove', 'change'],
  options: {
    ...FIELD,
    ...UPLOAD,
    defaultValue: any(undefined, []),
    limit: number('maximum number of files: up to 9; 1 when returnType is object', 9),
    title: text('heading; empty = the number of files and the maximum'),
    fileMediatype: choice(['image', 'video', 'all'], 'kind of files that can be selected'),
    fileExtname: any('file extensions, as a list or a text with commas; empty = any', ''),
    mode: choice(['grid', 'list', 'list-card'], 'anything but images is a list'),
    returnType: choice(['array', 'object'], 'object: one file, the next replaces it'),
    autoUpload: flag('uploads immediately; otherwise each file waits for a tap', true),
    disablePreview: flag('a tap on a picture does nothing'),
    delIcon: flag('a cross to delete', true),
    imageStyles: object('{width, height} of a tile in px'),
    listStyles: object('{border, dividers}: lines around and between'),
  },
  text: plainText,
}
