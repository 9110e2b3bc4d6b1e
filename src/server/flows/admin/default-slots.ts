import { sql } from 'kysely'
import type { Json, JsonObject } from '../../../../runtime/core/json.ts'
import { MENU_LIMITS, type MenuSlot, type SelectedMenus } from '../../../contract/session.ts'
import type { CallContext } from '../../kernel/context/call-context.ts'
import { json } from '../../kernel/db/json.ts'
import { refuseFaults } from '../../kernel/fields/input.ts'
import { presetMenus } from '../../kernel/model/preset-menus.ts'
import { text } from '../../kernel/text/text.ts'
import { readMenus, SLOTS } from '../sign-in/menus.ts'
import { idNumbers } from './input.ts'
import type { AdminResult } from './kind.ts'

/** The menus of people who have not chosen their own, with the possible entries and limits of each slot (DOMAIN 1.14). */
export async function readDefaultSlots({ trx, caller }: CallContext) {
  const menus = (await readMenus(trx, caller.tenantId)).filter((menu) => menu.hide === 0)
  const { rows } = await sql<{ settings: unknown }>`select settings from tenant
    where id = ${caller.tenantId}`.execute(trx)
  const candidates = Object.fromEntries(
    SLOTS.map((slot) => [
      slot,
      menus.filter((menu) => menu.slot.includes(slot)).map(({ id, title }) => ({ value: id, label: title })),
    ]),
  )
  return { selected: presetMenus(rows[0]?.settings), candidates, limits: MENU_LIMITS }
}

/**
 * Sets the menus of people who have not chosen their own; the choices of others are kept.
 *
 * @param body  `shortcut[]`, `common[]`, `bottom[]`: ids of visible entries, in order, within 2–4, 4–8, 0–3
 */
export async function saveDefaultSlots(body: JsonObject, ctx: CallContext): Promise<AdminResult> {
  const before = await readDefaultSlots(ctx)
  const chosen = (slot: MenuSlot): readonly number[] => {
    const ids = idNumbers(body[slot], slot)
    const [min, max] = MENU_LIMITS[slot]
    const fits = ids.every((id) => before.candidates[slot]?.some((one) => one.value === id))
    if (!fits) refuseFaults({ [slot]: text('menu.unknown') })
    if (ids.length < min || ids.length > max)
      refuseFaults({ [slot]: text('menu.count', { title: text(`menu.slot.${slot}`), min, max }) })
    return ids
  }
  const after: SelectedMenus = {
    shortcut: chosen('shortcut'),
    common: chosen('common'),
    bottom: chosen('bottom'),
  }
  const stored = json({ default_menus: after as unknown as Json })
  await sql`update tenant set settings = settings || ${stored}::jsonb, updated_at = ${ctx.now}, version = version + 1
    where id = ${ctx.caller.tenantId}`.execute(ctx.trx)
  return {
    data: after as unknown as Json,
    recordId: 'default',
    detail: { before: before.selected as unknown as Json, after: after as unknown as Json },
    people: [ctx.caller.userId],
  }
}
