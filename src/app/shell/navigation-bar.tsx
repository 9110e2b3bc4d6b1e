import { useApp } from '../app-context.ts'

interface NavigationBarProps {
  readonly title: string
  /** False on first pages: the home page and the tab pages. */
  readonly canGoBack: boolean
}

/** The bar at the top of each page (SHELL 1.8). */
export function NavigationBar({ title, canGoBack }: NavigationBarProps) {
  const { navigation, text } = useApp()
  return (
    <header className="nav-bar">
      {canGoBack && (
        <button
          type="button"
          className="nav-bar-back"
          aria-label={text('nav.back')}
          onClick={() => void navigation.back(1, 'backbutton')}
        >
          <svg
            width="24"
            height="24"
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            aria-hidden="true"
          >
            <path d="M15 5l-7 7 7 7" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        </button>
      )}
      <h1 className="nav-bar-title">{title}</h1>
    </header>
  )
}
