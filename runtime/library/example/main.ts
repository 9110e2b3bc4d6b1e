import { browserPorts, createRegistry, createWidgetViews, mountPage } from 'vform-runtime'
import 'vform-runtime/style.css'
import texts from 'vform-runtime/texts/zh-hans.json'
import workerUrl from 'vform-runtime/worker.js?url'
import page from './page.json'
import { TrafficLight, trafficLight } from './traffic-light.tsx'

const place = document.querySelector<HTMLElement>('#page')
const sent = document.querySelector('#sent')
if (place === null || sent === null) throw new Error('index.html has lost its elements')

const registry = createRegistry()
registry.register(trafficLight)
const views = createWidgetViews()
views.register(trafficLight.type, TrafficLight)

const ports = browserPorts({ texts, worker: () => new Worker(workerUrl, { type: 'module' }) })
const opened = await mountPage(page, place, { ports, registry, views })
opened.engine.onEmit(async (name) => {
  if (name !== 'send') return
  const outcome = await opened.submit()
  sent.textContent = outcome.ok ? JSON.stringify(outcome.values) : `${outcome.errors.length} to mend`
})

/** The tests of the example ask for the check of its own widget, and of ours. */
Object.assign(window, {
  ports,
  check: async (type: string, value: unknown, options = {}) => {
    const { checkWidget } = await import('vform-runtime/testing')
    return checkWidget(type, { registry, views, ports, value: value as never, options })
  },
})
