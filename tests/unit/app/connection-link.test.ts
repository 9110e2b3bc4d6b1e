import { describe, expect, it } from 'vitest'
import type { Json } from '../../../runtime/core/json.ts'
import type { Http, HttpRequest } from '../../../runtime/core/ports.ts'
import { linkConnections } from '../../../src/app/net/connection-link.ts'
import { connectionRequest, connectionsIn } from '../../../src/contract/connection.ts'

describe('an address of a connection', () => {
  it('is requested through our server, which returns only the body to the page', async () => {
    const { http, sent } = answering({ meta: { code: 200 }, data: { id: 7 } })

    const read = await linkConnections(http).send({
      url: 'conn:orders/list?page=2',
      method: 'GET',
      keep: true,
    })

    expect(read).toMatchObject({ ok: true, value: { data: { id: 7 } } })
    expect(sent).toMatchObject([
      { method: 'GET', url: '/mini/connection/read?name=orders&path=%2Flist%3Fpage%3D2', keep: true },
    ])
    expect(sent[0]).not.toHaveProperty('headers')
  })

  it('is sent with any method, as one call that is never retried automatically', () => {
    const body = { clientToken: 'abcdefgh', n: 1 }
    const asked = connectionRequest({ url: 'conn:orders', method: 'PUT', body })

    expect(asked).toMatchObject({
      method: 'POST',
      url: '/mini/connection/send',
      body: { name: 'orders', path: '/', method: 'PUT', body },
    })
  })

  it.each(['/mini/x', 'https://a.example/conn:b', 'conn:', 'conn:/x', 'conn:Up/x', 'conn:a b/x', 'cloud:x'])(
    'does not match %s',
    async (url) => {
      const { http, sent } = answering({ plain: true })

      expect(await linkConnections(http).send({ url, method: 'GET' })).toMatchObject({
        value: { data: { plain: true } },
      })
      expect(sent).toEqual([{ url, method: 'GET' }])
    },
  )

  it('is found inside a page document', () => {
    const document = {
      formConfig: { dataSources: [{ requestURL: 'conn:a/x' }, { requestURL: 'conn:{{ params.name }}/x' }] },
      widgetList: [{ options: { requestURL: 'conn:b', text: 'conn:c/x' } }],
    }

    expect(connectionsIn(document)).toEqual([
      { at: '/formConfig/dataSources/0/requestURL', name: 'a' },
      { at: '/widgetList/0/options/requestURL', name: 'b' },
    ])
  })
})

function answering(data: Json): { http: Http; sent: HttpRequest[] } {
  const sent: HttpRequest[] = []
  const http = {
    async send(request: HttpRequest) {
      sent.push(request)
      return { ok: true, value: { status: 200, headers: {}, data } } as const
    },
    upload: async () => ({ ok: true, value: { status: 200, headers: {}, data: null } }) as const,
  }
  return { http, sent }
}
