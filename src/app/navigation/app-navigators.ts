import type { Feedback, Navigator, Text } from '../../../runtime/core/ports.ts'
import type { Navigation } from './navigation.ts'
import { createNavigator } from './navigator.ts'
import type { Entry } from './page-stack.ts'
import { createPagesForResult } from './pages-for-result.ts'

interface Parts {
  /** A function, since the stack is created after the pages. */
  readonly navigation: () => Navigation
  readonly feedback: Feedback
  readonly text: Text
}

/** Creates the Navigator port of a page; without an entry, one that belongs to no page. */
export function createNavigators({ navigation, feedback, text }: Parts): (entry?: Entry) => Navigator {
  const pagesForResult = createPagesForResult(navigation)
  return (entry) =>
    createNavigator({
      move: (kind, url) => navigation().move(kind, url, entry?.id),
      back: (delta) => navigation().back(delta, 'navigateBack', entry?.id),
      answer: (made) => pagesForResult.answer(made, entry?.id),
      pagesForResult,
      feedback,
      text,
    })
}
