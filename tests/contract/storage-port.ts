import { describe, expect, it } from 'vitest'
import type { Json } from '../../runtime/core/json.ts'
import type { Storage } from '../../runtime/core/ports.ts'

const EVERYTHING: readonly Json[] = [null, false, 0, -1.5, '', '星海', [], [1, [2]], {}, { a: { b: null } }]

/** Requirements of every Storage port. */
export function storagePortContract(name: string, open: () => Storage): void {
  describe(`the Storage port, ${name}`, () => {
    it('returns nothing for an unknown key, whatever its name', async () => {
      const storage = open()
      for (const key of ['', 'a', '__proto__', 'constructor']) expect(await storage.get(key)).toBeUndefined()
    })

    it.each(EVERYTHING)('returns %j unchanged', async (value) => {
      const storage = open()
      await storage.set('kept', value)
      expect(await storage.get('kept')).toEqual(value)
    })

    it('keeps the last of several values, each key separately', async () => {
      const storage = open()
      await storage.set('a', 1)
      await storage.set('b', 2)
      await storage.set('a', 3)
      expect([await storage.get('a'), await storage.get('b')]).toEqual([3, 2])
    })

    it('deletes a value, and accepts the deletion of an unknown key', async () => {
      const storage = open()
      await storage.set('a', 1)
      await storage.remove('a')
      await storage.remove('a')
      expect(await storage.get('a')).toBeUndefined()
    })

    it('keeps a copy: later changes of a value are not visible', async () => {
      const storage = open()
      const given = { list: [1] }
      await storage.set('a', given)
      given.list.push(2)
      const read = (await storage.get('a')) as { list: number[] }
      read.list.push(3)
      expect(await storage.get('a')).toEqual({ list: [1] })
    })
  })
}
