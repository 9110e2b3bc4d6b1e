/** Words of derived pages, from the text catalogue. */
export type DerivedWords = Readonly<
  Record<
    | 'new'
    | 'transfer'
    | 'transferTo'
    | 'transferred'
    | 'edit'
    | 'save'
    | 'saved'
    | 'delete'
    | 'deleted'
    | 'deleteTitle'
    | 'deleteAsk'
    | 'all'
    | 'mine'
    | 'filter'
    | 'reset'
    | 'done'
    | 'none'
    | 'search'
    | 'facts'
    | 'log'
    | 'noLog'
    | 'owner'
    | 'number'
    | 'author'
    | 'createdAt'
    | 'from'
    | 'until'
    | 'required'
    | 'queued'
    | 'lng'
    | 'lat'
    | 'locate',
    string
  >
>
