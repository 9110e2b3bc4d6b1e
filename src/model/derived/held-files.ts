import type { JsonObject } from '../../../runtime/core/json.ts'
import type { Field } from '../description.ts'
import { labelText } from '../labels.ts'
import { container } from './parts.ts'

/** The field of a module whose records carry files: what hangs on the record itself. */
export const FILES = 'attachments'

/** Pictures that one field may hold at most. */
const MAX_PICTURES = 9
const SIDE = '96px'

/** True for a field whose values are looked at rather than read. */
export const isHeldFile = ({ kind }: Pick<Field, 'kind'>): boolean => kind === 'pictures' || kind === 'files'

/**
 * What a detail shows of a field that holds files: pictures as pictures, which a tap shows large, other files by name, which a tap opens; nothing
 * where there are none.
 * @param root  address of the record @param isOpen  when the part of the page it stands in is shown, if not always
 */
export function heldFiles(field: Field, root: string, isOpen?: JsonObject): JsonObject {
  const at = `${root}.${field.name}`
  const isHeld = { '!!': { var: `${at}.0` } }
  return container(
    'cell-group',
    {
      name: `held_${field.name}`,
      label: labelText(field.label),
      inset: true,
      visibleOn: isOpen === undefined ? isHeld : { and: [isOpen, isHeld] },
    },
    [field.kind === 'pictures' ? picturesOf(field, at) : namesOf(field, at)],
  )
}

function picturesOf({ name, most = MAX_PICTURES }: Field, at: string): JsonObject {
  const places = Array.from({ length: Math.min(most, MAX_PICTURES) }, (_, i) => `${at}.${i}`)
  return container(
    'line',
    { name: `pictures_${name}`, gap: 8, wrap: true, customClass: ['page-inset'] },
    places.map((place, i) => ({
      type: 'image',
      options: {
        name: `picture_${name}_${i}`,
        src: `{{ ${place}.url }}`,
        alt: `{{ ${place}.name }}`,
        width: SIDE,
        height: SIDE,
        radius: 8,
        preview: true,
        visibleOn: { '!!': { var: place } },
      },
    })),
  )
}

const namesOf = ({ name }: Field, at: string): JsonObject =>
  container(
    'list',
    {
      name: `files_${name}`,
      bind: at,
      rowKey: 'url',
      flat: true,
      itemHeight: 48,
      on: { rowClick: [{ do: 'openFile', url: '{{ row.url }}' }] },
    },
    [
      {
        type: 'static-text',
        options: {
          name: `file_${name}`,
          textContent: '{{ row.name }}',
          fontSize: '15px',
          tone: 'primary',
          maxLines: 2,
        },
      },
    ],
  )
