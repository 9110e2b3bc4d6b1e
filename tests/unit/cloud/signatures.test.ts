import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalFields, signFields } from '../../../runtime/cloud/sign/sign-fields.ts'
import { signRequest } from '../../../runtime/cloud/sign/sign-request.ts'

describe('the signature of provider 1', () => {
  const call = { spaceId: 'space-1', timestamp: 1700000000000 }

  it.each([
    [
      { ...call, method: 'serverless.auth.user.anonymousAuthorize', params: '{}' },
      'method=serverless.auth.user.anonymousAuthorize&params={}&spaceId=space-1&timestamp=1700000000000',
      'fc6156e4210316d89d3b7c01c8e94e45',
    ],
    [
      {
        ...call,
        method: 'serverless.function.runtime.invoke',
        params: '{"functionTarget":"hello","functionArgs":{"a":1}}',
        token: 'tok-1',
      },
      'method=serverless.function.runtime.invoke&params={"functionTarget":"hello","functionArgs":{"a":1}}&spaceId=space-1&timestamp=1700000000000&token=tok-1',
      '7f57a7091655363b1cb7e5fbe657aaca',
    ],
  ])('equals the test vector of PROTOCOL 2.1 (%#)', (fields, text, signature) => {
    expect(canonicalFields(fields)).toBe(text)
    expect(signFields(fields, 'secret-1')).toBe(signature)
  })

  it('omits fields without a value', () => {
    expect(canonicalFields({ b: '', a: 1, c: undefined, d: null, e: 0, f: false })).toBe('a=1')
  })

  it('does not depend on the order of the fields and agrees with another implementation', () => {
    const fields = fc.dictionary(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.string({ unit: 'grapheme' }),
    )
    fc.assert(
      fc.property(fields, fc.string({ unit: 'grapheme' }), (given, secret) => {
        const turned = Object.fromEntries(Object.entries(given).reverse())

        const signature = signFields(turned, secret)

        expect(signature).toBe(signFields(given, secret))
        const other = createHmac('md5', secret).update(canonicalFields(given), 'utf8').digest('hex')
        expect(signature).toBe(other)
      }),
    )
  })
})

describe('the signature of provider 3', () => {
  const headers = {
    'x-from-app-id': 'app-1',
    'x-from-env-id': 'env-1',
    'x-to-env-id': 'env-1',
    'x-from-instance-id': '1700000000000',
    'x-from-function-name': 'hello',
    'x-client-timestamp': '1700000000000',
    'x-to-function-name': 'hello',
  }
  const request = {
    method: 'POST',
    path: '/functions/invokeFunction',
    query: '',
    headers,
    signed: Object.keys(headers),
    body: '{"a":1}',
    timestamp: '1700000000000',
    accessKey: 'ak-1',
    secretKey: 'sk-1',
  }

  it('equals the test vector of PROTOCOL 2.3', () => {
    const names =
      'x-client-timestamp;x-from-app-id;x-from-env-id;x-from-function-name;x-from-instance-id;x-to-env-id;x-to-function-name'
    const signature = 'f7740e5d34c6bb0d73d487aae94d0ece7a1429e44cf29793ee1696487a3eb1a8'

    expect(signRequest(request)).toBe(
      `HMAC-SHA256 Credential=ak-1, SignedHeaders=${names}, Signature=${signature}`,
    )
  })

  it('does not depend on the order of the header names', () => {
    const shuffled = fc.shuffledSubarray(request.signed, { minLength: request.signed.length })
    fc.assert(
      fc.property(shuffled, (signed) => {
        expect(signRequest({ ...request, signed })).toBe(signRequest(request))
      }),
    )
  })
})
