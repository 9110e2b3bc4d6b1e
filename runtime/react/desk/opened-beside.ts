import { createContext } from 'react'

/** The id of the record that stands open beside a list; null where the list stands alone. */
export const OpenedBeside = createContext<string | null>(null)
