import { type App, AppContext, useStore } from '../app-context.ts'
import { FeedbackView } from './feedback-view.tsx'
import { OfflineNotice } from './offline-notice.tsx'
import { Router } from './router.tsx'
import './shell.css'

/** The whole app. */
export function AppView({ app }: { readonly app: App }) {
  const locale = useStore(app.language)
  return (
    <AppContext.Provider value={app}>
      <OfflineNotice />
      {/* Another language renders everything again; input is kept in the engines. */}
      <Router key={locale} />
      <FeedbackView />
    </AppContext.Provider>
  )
}
