import { isObject, type JsonObject } from '../../../runtime/core/json.ts'
import { FORMAT_FAULT, INVALID, type Kind, namedPlace, OPERATORS, plainText, readCodes } from '../kind.ts'
import { labelText } from '../labels.ts'
import { getSource } from '../page-parts.ts'

const LEVELS = 3

/** Province, city and county, as codes from the widest down. Whether the codes belong together is asked of the list of regions. */
export const region: Kind = {
  name: 'region',
  attributes: [],
  stored: 'texts',
  index: 'text',
  several: true,
  read: (raw) => readCodes(raw, LEVELS),
  fault: () => ({ code: 'record.region' }),
  widget: () => ({
    type: 'cascader',
    options: { dsEnabled: true, dsName: 'regions', filterable: true, checkStrictly: true },
  }),
  source: () => getSource('regions', '/engine/web/region/list'),
  place: namedPlace,
  face: null,
  operators: OPERATORS.codes,
  write: (value, _, words) => (Array.isArray(value) ? words.regionOf(value.map(String)) : plainText(value)),
  parse: (cell, _, codes) => codes.regionCalled(cell) ?? [cell],
}

const isIn = (value: unknown, most: number): value is number =>
  typeof value === 'number' && value >= -most && value <= most

const ADDRESS_MOST = 200

const isThere = (path: string): JsonObject => ({ '!=': [{ var: path }, null] })

const coordinate = (name: string, label: string, most: number): JsonObject => ({
  type: 'number',
  formItemFlag: true,
  options: { name, label, precision: 6, min: -most, max: most },
})

/** A point on the map, WGS-84: `{ lng, lat, accuracy?, address? }`; where a device found none, the address alone. */
export const location: Kind = {
  name: 'location',
  attributes: [],
  stored: 'json',
  index: null,
  read(raw) {
    if (!isObject(raw)) return INVALID
    const address = typeof raw.address === 'string' ? raw.address.trim().slice(0, ADDRESS_MOST) : ''
    if ((raw.lng ?? null) === null && (raw.lat ?? null) === null && address !== '') return { address }
    if (!isIn(raw.lng, 180) || !isIn(raw.lat, 90)) return INVALID
    return {
      lng: raw.lng,
      lat: raw.lat,
      ...(typeof raw.accuracy === 'number' ? { accuracy: raw.accuracy } : {}),
      ...(address === '' ? {} : { address }),
    }
  },
  fault: () => FORMAT_FAULT,
  widget: () => ({ type: 'static-text' }),
  parts: ({ name, label }, words) => ({
    widgets: [
      coordinate(`${name}_lng`, `${labelText(label)} ${words.lng}`, 180),
      coordinate(`${name}_lat`, `${labelText(label)} ${words.lat}`, 90),
      {
        type: 'button',
        options: {
          name: `${name}_locate`,
          label: words.locate,
          type: 'text',
          size: 'small',
          on: {
            click: [
              {
                do: 'locate',
                then: ['lng', 'lat'].map((part) => ({
                  do: 'set',
                  field: `${name}_${part}`,
                  value: { rule: { round: [{ var: `result.${part}` }, 6] } },
                })),
              },
            ],
          },
        },
      },
    ],
    body: {
      [name]: {
        $if: { and: [isThere(`form.${name}_lng`), isThere(`form.${name}_lat`)] },
        lng: `{{ form.${name}_lng }}`,
        lat: `{{ form.${name}_lat }}`,
      },
    },
  }),
  wireParts: (value, { name }) => ({
    [`${name}_lng`]: isObject(value) ? (value.lng ?? null) : null,
    [`${name}_lat`]: isObject(value) ? (value.lat ?? null) : null,
  }),
  place: namedPlace,
  face: null,
  operators: OPERATORS.none,
  write: (value) =>
    isObject(value) ? plainText(value.address ?? null) || `${value.lat}, ${value.lng}` : plainText(value),
  parse: (cell) => cell,
}
