import type { FastifyRequest } from 'fastify'
import { MENU_LIMITS, type SelectedMenus, type UserDetail } from '../../../contract/session.ts'
import { callerOf } from '../../kernel/auth/caller.ts'
import { moveSession } from '../../kernel/auth/session-store.ts'
import { tenantsOf, unreadPerTenant } from '../../kernel/auth/tenants.ts'
import type { Resource, Services } from '../../kernel/calls/resource.ts'
import { callerIn } from '../../kernel/context/caller-in-model.ts'
import { json } from '../../kernel/db/json.ts'
import { audit, writeOnce } from '../../kernel/records/write-once.ts'
import { refuse } from '../../kernel/text/envelope.ts'
import { text } from '../../kernel/text/text.ts'
import { changePassword, type PasswordBody } from './change-password.ts'
import { draftKeyOf } from './draft-key.ts'
import { signFor } from './login.ts'
import { authoritiesOf, leastOf, readMenus, SLOTS, selectMenus } from './menus.ts'
import { userDetail } from './user-detail.ts'

const PASSWORD = { type: 'string', minLength: 1, maxLength: 128 } as const
const PASSWORD_BODY = {
  type: 'object',
  required: ['oldPassword', 'newPassword', 'confirmPassword'],
  additionalProperties: false,
  properties: {
    oldPassword: PASSWORD,
    newPassword: PASSWORD,
    confirmPassword: PASSWORD,
    clientToken: { type: 'string', maxLength: 64 },
  },
} as const
const IDS = { type: 'array', maxItems: 20, items: { type: 'integer' } } as const
const MENU_BODY = {
  type: 'object',
  required: ['shortcut', 'common', 'bottom', 'clientToken'],
  additionalProperties: false,
  properties: { shortcut: IDS, common: IDS, bottom: IDS, clientToken: { type: 'string' } },
} as const
const SWITCH_BODY = {
  type: 'object',
  required: ['tenantId'],
  additionalProperties: false,
  properties: { tenantId: { type: 'string', maxLength: 64 }, clientToken: { type: 'string', maxLength: 64 } },
} as const

/** The signed-in person: detail, menus, tenants, password (DOMAIN 8.2). */
export const userRoutes: Resource = (app, services) => {
  const { database, now } = services

  app.get('/mini/user/detail', { config: { beforePassword: true } }, async (request): Promise<UserDetail> => {
    const caller = callerOf(request)
    const detail = await database.tenant(caller, async (trx) =>
      userDetail(trx, callerIn(caller, await services.modules.of(trx, caller.tenantId))),
    )
    return { ...detail, draftKey: draftKeyOf(services.secret, caller.tenantId, caller.userId) }
  })

  app.get('/mini/user/menu', (request) => menuChoices(services, request))

  app.post<{ Body: SelectedMenus }>('/mini/user/menu/save', { schema: { body: MENU_BODY } }, (request) =>
    saveMenus(services, request),
  )

  app.post<{ Body: PasswordBody }>(
    '/mini/user/password',
    { config: { beforePassword: true }, schema: { body: PASSWORD_BODY } },
    (request) => changePassword(services, request),
  )

  app.get('/mini/tenant/list', async (request) => {
    const caller = callerOf(request)
    const { tenants, unread } = await database.system(async (trx) => ({
      tenants: await tenantsOf(trx, caller.userId, now()),
      unread: await unreadPerTenant(trx, caller.userId, now()),
    }))
    return tenants.map((tenant) => ({
      ...tenant,
      current: tenant.id === caller.tenantId,
      unread: unread.get(tenant.id) ?? 0,
    }))
  })

  app.post<{ Body: { tenantId: string } }>(
    '/mini/tenant/switch',
    { schema: { body: SWITCH_BODY } },
    (request) => switchTenant(services, request),
  )
}

async function menuChoices({ database }: Services, request: FastifyRequest) {
  const { authorities, selected } = await database.tenant(callerOf(request), (trx) =>
    userDetail(trx, callerOf(request)),
  )
  const inSlot = (slot: (typeof SLOTS)[number]) => authorities.filter((menu) => menu.slot.includes(slot))
  return {
    slots: SLOTS.map((key) => ({
      key,
      title: text(`menu.slot.${key}`),
      min: leastOf(key, authorities),
      max: MENU_LIMITS[key][1],
    })),
    candidates: { shortcut: inSlot('shortcut'), common: inSlot('common'), bottom: inSlot('bottom') },
    selected,
  }
}

async function saveMenus({ database }: Services, request: FastifyRequest<{ Body: SelectedMenus }>) {
  const { shortcut, common, bottom } = request.body
  const chosen: SelectedMenus = { shortcut, common, bottom }
  return writeOnce(database, request, { action: 'user:menu', entity: 'membership' }, async (trx, caller) => {
    const authorities = authoritiesOf(await readMenus(trx, caller.tenantId), caller.permissions)
    for (const slot of SLOTS) {
      const min = leastOf(slot, authorities)
      const max = MENU_LIMITS[slot][1]
      const count = new Set(chosen[slot]).size
      if (count < min || count > max || count !== chosen[slot].length) {
        refuse(400, 'VALIDATION', text('menu.count', { title: text(`menu.slot.${slot}`), min, max }))
      }
      const fits = authorities.filter((menu) => menu.slot.includes(slot)).map((menu) => menu.id)
      if (!chosen[slot].every((id) => fits.includes(id))) refuse(400, 'VALIDATION', text('menu.unknown'))
    }
    await trx
      .updateTable('membership')
      .set({ selected: json({ ...chosen }) })
      .where('tenant_id', '=', caller.tenantId)
      .where('user_id', '=', caller.userId)
      .execute()
    return { recordId: caller.userId, data: { ...selectMenus({ ...chosen }, authorities) } }
  })
}

/** Only enabled memberships of active tenants; a tenant that the user does not belong to looks like one that does not exist. */
async function switchTenant(services: Services, request: FastifyRequest<{ Body: { tenantId: string } }>) {
  const { database, now, sessions } = services
  const caller = callerOf(request)
  const { tenantId } = request.body
  const { sessionId, tenant } = await database.system(async (trx) => {
    const all = await tenantsOf(trx, caller.userId, now())
    const tenant = all.find((one) => one.id === tenantId) ?? refuse(404, 'NOT_FOUND', text('call.not-found'))
    if (tenant.status === 'expired') refuse(400, 'VALIDATION', text('session.tenant-expired'))
    if (tenant.status === 'disabled') refuse(400, 'VALIDATION', text('session.tenant-disabled'))
    const session = await trx
      .selectFrom('session')
      .select(['device_id', 'device_name'])
      .where('id', '=', caller.sessionId)
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('membership')
      .set({ last_used_at: new Date(now()) })
      .where('tenant_id', '=', tenantId)
      .where('user_id', '=', caller.userId)
      .execute()
    const next = {
      userId: caller.userId,
      tenantId,
      deviceId: session.device_id,
      deviceName: session.device_name,
    }
    return { tenant, sessionId: await moveSession(trx, caller.sessionId, next, now()) }
  })
  await database.tenant(caller, (trx) =>
    audit(trx, request, { action: 'session:switch', entity: 'session' }, { detail: { tenantId } }),
  )
  await sessions.changed(caller.userId)
  const signed = await signFor(services, sessionId, tenantId)
  const state = await sessions.find(sessionId, tenantId)
  const detail = state && (await database.tenant(state.caller, (trx) => userDetail(trx, state.caller)))
  return { ...signed, tenant, userInfo: detail?.userInfo ?? null }
}
