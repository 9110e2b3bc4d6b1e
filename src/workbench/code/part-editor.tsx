import { type PartText, usePartText } from './use-part-text.ts'

/** A part of a page as text. */
export function PartEditor(part: PartText) {
  const { host } = usePartText(part)
  return <div className="wb-script" ref={host} />
}
