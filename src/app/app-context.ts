import { createContext, useContext, useSyncExternalStore } from 'react'
import type { Http, Text } from '../../runtime/core/ports.ts'
import type { AntdWords } from '../../runtime/react/kit/antd-words.ts'
import type { ViewRegistry } from '../../runtime/react/page/view-registry.ts'
import type { FeedbackStore } from './device/feedback.ts'
import type { Besides } from './navigation/beside.ts'
import type { Navigation } from './navigation/navigation.ts'
import type { RouteTable } from './navigation/routes.ts'
import type { AppOutbox } from './offline/outbox.ts'
import type { OpenPages } from './pages/open-pages.ts'
import type { AppSession } from './session/session.ts'
import type { Store } from './store.ts'
import type { LanguageState } from './words/language.ts'

/** The parts of the shell that its views draw and act on. */
export interface App {
  readonly navigation: Navigation
  readonly besides: Besides
  readonly pages: OpenPages
  readonly session: AppSession
  readonly feedback: FeedbackStore
  readonly routes: RouteTable
  readonly views: ViewRegistry
  readonly text: Text
  /** Calls of the product that tell nobody of a failure. */
  readonly quiet: Http
  /** The language in force, and the words of the widget library in it. */
  readonly language: Store<LanguageState<AntdWords>>
  /** The widget library's words for a page in that language. */
  readonly widgetWordsIn: (locale: string) => AntdWords | null
  /** False while the server cannot be reached. */
  readonly online: Store<boolean>
  /** A newer version is on the device: it is there after a reload. */
  readonly newer: Store<boolean>
  /** Resolves when drawing can begin: the texts of the language are loaded. */
  readonly ready: () => Promise<void>
  /** False while what is typed cannot be kept on the device. */
  readonly lasting: () => boolean
  /** Writes that wait for the network, and the page that lists them. */
  readonly outbox: AppOutbox
  readonly outboxPath: string
  readonly homePath: string
  readonly mePath: string
}

export const AppContext = createContext<App | null>(null)

/** The app around the view. */
export function useApp(): App {
  const app = useContext(AppContext)
  if (app === null) throw new Error('a view of the shell was drawn outside of the app')
  return app
}

/** The value of a store, drawn again with each change. */
export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get)
}
