import { useSyncExternalStore } from 'react'
import { type App, useApp, useStore } from '../app-context.ts'
import { keepsDraft } from '../pages/drafts.ts'
import type { OpenPage } from '../pages/open-page.ts'

const MINUTE_MS = 60_000

/** A quiet line for a newer version, a lost network, or waiting writes: the age of the data, and how much has not been sent. */
export function OfflineNotice() {
  const app = useApp()
  const online = useStore(app.online)
  const newer = useStore(app.newer)
  const entries = useStore(app.outbox.entries)
  const page = [...useStore(app.pages.all).values()].at(-1)
  const refused = entries.filter((entry) => entry.state === 'refused').length
  const count = refused > 0 ? refused : entries.length
  const waiting = page?.entry.path === app.outboxPath ? 0 : count
  return (
    <div role="status" className="offline-place" ref={tellHeight}>
      {newer && (
        <div className="draft-notice">
          {app.text('app.newer')}
          <button type="button" onClick={() => location.reload()}>
            {app.text('app.renew')}
          </button>
        </div>
      )}
      {(!online || waiting > 0) && (
        <div className={online && refused > 0 ? 'offline offline-refused' : 'offline'}>
          {!online &&
            (page ? (
              <Age app={app} page={page} />
            ) : (
              app.text(app.lasting() ? 'net.offline' : 'net.offlineUnkept')
            ))}
          {waiting > 0 && (
            <button type="button" onClick={() => void app.navigation.move('navigateTo', app.outboxPath)}>
              {app.text(refused > 0 ? 'outbox.look' : 'outbox.waiting', { n: waiting })}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

/** Tells styles how high the notice is (`--notice`): what is pinned to the top gives way. */
function tellHeight(place: HTMLElement | null): (() => void) | undefined {
  if (place === null) return undefined
  const sizes = new ResizeObserver(() =>
    document.documentElement.style.setProperty('--notice', `${place.getBoundingClientRect().height}px`),
  )
  sizes.observe(place)
  return () => sizes.disconnect()
}

/** The age of the page's data if it is cached; otherwise, on pages with drafts, whether the input is stored. */
function Age({ app: { text, lasting }, page }: { readonly app: App; readonly page: OpenPage }) {
  const { keptAt, engine } = useStore(page.state)
  const minute = useSyncExternalStore(everyMinute, () => Math.floor(Date.now() / MINUTE_MS))
  if (keptAt === null && engine !== null && !keepsDraft(engine.page)) return text('net.away')
  if (keptAt === null) return text(lasting() ? 'net.offline' : 'net.offlineUnkept')
  const minutes = Math.max(0, minute - Math.floor(keptAt / MINUTE_MS))
  if (minutes === 0) return text('net.keptNow')
  if (minutes < 60) return text('net.keptMinutes', { n: minutes })
  if (minutes < 48 * 60) return text('net.keptHours', { n: Math.floor(minutes / 60) })
  return text('net.keptDays', { n: Math.floor(minutes / (24 * 60)) })
}

function everyMinute(tick: () => void): () => void {
  const timer = setInterval(tick, MINUTE_MS)
  return () => clearInterval(timer)
}
