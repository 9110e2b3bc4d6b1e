import { browserClock, browserRandom } from '../../../runtime/browser/clock.ts'
import { layers } from '../../../runtime/react/layers/layers.ts'
import type { OnDevice } from '../device/on-device.ts'
import type { OpenPages } from '../pages/open-pages.ts'
import type { AppSession } from '../session/session.ts'
import { guardLogin } from '../session/session-over.ts'
import type { Settings } from '../settings.ts'
import { browserHistory } from './hash-location.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import type { RouteTable } from './routes.ts'
import { restoreStack, saveStack } from './saved-stack.ts'
import type { SideBySide } from './side-by-side.ts'

interface NavigationParts {
  readonly settings: Settings
  readonly onDevice: OnDevice
  readonly session: AppSession
  readonly routes: RouteTable
  readonly sideBySide: SideBySide
  readonly pages: OpenPages
  readonly onMove: () => void
}

/** The page stack of this tab on the browser's history: restores it after a reload, and opens and closes its pages. */
export function openNavigation(parts: NavigationParts): Navigation {
  const { settings, session, routes, sideBySide, pages } = parts
  const { perVisit } = parts.onDevice
  return createNavigation({
    routes,
    sideBySide,
    history: browserHistory,
    now: browserClock.now,
    newId: browserRandom.uuid,
    chosenTabs: () => session.menus().bottom.map((entry) => entry.path),
    guard: guardLogin({
      routes,
      loginPath: settings.loginPath,
      passwordPath: settings.passwordPath,
      homePath: settings.homePath,
      startsAtHome: session.startsAtHome,
      token: session.token,
      mustChangePassword: () => session.context.get().user.mustChangePassword === true,
    }),
    askBack: async (id, from) => (await pages.all.get().get(id)?.askBack(from)) ?? false,
    layers,
    homePath: settings.homePath,
    restored: restoreStack(perVisit),
    onChange(stack) {
      saveStack(perVisit, stack)
      pages.follow(stack, sideBySide.listOf(stack))
      parts.onMove()
    },
  })
}
