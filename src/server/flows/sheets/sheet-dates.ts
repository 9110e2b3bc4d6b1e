const DAY_MS = 86_400_000
/** Serial number 0; dates before March 1900 are off by one, as in the programs that write them. */
const EPOCH = Date.UTC(1899, 11, 30)
const EPOCH_1904 = Date.UTC(1904, 0, 1)
/** Larger numbers are not dates (the year 9999). */
const MAX_SERIAL = 2_958_465

/** The local time that a sheet's number represents, read as UTC; a number that is not a date is returned unchanged. */
export function dateOfSerial(serial: number, is1904: boolean): Date | number {
  if (serial < 0 || serial > MAX_SERIAL) return serial
  return new Date(Math.round((is1904 ? EPOCH_1904 : EPOCH) + serial * DAY_MS))
}

/** Whether a number format formats numbers as dates: a built-in format number, or a code with year, month, day or hour. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code !== undefined) return /[ymdhs]/i.test(code.slice(0, 200).replace(NO_CODE, ''))
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
}

/** Parts of a format code to ignore: texts, colours and languages, padding. */
const NO_CODE = /"[^"]*"|\[[^\]]*\]|[\\_*]./g
