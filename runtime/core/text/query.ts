/** `name=value` of a query, escaped. */
export const queryPart = (name: string, value: string): string => `${escaped(name)}=${escaped(value)}`

/** Half an emoji, as a cut at a number of characters leaves it: `encodeURIComponent` throws on it. */
const HALVES = /\p{Surrogate}/gu

const escaped = (text: string): string => encodeURIComponent(text.replace(HALVES, '\ufffd'))
