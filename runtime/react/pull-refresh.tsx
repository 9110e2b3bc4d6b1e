import PullToRefresh from 'antd-mobile/es/components/pull-to-refresh'
import type { ReactNode } from 'react'
import type { Text } from '../core/ports.ts'

interface Props {
  readonly text: Text
  readonly onRefresh: () => Promise<void>
  readonly children: ReactNode
}

/** A page that can be pulled down to be asked anew (PLATFORM 4.6); fetched only by pages that allow it. */
export default function PullRefresh({ text, onRefresh, children }: Props) {
  return (
    <PullToRefresh
      onRefresh={onRefresh}
      pullingText={text('pull.pulling')}
      canReleaseText={text('pull.release')}
      refreshingText={text('pull.refreshing')}
      completeText={text('pull.done')}
    >
      {children}
    </PullToRefresh>
  )
}
