import type { Engine, EngineOptions } from '../../../runtime/core/engine.ts'
import type { Ports } from '../../../runtime/core/ports.ts'
import { holdsPermission } from '../../contract/permission.ts'
import type { Navigation } from '../navigation/navigation.ts'
import type { AppSession } from '../session/session.ts'
import type { OpenPages } from './open-pages.ts'

/** Explains to users who may change pages why a page is as it is. */
export interface AskLink {
  /** What must be loaded before a page opens; null for other users, and once it is loaded. */
  need(): Promise<unknown> | null
  /** Opens a page and records its visit for the explanation. */
  open(ports: Ports, opening: Opening, make: (ports: Ports) => Engine): Engine
}

type Opening = Pick<EngineOptions, 'page' | 'params' | 'user' | 'dict' | 'variables' | 'draft'>

interface AskParts {
  readonly session: AppSession
  readonly navigation: () => Navigation
  readonly pages: () => OpenPages
}

/** Only authors load any of its code. */
export function linkAsking({ session, navigation, pages }: AskParts): AskLink {
  let remember: AskLink['open'] | null = null
  let coming: Promise<unknown> | null = null
  const isAuthor = (): boolean => {
    const { permissions } = session.context.get().user
    return Array.isArray(permissions) && holdsPermission(permissions.map(String), 'system:form')
  }
  const pageAt = (address: string | undefined) => {
    const open = [...pages().all.get().values()].reverse()
    const page = address === undefined ? open[0] : open.find(({ entry }) => entry.path === address)
    const engine = page?.state.get().engine ?? null
    return page === undefined || engine === null ? null : { path: page.path, engine }
  }
  return {
    need() {
      if (remember !== null || !isAuthor()) return null
      coming ??= import('../../workbench/ask/index.tsx').then(
        ({ startAsking }) => {
          remember = startAsking({
            isAuthor,
            pageAt,
            open: (url) => void navigation().move('navigateTo', url),
          })
        },
        // Without a network the page opens anyway.
        () => {
          coming = null
        },
      )
      return coming
    },
    open: (ports, opening, make) =>
      remember === null || !isAuthor() ? make(ports) : remember(ports, opening, make),
  }
}
