import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../runtime/core/create-engine.ts'
import { parsePage, printPage } from '../../../runtime/core/index.ts'
import type { JsonObject } from '../../../runtime/core/json.ts'
import { registry } from '../../support/a-page.ts'
import { memoryWorld } from '../../support/memory-ports.ts'

const TEXTS = {
  'zh-Hans': { title: '登录', name: '账号', count: '共{n}项' },
  en: { title: 'Log in', name: 'Account', count: '{n} items' },
  fr: { title: 'Connexion', name: 'Compte', count: '{n} éléments' },
}

describe('a page with its own texts', () => {
  it.each([
    ['fr', 'fr', 'Compte'],
    ['zh-Hans', 'zh-Hans', '账号'],
    ['es', 'en', 'Account'],
  ])('is drawn for %s in %s', (wanted, language, label) => {
    const page = parsed(aDocument(TEXTS), wanted)

    expect(page.language).toBe(language)
    expect(page.nodes.get('name')?.options).toMatchObject({ label, placeholder: `${label} *` })
    expect(page.settings.title).toBe(TEXTS[language as keyof typeof TEXTS].title)
  })

  it('is drawn in its only language if it has just one', () => {
    expect(parsed(aDocument({ fr: TEXTS.fr }), 'es').language).toBe('fr')
  })

  it('fills in its other placeholders as usual', () => {
    const { ports } = memoryWorld()
    const engine = createEngine({ page: parsed(aDocument(TEXTS), 'en'), registry, ports, params: { n: 3 } })

    expect(engine.node('both').options.textContent).toBe('Account 3')
  })

  it('is exported as it was written', () => {
    const document = aDocument(TEXTS)

    expect(printPage(parsed(document, 'en'))).toBe(document)
  })

  it('reports a text that is missing in one language', () => {
    const result = parsePage(aDocument({ ...TEXTS, en: { title: 'Log in' } }), { registry, language: 'fr' })

    expect(result.ok ? [] : result.problems.map(({ code, at }) => `${code} ${at}`)).toContain(
      'TEXT_MISSING /widgetList/0/options/label',
    )
  })
})

it('without translations is drawn in the base language, whatever is requested', () => {
  const document = { widgetList: [], formConfig: { jsonVersion: -3, page: { title: '客户' } } }

  expect(parsed(document, 'en')).toMatchObject({ language: 'zh-Hans', document })
})

function parsed(document: JsonObject, language: string) {
  const result = parsePage(document, { registry, language })
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.page
}

function aDocument(texts: JsonObject): JsonObject {
  return {
    widgetList: [
      {
        type: 'input',
        formItemFlag: true,
        options: { name: 'name', label: '{{ text.name }}', placeholder: '{{text.name}} *' },
      },
      { type: 'static-text', options: { name: 'both', textContent: '{{ text.name }} {{ params.n }}' } },
    ],
    formConfig: { jsonVersion: -3, page: { title: '{{ text.title }}', texts } },
  }
}
