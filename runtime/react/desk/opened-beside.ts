import { createContext } from 'react'

/** The query of the page that is open beside a list, which names a row by its key; null if none is. */
export const OpenedBeside = createContext<Readonly<Record<string, string>> | null>(null)
