import { callerOf } from '../../kernel/auth/caller.ts'
import type { Resource } from '../../kernel/calls/resource.ts'
import { callContextOf, runRead } from '../../kernel/calls/run-read.ts'
import { bodyOf } from '../../kernel/fields/input.ts'
import { writeOnce } from '../../kernel/records/write-once.ts'
import { deptTree } from './dept-tree.ts'
import { kickDevice, listDevices } from './devices.ts'
import { peopleOptions } from './people-options.ts'
import { readPreferences, savePreferences } from './preferences.ts'
import { readProfile, updateProfile } from './profile.ts'

const KICK = {
  body: {
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: { id: { type: 'string', minLength: 1, maxLength: 64 }, clientToken: { type: 'string' } },
  },
} as const

const words = (maxLength: number) => ({ type: 'string', maxLength }) as const
const PEOPLE = {
  querystring: {
    type: 'object',
    properties: {
      keyword: words(50),
      deptId: words(64),
      scope: { enum: ['all', 'sub', 'team'] },
      may: words(64),
      withoutMe: { enum: ['true', 'false'] },
      without: words(4000),
      cursor: words(64),
      limit: { enum: ['20', '50', '100'] },
      ids: words(4000),
    },
  },
} as const
const MAX_IDS = 100
const PAGE = 50

const idList = (written = '') => written.split(',').filter(Boolean).slice(0, MAX_IDS)

/** The caller's own data: profile, devices, preferences (DOMAIN 8.2). */
export const profileRoutes: Resource = (app, services) => {
  app.get('/mini/user/profile', (request) => runRead(services, callerOf(request), readProfile))
  app.post('/mini/user/update', { config: { limit: 30, once: true } }, async (request) => {
    const data = await writeOnce(
      services.database,
      request,
      { action: 'user:update', entity: 'membership' },
      async (trx, caller) => updateProfile(bodyOf(request.body), await callContextOf(services, caller, trx)),
    )
    // The name is part of the cached session.
    await services.sessions.changed(callerOf(request).userId)
    return data
  })
  app.get('/mini/dept/tree', (request) => runRead(services, callerOf(request), deptTree))
  app.get<{ Querystring: PeopleText }>('/mini/user/options', { schema: PEOPLE }, (request) => {
    const { keyword = '', deptId, scope = 'all', may, withoutMe, without, cursor, limit, ids } = request.query
    const query = {
      keyword,
      deptId: deptId || null,
      scope,
      may: may || null,
      withoutMe: withoutMe === 'true',
      without: idList(without),
      cursor: cursor || null,
      limit: Number(limit ?? PAGE),
      ids: ids === undefined ? null : idList(ids),
    }
    return runRead(services, callerOf(request), (ctx) => peopleOptions(query, ctx))
  })
  app.get('/mini/user/preference', (request) => runRead(services, callerOf(request), readPreferences))
  app.post('/mini/user/preference', { config: { once: true } }, (request) =>
    writeOnce(
      services.database,
      request,
      { action: 'user:preference', entity: 'membership' },
      async (trx, caller) =>
        savePreferences(bodyOf(request.body), await callContextOf(services, caller, trx)),
    ),
  )
  app.get('/mini/user/session/list', (request) => listDevices(services, request))
  app.post<{ Body: { id: string } }>('/mini/user/session/kick', { schema: KICK }, (request) =>
    kickDevice(services, request),
  )
}

interface PeopleText {
  readonly keyword?: string
  readonly deptId?: string
  readonly scope?: 'all' | 'sub' | 'team'
  readonly may?: string
  readonly withoutMe?: string
  readonly without?: string
  readonly cursor?: string
  readonly limit?: string
  readonly ids?: string
}
