import { unstableSetRender } from 'antd-mobile/es/utils/unstable-render'
import { createRoot } from 'react-dom/client'

/** Lets antd-mobile draw its imperative parts (previews, dialogs) in roots of their own; called once, before anything is drawn. */
export function setAntdRender(): void {
  unstableSetRender((node, container) => {
    const root = createRoot(container)
    root.render(node)
    return async () => root.unmount()
  })
}
