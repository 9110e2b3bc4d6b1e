import { describe, expect, it } from 'vitest'
import en from '../../schemas/text/en.json'
import es from '../../schemas/text/es.json'
import fr from '../../schemas/text/fr.json'
import cloud from '../../schemas/text/zh-hans.cloud.json'
import hans from '../../schemas/text/zh-hans.json'
import hant from '../../schemas/text/zh-hant.json'

type Catalogue = Readonly<Record<string, string>>
const base: Catalogue = { ...hans, ...cloud }
const others: Readonly<Record<string, Catalogue>> = { en, es, fr, 'zh-hant': hant }
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([place]) => place).sort()

const COPIED = ['内容已复制', 'Content copied', '內容已復制', 'Contenido copiado', 'Contenu copié'] as const
const NOT_COPIED = [
  '复制失败，请手动复制',
  'Copy failed, please copy manually',
  '復制失敗，請手動復製',
  'Error al copiar, copie manualmente',
  'Échec de la copie, copiez manuellement',
] as const
const CANCEL = ['取消', 'Cancel', '取消', 'Cancelar', 'Annuler'] as const
/** Zh-Hans, en, zh-Hant, es, fr. */
const FIVE: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  'page.failed': [
    '连接服务器超时，点击屏幕重试',
    'The connection timed out, click the screen to try again.',
    '連接服務器超時，點擊屏幕重試',
    'Se agotó el tiempo de conexión, haga clic en la pantalla para volver a intentarlo.',
    "La connexion a expiré, cliquez sur l'écran pour réessayer.",
  ],
  'feedback.cancel': CANCEL,
  'feedback.confirm': ['确定', 'OK', '確定', 'OK', 'OK'],
  'device.copied': COPIED,
  'device.copyFailed': NOT_COPIED,
  'widget.copied': COPIED,
  'widget.copyFailed': NOT_COPIED,
  'widget.cancel': CANCEL,
  'widget.confirm': ['确定', 'OK', '確定', 'OK', 'OK'],
}

describe('the catalogues of the five languages', () => {
  it.each(Object.entries(FIVE))('%s matches the framework’s text in each of them', (code, words) => {
    expect([base, en, hant, es, fr].map((one: Catalogue) => one[code])).toEqual(words)
  })

  it.each(Object.entries(others))(
    '%s has every text: a new text is added to each file in schemas/text',
    (_, words) => {
      expect(Object.keys(base).filter((code) => !Object.hasOwn(words, code))).toEqual([])
    },
  )

  it.each(Object.entries(others))('%s has no unused and no empty text', (_, words) => {
    expect(Object.keys(words).filter((code) => !Object.hasOwn(base, code))).toEqual([])
    expect(Object.keys(words).filter((code) => words[code]?.trim() === '')).toEqual([])
  })

  it.each(Object.entries(others))('%s has the same placeholders', (_, words) => {
    const wrong = Object.entries(words).filter(
      ([code, text]) => places(text).join() !== places(base[code] ?? '').join(),
    )

    expect(wrong).toEqual([])
  })

  it.each(Object.entries({ ...others, 'zh-hans': hans, 'zh-hans.cloud': cloud }))(
    '%s is sorted by code',
    (_, words) => {
      expect(Object.keys(words)).toEqual(Object.keys(words).sort())
    },
  )
})
