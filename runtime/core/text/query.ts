/** `name=value` of a query, escaped. */
export const queryPart = (name: string, value: string): string => `${escaped(name)}=${escaped(value)}`

/** Half a surrogate pair, left by cutting an emoji: `encodeURIComponent` throws on it. */
const HALVES = /\p{Surrogate}/gu

const escaped = (text: string): string => encodeURIComponent(text.replace(HALVES, '\ufffd'))
