import { isObject, type Json, type JsonObject } from '../../../runtime/core/json.ts'
import {
  FORMAT_FAULT,
  INVALID,
  type Kind,
  namedPlace,
  OPERATORS,
  type PartWords,
  plainText,
  readCodes,
} from '../kind.ts'
import { labelText } from '../labels.ts'
import { getSource } from '../page-parts.ts'

const LEVELS = 3

/** Province, city and county, as codes from the widest down. Whether the codes belong together is asked of the list of regions. */
export const region: Kind = {
  name: 'region',
  filledBy: 'choose',
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
  face: 'region',
  operators: OPERATORS.codes,
  write: (value, _, words) => (Array.isArray(value) ? words.regionOf(value.map(String)) : plainText(value)),
  parse: (cell, _, codes) => codes.regionCalled(cell) ?? [cell],
}

const isIn = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && value >= -limit && value <= limit

const MAX_ADDRESS = 200
const PARTS = ['lng', 'lat', 'address'] as const

/** A part of the place that people don't write: it is found by their device, and kept while they edit. */
const hiddenNumber = (name: string, label: string): JsonObject => ({
  type: 'number',
  formItemFlag: true,
  options: { name, label, precision: 6, hidden: true },
})

const smallButton = (name: string, label: string, more: JsonObject): JsonObject => ({
  type: 'button',
  options: { name, label, type: 'text', size: 'small', displayStyle: 'inline-block', ...more },
})

const setPart = (field: string, value: Json): JsonObject => ({ do: 'set', field, value })

const foundOf = (name: string): JsonObject => ({ '!=': [{ var: `form.${name}_lng` }, null] })

/** What a place shows beside its address: where it was found, and the buttons that find and forget it. */
function foundLine(name: string, words: PartWords): JsonObject {
  const [lng, lat] = [`${name}_lng`, `${name}_lat`]
  const isFound = foundOf(name)
  return {
    type: 'line',
    category: 'container',
    options: {
      name: `${name}_line`,
      gap: 12,
      grow: `${name}_found`,
      align: 'center',
      customClass: ['page-inset'],
    },
    widgetList: [
      {
        type: 'static-text',
        options: {
          name: `${name}_found`,
          textContent: `${words.located} {{ form.${lng} }}, {{ form.${lat} }}`,
          tone: 'secondary',
          fontSize: '14px',
          visibleOn: isFound,
        },
      },
      smallButton(`${name}_clear`, words.clearPlace, {
        visibleOn: isFound,
        on: { click: [setPart(lng, null), setPart(lat, null)] },
      }),
      smallButton(`${name}_locate`, words.locate, {
        icon: 'LocationOutline',
        on: {
          click: [
            {
              do: 'locate',
              then: [lng, lat].map((part, i) =>
                setPart(part, { rule: { round: [{ var: `result.${i === 0 ? 'lng' : 'lat'}` }, 6] } }),
              ),
            },
          ],
        },
      }),
    ],
  }
}

/** A point on the map, WGS-84: `{ lng, lat, accuracy?, address? }`; where a device found none, the address alone. */
export const location: Kind = {
  name: 'location',
  attributes: [],
  stored: 'json',
  index: null,
  read(raw) {
    if (!isObject(raw)) return INVALID
    const address = typeof raw.address === 'string' ? raw.address.trim().slice(0, MAX_ADDRESS) : ''
    if ((raw.lng ?? null) === null && (raw.lat ?? null) === null) return address === '' ? null : { address }
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
      {
        type: 'input',
        formItemFlag: true,
        options: {
          name: `${name}_address`,
          label: labelText(label),
          maxLength: MAX_ADDRESS,
          trim: true,
          placeholder: words.address,
        },
      },
      hiddenNumber(`${name}_lng`, words.lng),
      hiddenNumber(`${name}_lat`, words.lat),
      foundLine(name, words),
    ],
    body: {
      [name]: Object.fromEntries(PARTS.map((part) => [part, `{{ form.${name}_${part} }}`])),
    },
    held: foundOf(name),
  }),
  wireParts: (value, { name }) =>
    Object.fromEntries(
      PARTS.map((part) => [`${name}_${part}`, isObject(value) ? (value[part] ?? null) : null]),
    ),
  place: namedPlace,
  face: null,
  operators: OPERATORS.none,
  write: (value) =>
    isObject(value) ? plainText(value.address ?? null) || `${value.lat}, ${value.lng}` : plainText(value),
  parse: (cell) => cell,
}
