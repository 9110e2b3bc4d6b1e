/** The owner of an entry. `every`: the form and all widgets. `global`: a name of the guest's global object. */
type Owner = 'every' | 'form' | 'field' | 'subForm' | 'container' | 'global'

/** One name that real VForm code uses, and what it is in a page script. */
export interface Entry {
  readonly owner: Owner
  readonly name: string
  /** The parameters as written by authors, including defaults. */
  readonly params: string
  /** `stand-in`: a similar, safe function. `error`: an error whose message is the note. */
  readonly status: 'supported' | 'stand-in' | 'error'
  readonly kind: 'method' | 'property'
  /** A remark; for an error, what to use instead. */
  readonly note: string
}
