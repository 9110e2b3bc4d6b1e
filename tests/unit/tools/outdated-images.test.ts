import { expect, it } from 'vitest'
import { outdatedImages } from '../../server/images.ts'

it('a run that began before midnight keeps the images it copies', () => {
  const names = ['crm_image_20261127_people_1a', 'crm_image_20261128_demo_1a', 'crm_image_20261126_empty_1a']

  const outdated = outdatedImages(names, new Date('2026-11-28T00:10:00Z'))

  expect(outdated).toEqual(['crm_image_20261126_empty_1a'])
})
