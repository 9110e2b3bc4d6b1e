import { useEffect } from 'react'
import { Icon } from '../../../runtime/react/kit/icon.tsx'
import { useApp, useStore } from '../app-context.ts'
import { menuOf, sideMenus } from '../navigation/side-menus.ts'
import type { OpenPage } from '../pages/open-page.ts'
import { KeyMap, PALETTE_KEY } from './key-map.tsx'
import { Palette } from './palette.tsx'
import { useDeskKeys } from './use-desk-keys.ts'
import './desk.css'

interface DeskProps {
  /** Path of the visible page. */
  readonly path: string
  /** The list and the record that are shown side by side. */
  readonly split: { readonly list: OpenPage; readonly record: OpenPage } | null
}

/** The frame of a wide window: the user's menus at the left of the page. */
export default function Desk({ path, split }: DeskProps) {
  const { navigation, session, routes, text, homePath, mePath } = useApp()
  const { user } = useStore(session.context)
  const home = { path: homePath, title: text('nav.home'), icon: 'app', note: '' }
  const me = { path: mePath, title: text('nav.me'), icon: 'user', note: '' }
  const entries = [home, ...sideMenus(user), me]
  const isEntry = (candidate: string) => entries.some((entry) => entry.path === candidate)
  const current = menuOf(
    path,
    entries.map((entry) => entry.path),
  )
  const [opened, setOpened] = useDeskKeys()
  const close = () => setOpened(null)
  const open = (to: string) => {
    if (to === path) return scrollTo({ top: 0 })
    if (!isEntry(to)) return void navigation.move('navigateTo', to)
    const isTab = routes.find(to)?.tabBar !== undefined && routes.find(to)?.tabBar !== 'none'
    void navigation.move(isTab ? 'switchTab' : 'reLaunch', to)
  }
  return (
    <>
      {split !== null && <Following {...split} />}
      <button
        type="button"
        className="side-skip"
        onClick={() => document.querySelector<HTMLElement>('section.page:not([hidden]) main')?.focus()}
      >
        {text('nav.skip')}
      </button>
      <nav className="side-nav" aria-label={text('nav.menus')}>
        <ul>
          {entries.map(({ path: to, title, icon }) => (
            <li key={to}>
              <button
                type="button"
                aria-current={to === current ? 'page' : undefined}
                onClick={() => open(to)}
              >
                <Icon name={icon === '' ? 'appstore' : icon} size={20} />
                <span>{title}</span>
              </button>
            </li>
          ))}
        </ul>
        <div className="side-foot">
          <button type="button" onClick={() => setOpened('palette')}>
            {text('palette.open')} <kbd>{PALETTE_KEY}</kbd>
          </button>
          <button type="button" aria-label={text('keys.title')} onClick={() => setOpened('keys')}>
            <kbd>?</kbd>
          </button>
        </div>
      </nav>
      {opened === 'palette' && <Palette fixed={[home, me]} onClose={close} onOpen={open} />}
      {opened === 'keys' && <KeyMap onClose={close} />}
    </>
  )
}

/** When a record reloads after a change, the list beside it reloads too. */
function Following({ list, record }: NonNullable<DeskProps['split']>) {
  const listed = useStore(list.state).engine
  const opened = useStore(record.state).engine
  useEffect(
    () =>
      opened?.onRefresh(async () => {
        void listed?.refresh()
      }),
    [listed, opened],
  )
  return null
}
