import { type PartText, usePartText } from './use-part-text.ts'

/** Part of a page as its text. */
export function PartEditor(part: PartText) {
  const { host } = usePartText(part)
  return <div className="wb-script" ref={host} />
}
