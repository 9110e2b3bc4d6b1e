import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../runtime/core/json.ts'
import type { OwnEntity } from '../../../src/server/flows/sheets/own-sheets.ts'
import { createRowsAlike } from '../../../src/server/flows/sheets/rows-alike.ts'
import type { SheetColumn } from '../../../src/server/flows/sheets/sheet-column.ts'
import type { SheetEntity } from '../../../src/server/flows/sheets/sheet-kinds.ts'

const NUMBER: SheetColumn = {
  name: 'ext.serial',
  label: '序列号',
  field: { name: 'ext.serial', kind: 'text', label: '序列号', unique: 'refuse' },
  own: 'serial',
  isFilled: true,
}

describe('a row of a file that is being checked', () => {
  it.each<[SheetEntity | OwnEntity, JsonObject, JsonObject, string | null]>([
    ['customer', { name: '星海科技有限公司' }, { name: '星海科技' }, 'name'],
    [
      'customer',
      { name: '一', telephone: '0755-8888 1234' },
      { name: '二', mobile: '075588881234' },
      'mobile',
    ],
    ['customer', { name: '一' }, { name: '二' }, null],
    ['lead', { name: '一', mobile: '13811112222' }, { name: '一', mobile: '13811113333' }, null],
    [
      'lead',
      { name: '一', mobile: '13811112222' },
      { name: '二', telephone: '+86 13811112222' },
      'telephone',
    ],
    [
      'contact',
      { customer_name: '甲', name: '何', mobile: '1' },
      { customer_name: '乙', name: '李', mobile: '1' },
      'mobile',
    ],
    [
      'contact',
      { customer_name: '甲', name: '何', mobile: '1' },
      { customer_name: '甲', name: '李', mobile: '1' },
      null,
    ],
    [
      'contact',
      { customer_name: '甲', name: '何', mobile: '1' },
      { customer_name: '甲', name: '何', mobile: '1' },
      'name',
    ],
    ['contact', { customer_name: '甲', name: '何' }, { customer_name: '甲', name: '何' }, null],
    ['product', { category_id: 'c', name: '一' }, { category_id: 'd', name: '一' }, null],
    ['product', { category_id: 'c', name: '一' }, { category_id: 'c', name: '一' }, 'name'],
    ['activity', { name: '一' }, { name: '一' }, null],
    ['m/patrol', { ext: { serial: 'A1' } }, { ext: { serial: 'A1' } }, 'ext.serial'],
    ['m/patrol', { ext: { serial: 'A1' } }, { ext: { serial: 'a1' } }, null],
    ['m/patrol', { ext: {} }, {}, null],
  ])('of %s: after %j, %j repeats %s', (entity, earlier, row, field) => {
    const alike = createRowsAlike(entity, [NUMBER])
    alike.add(earlier, 7)

    expect(alike.find(row)).toEqual(field === null ? null : { at: 7, field })
  })
})
