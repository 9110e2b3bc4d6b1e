import { isObject, type Json, ownValue } from '../../../../runtime/core/json.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { readingOf } from '../../kernel/words/pinyin.ts'
import { config } from './route-schemas.ts'

/** Maximum names: a palette has a few hundred. */
const MAX_NAMES = 1_000
const MAX_LENGTH = 100

/** Labels for what the workbench's palette can add to a page. */
export const paletteRoutes: Resource = (app, { pages }) => {
  app.get('/engine/web/page/fragments', { config }, () => ({
    list: [...pages.fragments()].flatMap(([name, content]) => offered(name, content)),
  }))

  app.post<{ Body: { words: readonly string[] } }>(
    '/engine/web/page/readings',
    {
      config,
      schema: {
        body: {
          type: 'object',
          required: ['words'],
          properties: {
            words: { type: 'array', maxItems: MAX_NAMES, items: { type: 'string', maxLength: MAX_LENGTH } },
          },
        },
      },
    },
    (request) => ({
      list: request.body.words.map((word) => {
        const { py, py_initial } = readingOf(word, 'company')
        return `${py} ${py_initial}`
      }),
    }),
  )
}

/** A fragment of widgets; lists of actions and of sources are not. */
function offered(name: string, content: Json): Json[] {
  const list = ownValue(content, 'widgetList')
  if (!Array.isArray(list) || list.length === 0) return []
  const given = ownValue(content, 'with')
  const parameters = Object.entries(isObject(given) ? given : {}).flatMap(([key, value]) =>
    value === null ? [key] : [],
  )
  return [{ name, label: labelIn(list) ?? name, asks: parameters }]
}

/** The first label in it that does not depend on a parameter. */
export function labelIn(items: readonly Json[]): string | undefined {
  for (const item of items) {
    const options = ownValue(item, 'options')
    const labelOption = ['label', 'title', 'textContent']
      .map((key) => ownValue(options, key))
      .find((value) => typeof value === 'string' && value !== '' && !value.includes('{{'))
    const inside = ownValue(item, 'widgetList')
    const label = labelOption ?? (Array.isArray(inside) ? labelIn(inside) : undefined)
    if (typeof label === 'string') return label
  }
  return undefined
}
