import type { Catalogue } from '../../../runtime/browser/catalogue-text.ts'
import { browserClock as clock } from '../../../runtime/browser/clock.ts'
import type { LocalChoice } from '../session/local-choices.ts'
import type { Settings } from '../settings.ts'
import { createDeviceStorage } from '../storage/device-storage.ts'
import { createTypedStorage, storeOf } from '../storage/typed-storage.ts'
import { createStore } from '../store.ts'
import { createLanguage } from '../words/language.ts'
import { LOCALES } from '../words/locale.ts'
import { isPc, readDeviceId } from './device-facts.ts'
import { createFeedback } from './feedback.ts'
import { createLook, drawLook, LOOKS } from './look.ts'
import { createPageClock } from './page-clock.ts'

export type OnDevice = ReturnType<typeof openDevice>

/** The parts that belong to the device, independent of the user: storage, language, look, device facts, network state. */
export function openDevice(settings: Settings, catalogue: Catalogue) {
  const storage = createDeviceStorage()
  const typed = createTypedStorage(storeOf(() => localStorage))
  const perVisit = storeOf(() => sessionStorage)
  const language = createLanguage({
    storage: typed,
    configured: settings.locale,
    browser: navigator.languages,
    base: { locale: 'zh-Hans', catalogue },
    load: async (locale) => (await import('../words/locale-words.ts')).loadWords(locale),
    onChange: (locale) => {
      document.documentElement.lang = locale
    },
  })
  const look = createLook({
    storage: typed,
    system: matchMedia('(prefers-color-scheme: dark)'),
    draw: (isDark) => drawLook(document, isDark),
  })
  const deviceId = readDeviceId([typed, createTypedStorage(perVisit)], clock.now, Math.random)
  const pc = isPc(navigator.userAgent)
  typed.set('isPC', pc)
  const choices: Readonly<Record<string, LocalChoice>> = {
    language: { ids: LOCALES, current: () => language.locale.get(), choose: language.change },
    look: { ids: LOOKS, current: look.choice, choose: look.choose },
  }
  return {
    storage,
    typed,
    /** Storage that lives as long as the tab. */
    perVisit,
    language,
    text: language.text,
    choices,
    ready: async () => void (await Promise.all([language.ready(), look.ready])),
    deviceId,
    isPc: pc,
    /** Sent with every product call. */
    headers: {
      'X-Device-Id': deviceId,
      'X-App-Version': settings.version,
      get 'Accept-Language'() {
        return language.locale.get()
      },
    },
    /** False while the server cannot be reached. */
    online: createStore(navigator.onLine),
    pageClock: createPageClock(clock, () => -new Date().getTimezoneOffset()),
    feedback: createFeedback({
      clock,
      toastMs: settings.toastMs,
      loadingText: () => language.text('feedback.loading'),
    }),
  }
}
