import { unstableSetRender } from 'antd-mobile'
import { createRoot } from 'react-dom/client'
import settings from '../../schemas/app.json'
import routeRows from '../../schemas/routes.json'
import catalogue from '../../schemas/text/zh-hans.json'
import { createApp } from './create-app.ts'
import { AppView } from './shell/app-view.tsx'

// antd-mobile draws its imperative parts with the render of React 18 unless it is told otherwise.
unstableSetRender((node, container) => {
  const root = createRoot(container)
  root.render(node)
  return async () => root.unmount()
})

const place = document.getElementById('root')
if (place) {
  const app = createApp({ settings, routeRows, catalogue })
  createRoot(place).render(<AppView app={app} />)
}
