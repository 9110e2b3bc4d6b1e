import { randomInt } from 'node:crypto'
import type { Database } from '../../kernel/db/database.ts'
import { newId } from '../../kernel/db/id.ts'
import { drawDigits } from './captcha-image.ts'

const LIFE_MS = 5 * 60 * 1000

/** A new captcha for a device. */
export async function createCaptcha(database: Database, deviceId: string, now: number) {
  const answer = String(randomInt(10_000)).padStart(4, '0')
  const id = newId()
  await database.system(async (trx) => {
    await trx.deleteFrom('captcha').where('device_id', '=', deviceId).execute()
    await trx
      .insertInto('captcha')
      .values({ id, answer, device_id: deviceId, expires_at: new Date(now + LIFE_MS) })
      .execute()
  })
  return { captchaId: id, image: drawDigits(answer) }
}

/** True if the answer is right. A captcha can be used for one attempt, right or wrong. */
export async function takeCaptcha(
  database: Database,
  { captchaId, captcha, deviceId }: { captchaId?: string; captcha?: string; deviceId: string },
  now: number,
): Promise<boolean> {
  if (captchaId === undefined || captcha === undefined) return false
  const row = await database.system((trx) =>
    trx.deleteFrom('captcha').where('id', '=', captchaId).returningAll().executeTakeFirst(),
  )
  return (
    row !== undefined &&
    row.device_id === deviceId &&
    row.expires_at.getTime() > now &&
    row.answer === captcha.trim()
  )
}
