/** Whose member an entry is. `every`: the form and all widgets. `global`: a name of the guest's global object. */
type Owner = 'every' | 'form' | 'field' | 'subForm' | 'container' | 'global'

/** One name that real VForm code uses, and what a page script gets for it. */
export interface Entry {
  readonly owner: Owner
  readonly name: string
  /** As an author writes them, defaults included. */
  readonly params: string
  /** `stand-in`: something near that is safe. `error`: an error whose message is the note. */
  readonly status: 'supported' | 'stand-in' | 'error'
  readonly kind: 'method' | 'property'
  /** What to know; for an error, what to use instead. */
  readonly note: string
}
