import { describe, expect, it } from 'vitest'
import { createLook, LOOKS } from '../../../src/app/device/look.ts'
import { answerChoice } from '../../../src/app/session/local-choices.ts'
import { createTypedStorage } from '../../../src/app/storage/typed-storage.ts'
import { memoryTexts } from '../../support/memory-texts.ts'

describe('the look of the app', () => {
  it('follows the system until the user chooses a theme, and again if they choose to follow it', () => {
    const { look, drawn, setSystem } = aLook(false)

    setSystem(true)
    look.choose('light')
    setSystem(false)
    setSystem(true)
    look.choose('system')

    expect(drawn).toEqual([false, true, false, false, false, true])
  })

  it('is stored on the device; an unknown choice changes nothing', () => {
    const { look, again } = aLook(false)

    look.choose('dark')
    look.choose('pink')

    expect(look.choice()).toBe('dark')
    expect(again().drawn).toEqual([true])
  })

  it('is a data source that a page can read and change', async () => {
    const { look } = aLook(false)
    const text = (code: string) => code

    const choices = { look: { ids: LOOKS, current: look.choice, choose: look.choose } }

    const answer = await answerChoice(choices, text, { url: 'local:/look/change', body: { id: 'dark' } })
    expect(answerChoice(choices, text, { url: 'local:/lookalike' })).toBeNull()

    expect(answer).toMatchObject({
      ok: true,
      value: {
        data: {
          list: [
            { id: 'system', name: 'choice.look.system', current: false },
            { id: 'light', current: false },
            { id: 'dark', current: true },
          ],
        },
      },
    })
  })
})

function aLook(isDark: boolean, storage = createTypedStorage(memoryTexts())) {
  const drawn: boolean[] = []
  let matches = isDark
  let tell = () => {}
  const system = {
    get matches() {
      return matches
    },
    addEventListener: (_: string, listener: unknown) => {
      tell = listener as () => void
    },
  }
  const look = createLook({ storage, system, draw: (dark) => void drawn.push(dark) })
  return {
    look,
    drawn,
    setSystem(next: boolean) {
      matches = next
      tell()
    },
    again: () => aLook(isDark, storage),
  }
}
