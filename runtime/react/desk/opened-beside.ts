import { createContext } from 'react'

/** The id of the record that is open beside a list; null if none is. */
export const OpenedBeside = createContext<string | null>(null)
