import { Icon } from '../../../runtime/react/kit/icon.tsx'
import { useApp, useStore } from '../app-context.ts'
import { unreadIn, waitingIn } from '../messages/app-badge.ts'

interface TabBarProps {
  /** Path of the visible page. */
  readonly active: string
}

/** The bottom bar: home first, me last, up to three chosen pages in between (SHELL 1). */
export function TabBar({ active }: TabBarProps) {
  const { navigation, session, text, homePath, mePath } = useApp()
  const { user } = useStore(session.context)
  const countOf = (path: string) => (path === mePath ? unreadIn(user) : waitingIn(user, path))
  const tabs = [
    { path: homePath, title: text('nav.home'), icon: 'app' },
    ...session.menus().bottom,
    { path: mePath, title: text('nav.me'), icon: 'user' },
  ]
  return (
    <nav className="tab-bar" aria-label={text('nav.tabs')}>
      {tabs.map(({ path, title, icon }) => {
        const count = countOf(path)
        return (
          <button
            key={path}
            type="button"
            className="tab-bar-item"
            aria-current={path === active ? 'page' : undefined}
            aria-description={count > 0 ? text('nav.waiting', { n: count }) : undefined}
            onClick={() => (path === active ? scrollTo({ top: 0 }) : void navigation.move('switchTab', path))}
          >
            <Icon name={icon === '' ? 'appstore' : icon} size={24} />
            {count > 0 ? (
              <i className="tab-bar-badge" aria-hidden>
                {count > 99 ? '99+' : count}
              </i>
            ) : null}
            <span>{title}</span>
          </button>
        )
      })}
    </nav>
  )
}
