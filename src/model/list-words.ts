/** Words of lists that no description says, from the text catalogue: columns that every record has, and how a filter sheet asks. */
export type ListWords = Readonly<
  Record<
    | 'owner'
    | 'createdAt'
    | 'followedAt'
    | 'ownerSince'
    | 'spoken'
    | 'poolEnteredAt'
    | 'poolReason'
    | 'any'
    | 'from'
    | 'until'
    | 'today'
    | 'thisWeek'
    | 'thisMonth'
    | 'last30d',
    string
  >
>
