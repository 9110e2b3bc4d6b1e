import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase64, encodeBase64 } from '../../../runtime/cloud/base64.ts'
import { readCurrentUser } from '../../../runtime/cloud/current-user.ts'
import { hasPermission, hasRole, isTokenValid } from '../../../runtime/cloud/index.ts'
import { fillPlaces } from '../../../runtime/core/errors.ts'
import type { Text } from '../../../runtime/core/ports.ts'
import texts from '../../../schemas/text/zh-hans.cloud.json'

const text: Text = (code, params) => fillPlaces(texts[code as keyof typeof texts], params)
const tokenOf = (claims: unknown) => `head.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sign`

describe('the current user', () => {
  it('is read from the token, without its times', () => {
    const claims = { uid: 'u1', role: ['sales'], permission: ['read'], nick: '小王？？', exp: 1700, iat: 1 }

    expect(readCurrentUser(tokenOf(claims), text)).toEqual({
      uid: 'u1',
      role: ['sales'],
      permission: ['read'],
      nick: '小王？？',
      tokenExpired: 1_700_000,
    })
  })

  it.each([undefined, '', 'a.b', 'a.b.c.d'])('is nobody with the token %j', (token) => {
    expect(readCurrentUser(token, text)).toEqual({ uid: null, role: [], permission: [], tokenExpired: 0 })
  })

  it.each(['a.!!.c', 'a.bm8.c', 'a.WzFd.c'])('cannot be read from %s', (token) => {
    expect(() => readCurrentUser(token, text)).toThrow(/^获取当前用户信息出错，详细错误信息为：./)
  })

  it('has roles and permissions; admin has all', () => {
    const user = readCurrentUser(tokenOf({ uid: 'u', role: ['admin'], permission: [], exp: 2 }), text)

    expect([hasRole(user, 'admin'), hasRole(user, 'sales'), hasPermission(user, 'anything')]).toEqual([
      true,
      false,
      true,
    ])
    expect([isTokenValid(user, 1999), isTokenValid(user, 2000)]).toEqual([true, false])
  })
})

describe('base64', () => {
  it('agrees with another implementation, in both alphabets', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (given) => {
        const bytes = Buffer.from(given)

        expect(encodeBase64(given)).toBe(bytes.toString('base64'))
        expect(decodeBase64(bytes.toString('base64'))).toBe(given)
        expect(decodeBase64(bytes.toString('base64url'))).toBe(given)
      }),
    )
  })

  it.each(['a', '*', 'gA==', 'a=b'])('refuses %s', (coded) => {
    expect(() => decodeBase64(coded)).toThrow()
  })
})
