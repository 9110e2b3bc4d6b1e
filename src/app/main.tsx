import { createRoot } from 'react-dom/client'
import settings from '../../schemas/app.json'
import routeRows from '../../schemas/routes.json'
import catalogue from '../../schemas/text/zh-hans.json'
import { createApp } from './create-app.ts'
import { followTextSize } from './device/text-size.ts'
import { AppView } from './shell/app-view.tsx'
import { sharedPlace } from './words/shared-text.ts'

const place = document.getElementById('root')
const shared = sharedPlace(location.search, settings.sharePath)
// A reload must not process the shared content again.
if (shared !== null) history.replaceState(null, '', `${location.pathname}#${shared}`)
if (place) {
  followTextSize()
  const app = createApp({ settings, routeRows, catalogue })
  void app.ready().then(() => createRoot(place).render(<AppView app={app} />))
}
