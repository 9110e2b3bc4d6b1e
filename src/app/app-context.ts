import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Http, Text } from '../../runtime/core/ports.ts'
import type { ViewRegistry } from '../../runtime/react/page/view-registry.ts'
import type { FeedbackStore } from './device/feedback.ts'
import type { Navigation } from './navigation/navigation.ts'
import type { RouteTable } from './navigation/routes.ts'
import type { SideBySide } from './navigation/side-by-side.ts'
import type { AppOutbox } from './offline/outbox.ts'
import type { OpenPages } from './pages/open-pages.ts'
import type { AppSession } from './session/session.ts'
import type { Store } from './store.ts'
import type { Locale } from './words/locale.ts'

/** The parts of the shell that its views use. */
export interface App {
  readonly navigation: Navigation
  readonly sideBySide: SideBySide
  readonly pages: OpenPages
  readonly session: AppSession
  readonly feedback: FeedbackStore
  readonly routes: RouteTable
  readonly views: ViewRegistry
  readonly text: Text
  /** Product calls that show no message on failure. */
  readonly quiet: Http
  /** The current language. */
  readonly language: Store<Locale>
  /** False while the server cannot be reached. */
  readonly online: Store<boolean>
  /** A newer version has been downloaded: it starts with the next reload. */
  readonly newer: Store<boolean>
  /** Resolves when the texts of the language are loaded and the app can be drawn. */
  readonly ready: () => Promise<void>
  /** False while typed input cannot be stored on the device. */
  readonly lasting: () => boolean
  /** Writes that wait for the network, and their page. */
  readonly outbox: AppOutbox
  readonly outboxPath: string
  readonly homePath: string
  readonly mePath: string
}

export const AppContext = createContext<App | null>(null)

/** The app of the surrounding view. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('a view of the shell was drawn outside of the app')
  return app
}

/** The value of a store; a change renders the component again. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
