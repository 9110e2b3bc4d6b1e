import type { Edit, Spot } from '../../runtime/core/edit/edit.ts'
import { isSlot, itemsOf } from '../../runtime/core/edit/entries.ts'
import { freeName } from '../../runtime/core/edit/free-names.ts'
import { isObject, type Json, type JsonObject, ownValue } from '../../runtime/core/json.ts'
import type { WidgetSpec } from '../../runtime/core/page/widget-spec.ts'
import { t, wordOr } from './context.ts'
import { asPlaced } from './placing.ts'

/** Options with a widget's text; the first it has is filled in, so that the widget is visible at once. */
const SPOKEN = ['label', 'title', 'textContent', 'text', 'content'] as const

/** A new widget of a type, with values that make it visible. */
export function newWidget(spec: WidgetSpec): JsonObject {
  const name = wordOr(`workbench.widget.${spec.type}`, spec.type)
  const labelOption = SPOKEN.find((option) => Object.hasOwn(spec.options, option))
  return {
    type: spec.type,
    ...(spec.kind === 'field' ? { formItemFlag: true } : {}),
    ...(spec.kind === 'container' || spec.kind === 'part' ? { category: 'container' } : {}),
    options: {
      name: spec.type.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      ...(labelOption === undefined ? {} : { [labelOption]: name }),
      ...(spec.kind === 'field' && Object.hasOwn(spec.options, 'placeholder')
        ? { placeholder: t(spec.hasItems === true ? 'workbench.make.choose' : 'workbench.make.type') }
        : {}),
      ...(spec.hasItems === true ? { optionItems: choices() } : {}),
    },
    ...partsOf(spec),
  }
}

const choices = (): Json[] => ['a', 'b', 'c'].map((value) => ({ label: t(`workbench.make.${value}`), value }))

function partsOf(spec: WidgetSpec): JsonObject {
  const part = (type: string, name: string, options: JsonObject = {}): JsonObject => ({
    type,
    category: 'container',
    options: { name, ...options },
    widgetList: [],
  })
  switch (spec.children) {
    case undefined:
      return {}
    case 'cols':
      return { cols: [part('grid-col', 'colLeft', { span: 12 }), part('grid-col', 'colRight', { span: 12 })] }
    case 'tabs':
      return {
        tabs: ['a', 'b'].map((name, i) =>
          part('tab-pane', `pane${name.toUpperCase()}`, {
            label: t(`workbench.make.${name}`),
            active: i === 0,
          }),
        ),
      }
    case 'rows':
      return { rows: [{ cols: [part('table-cell', 'cellLeft'), part('table-cell', 'cellRight')] }] }
    default:
      return { widgetList: [] }
  }
}

/** Inserts items one after the other, with unused names. */
export function inserted(document: Json, items: readonly JsonObject[], spot: Spot): Edit {
  const usedNames = namesIn(document)
  const edits = items.map(
    (thing, i): Edit => ({
      do: 'insert',
      spot: { ...spot, index: spot.index + i },
      item: renamed(asPlaced(document, thing, spot), usedNames),
    }),
  )
  const [only, ...more] = edits
  return only !== undefined && more.length === 0 ? only : { do: 'all', edits }
}

/** Names in use, and ids. */
export function namesIn(document: Json): Set<string> {
  return new Set(
    [...itemsOf(document).values()].flatMap(({ written, name }) => [
      name,
      ...(typeof written.id === 'string' ? [written.id] : []),
    ]),
  )
}

/** The items with unused names, which are then in use. */
export function renamed(item: JsonObject, usedNames: Set<string>): JsonObject {
  const options = isObject(item.options) ? item.options : undefined
  const name = ownValue(options, 'name')
  const { id } = item
  return Object.fromEntries(
    Object.entries(item).map(([key, value]): [string, Json | undefined] => {
      if (key === 'id' && typeof id === 'string') return [key, freeName(id, usedNames)]
      if (key === 'options' && typeof name === 'string')
        return [key, { ...options, name: freeName(name, usedNames) }]
      if (isSlot(key, value) && Array.isArray(value))
        return [key, value.map((one: Json) => (isObject(one) ? renamed(one, usedNames) : one))]
      return [key, value]
    }),
  )
}
