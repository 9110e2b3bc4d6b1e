import { createRoot } from 'react-dom/client'
import settings from '../../schemas/app.json'
import routeRows from '../../schemas/routes.json'
import catalogue from '../../schemas/text/zh-hans.json'
import { createApp } from './create-app.ts'
import { AppView } from './shell/app-view.tsx'

const place = document.getElementById('root')
if (place) {
  const app = createApp({ settings, routeRows, catalogue })
  void app.ready().then(() => createRoot(place).render(<AppView app={app} />))
}
