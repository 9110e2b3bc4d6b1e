const SYSTEMS = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
] as const
const PROGRAMS = [
  [/MicroMessenger/, '微信'],
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const

/** A device's name in two words; '' if its `User-Agent` is unknown. */
export function deviceName(userAgent: string | undefined): string {
  const find = (table: readonly (readonly [RegExp, string])[]) =>
    table.find(([sign]) => sign.test(userAgent ?? ''))?.[1]
  return [find(SYSTEMS), find(PROGRAMS)].filter(Boolean).join(' · ')
}
