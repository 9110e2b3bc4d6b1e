import type { Json } from '../../../runtime/core/json.ts'
import type { Feedback, Navigator, Text } from '../../../runtime/core/ports.ts'
import type { Navigation, Refusal } from './navigation.ts'
import type { PagesForResult } from './pages-for-result.ts'

interface NavigatorParts extends Pick<Navigation, 'move' | 'back'> {
  readonly pagesForResult: Pick<PagesForResult, 'ask'>
  readonly answer: (made: Json) => boolean
  readonly feedback: Feedback
  readonly text: Text
}

/** The Navigator port of a page. A page that does not exist is reported to the user, other refusals only to developers. */
export function createNavigator({
  move,
  back,
  pagesForResult,
  answer,
  feedback,
  text,
}: NavigatorParts): Navigator {
  const report = (refusal: Refusal): void => {
    if (refusal === null) return
    console.debug(refusal)
    if (refusal.endsWith('is not found')) feedback.toast({ text: text('page.notFound') })
  }
  return {
    open: (url) => void move('navigateTo', url).then(report),
    redirect: (url) => void move('redirectTo', url).then(report),
    relaunch: (url) => void move('reLaunch', url).then(report),
    switchTab: (url) => void move('switchTab', url).then(report),
    back: (delta) => void back(delta).then(report),
    ask: (url) =>
      pagesForResult.ask(async () => {
        const refusal = await move('navigateTo', url)
        report(refusal)
        return refusal
      }),
    answer,
  }
}
