/** The origins of a text, one after the other with blanks or lines between them. */
export const originsIn = (text: string): readonly string[] => text.split(/\s+/).filter((one) => one !== '')

/** True for scheme, host and port alone: anything longer or shorter would be read as something wider by a policy. */
export const isOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
