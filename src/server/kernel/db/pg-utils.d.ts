declare module 'pg/lib/utils.js' {
  type WireValue = string | Buffer | null
  const utils: { readonly prepareValue: (value: unknown) => WireValue }
  export default utils
}
