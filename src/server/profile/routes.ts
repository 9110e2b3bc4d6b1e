import { callerOf } from '../auth/caller.ts'
import { ask, askingOf } from '../records/ask.ts'
import { bodyOf } from '../records/input.ts'
import type { Resource } from '../resource.ts'
import { writeOnce } from '../security/write-once.ts'
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
      ids: words(4000),
    },
  },
} as const
const IDS_MOST = 100

/** What a person keeps about himself: profile, devices, preferences (CRM 8.2). */
export const profileRoutes: Resource = (app, services) => {
  app.get('/mini/user/profile', (request) => ask(services, callerOf(request), readProfile))
  app.post('/mini/user/update', { config: { limit: { max: 30, by: 'user' } } }, async (request) => {
    const data = await writeOnce(
      services.database,
      request,
      { action: 'user:update', entity: 'membership' },
      (trx, caller) => updateProfile(bodyOf(request.body), askingOf(services, caller, trx)),
    )
    // The name is part of what is known of the session.
    await services.sessions.changed(callerOf(request).userId)
    return data
  })
  app.get<{ Querystring: PeopleText }>('/mini/user/options', { schema: PEOPLE }, (request) => {
    const { keyword = '', deptId = null, scope = 'all', may, withoutMe, ids } = request.query
    const wanted = ids === undefined ? null : ids.split(',').filter(Boolean).slice(0, IDS_MOST)
    const right = may === undefined || may === '' ? null : may
    const query = { keyword, deptId, scope, may: right, withoutMe: withoutMe === 'true', ids: wanted }
    return ask(services, callerOf(request), (asking) => peopleOptions(query, asking))
  })
  app.get('/mini/user/preference', (request) => ask(services, callerOf(request), readPreferences))
  app.post('/mini/user/preference', (request) =>
    writeOnce(
      services.database,
      request,
      { action: 'user:preference', entity: 'membership' },
      (trx, caller) => savePreferences(bodyOf(request.body), askingOf(services, caller, trx)),
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
  readonly ids?: string
}
