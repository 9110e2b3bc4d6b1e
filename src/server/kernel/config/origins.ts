/** The origins in a text, separated by blanks or line breaks. */
export const originsIn = (text: string): readonly string[] => text.split(/\s+/).filter((one) => one !== '')

/** True for exactly scheme, host and port: a policy would interpret anything else more widely. */
export const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
