import { browserClock as clock, browserRandom as random } from '../../../runtime/browser/clock.ts'
import type { Http, Navigator } from '../../../runtime/core/ports.ts'
import type { OnDevice } from '../device/on-device.ts'
import { browserHistory } from '../navigation/hash-location.ts'
import type { Settings } from '../settings.ts'
import { type CloudLink, linkCloud } from './cloud-link.ts'
import { linkConnections } from './connection-link.ts'

interface CloudParts {
  readonly settings: Settings
  readonly onDevice: OnDevice
  /** The network without the product's protocol. */
  readonly raw: Http
  /** The product's calls, and those that show no message on failure. */
  readonly http: Http
  readonly quiet: Http
  readonly navigator: () => Navigator
}

/** Handles `conn:` and `cloud:` addresses of pages; the cloud's client is loaded with the first of its addresses. */
export function linkAppCloud({
  settings,
  onDevice,
  raw,
  http,
  quiet,
  navigator: own,
}: CloudParts): CloudLink {
  const { storage, feedback, text, language, deviceId } = onDevice
  return linkCloud(linkConnections(http), async () => {
    const [{ createCloudCalls, readSpaces }, answer] = await Promise.all([
      import('./cloud-calls.ts'),
      quiet.send({ url: settings.configUrl, method: 'GET' }),
    ])
    return createCloudCalls({
      spaces: readSpaces(answer),
      ports: {
        http: raw,
        clock,
        random,
        storage,
        feedback,
        text,
        log: (level, message) => console[level](message),
      },
      app: {
        appId: settings.appId,
        appName: settings.name,
        appVersion: settings.version,
        appVersionCode: settings.versionCode,
        deviceId,
      },
      browser: { userAgent: navigator.userAgent, touchPoints: navigator.maxTouchPoints },
      locale: () => language.locale.get(),
      loginPage: settings.loginPath,
      guard: { navigator: own(), clock, text, currentPage: browserHistory.url },
    })
  })
}
