import { browserClock } from '../../../runtime/browser/clock.ts'
import { readPage } from '../../../runtime/core/read-page.ts'
import type { createRegistry } from '../../../runtime/core/widgets/index.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { Settings } from '../settings.ts'
import { createPageSource, type PageSource, type PageSourceOptions } from './page-source.ts'

interface Parts extends Pick<PageSourceOptions, 'http' | 'owner' | 'heardSince'> {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly registry: ReturnType<typeof createRegistry>
}

/** The pages of the server in the device's language; those of the last visit are shown until it answers. */
export function createAppPageSource({ settings, onDevice, registry, ...rest }: Parts): PageSource {
  const { language, storage } = onDevice
  const source = createPageSource({
    ...rest,
    now: browserClock.now,
    storage,
    url: settings.pageUrl,
    bundleUrl: settings.pageBundleUrl,
    timeoutMs: settings.pageTimeoutMs,
    parse: (document) => {
      const parsed = readPage(document, { registry, language: language.locale.get() })
      return parsed.ok ? { page: parsed.page, problems: [] } : { page: null, problems: parsed.problems }
    },
  })
  language.locale.subscribe(source.relabel)
  return source
}
