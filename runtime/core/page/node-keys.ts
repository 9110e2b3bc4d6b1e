import { problem } from '../errors.ts'
import type { Build, Draft } from './build.ts'
import type { NodeKey } from './page.ts'
import { joinPointer } from './pointer.ts'

/** The key of each draft: its name if unique, otherwise its pointer in the document. */
export function keyDrafts(build: Build): Map<Draft, NodeKey> {
  const uses = new Map<string, number>()
  for (const { name } of build.drafts) uses.set(name, (uses.get(name) ?? 0) + 1)
  const keys = new Map<Draft, NodeKey>()
  for (const draft of build.drafts) {
    const { name } = draft
    const unique = name !== '' && uses.get(name) === 1 && !name.startsWith('/') && !name.includes('@row')
    keys.set(draft, unique ? name : draft.place)
  }
  reportRepeated(build)
  return keys
}

/**
 * Two fields of one record that share a name, or a field and a sub-form, write one value. Fields drawn once per data row are left out: they belong to
 * no record of the form. Plain VForm documents load all the same, as they do elsewhere.
 */
function reportRepeated(build: Build): void {
  const seen = new Map<Draft | null, Set<string>>()
  for (const { field, spec, name, template, subForm, pointer, place } of build.drafts) {
    const holdsValue = field || spec.children === 'rowList'
    if (!holdsValue || name === '' || template !== null) continue
    const names = seen.get(subForm) ?? new Set<string>()
    seen.set(subForm, names)
    if (names.has(name)) {
      const at = place === pointer ? joinPointer(joinPointer(pointer, 'options'), 'name') : pointer
      build.report(problem('NAME_REPEATED', at, { name }, build.ours ? 'error' : 'warning'))
    }
    names.add(name)
  }
}
