import { describe, expect, it } from 'vitest'
import { showBadge, unreadIn, waitingIn } from '../../../src/app/messages/app-badge.ts'

describe('the number on the app’s icon', () => {
  it('shows the unread count, and disappears when nothing is unread', () => {
    const shown: (number | null)[] = []
    const badges = {
      setAppBadge: async (count: number) => void shown.push(count),
      clearAppBadge: async () => void shown.push(null),
    }

    for (const user of [{ unread: { total: 3 } }, { unread: { total: 0 } }, {}, null])
      showBadge(unreadIn(user), badges)

    expect(shown).toEqual([3, null, null, null])
  })

  it('causes no error where badges are unsupported or not permitted', async () => {
    const refuse = () => Promise.reject(new Error('not installed'))

    showBadge(2, {})
    showBadge(2, { setAppBadge: refuse, clearAppBadge: refuse })
    showBadge(0, { setAppBadge: refuse, clearAppBadge: refuse })

    await new Promise((done) => setTimeout(done))
    expect(waitingIn({ unread: { pages: { '/a': 3, '/b': -1 } } }, '/a')).toBe(3)
    expect(['/b', '/c'].map((path) => waitingIn({ unread: { pages: { '/b': -1 } } }, path))).toEqual([0, 0])
    expect(waitingIn({}, '/a')).toBe(0)
    expect(unreadIn({ unread: { total: 'many' } })).toBe(0)
  })
})
