import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { readListRequest } from '../../kernel/lists/list-request.ts'
import { openList } from '../../kernel/lists/open-list.ts'
import { openStream } from '../../kernel/live/stream.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { deleteMessages, readMessages } from './change-messages.ts'
import { createHub } from './hub.ts'
import { MESSAGE_LIST } from './list-spec.ts'
import { messageRow, type StoredMessage } from './message-row.ts'
import { messageSetting, saveMessageSetting } from './setting.ts'
import { unreadCount } from './unread.ts'

/** /mini/message/… (DOMAIN 8.5): list, counts, read, delete, settings, and the live stream. */
export const messageRoutes: Resource = (app, services) => {
  app.post('/mini/message/list', (request) =>
    runRead(services, callerOf(request), (ctx) =>
      openList<StoredMessage>(MESSAGE_LIST, readListRequest(request.body), ctx).page((row) =>
        messageRow(row, ctx),
      ),
    ),
  )
  app.get('/mini/message/unread-count', (request) => runRead(services, callerOf(request), unreadCount))
  // Reading and deleting are idempotent, so they need no token and leave no audit row.
  app.post('/mini/message/read', (request) =>
    runRead(services, callerOf(request), (ctx) => readMessages(bodyOf(request.body), ctx)),
  )
  app.post('/mini/message/delete', (request) =>
    runRead(services, callerOf(request), (ctx) => deleteMessages(bodyOf(request.body), ctx)),
  )
  app.get('/mini/message/setting', (request) => runRead(services, callerOf(request), messageSetting))
  app.post('/mini/message/setting', { config: { once: true } }, (request) =>
    writeOnce(
      services.database,
      request,
      { action: 'user:message-setting', entity: 'message_setting' },
      async (trx, caller) =>
        saveMessageSetting(bodyOf(request.body), await callContextOf(services, caller, trx)),
    ),
  )

  const hub = createHub(services)
  let stop: () => Promise<void> = async () => undefined
  app.addHook('onReady', async () => {
    stop = await hub.start()
  })
  app.addHook('preClose', async () => hub.closeAll())
  app.addHook('onClose', () => stop())
  app.get('/mini/message/stream', { config: { raw: true, byStatus: true } }, (request, reply) => {
    const caller = callerOf(request)
    const last = request.headers['last-event-id']
    const stream = openStream(reply, () => hub.remove(stream))
    hub.add(stream, caller, typeof last === 'string' ? last : null)
  })
}
