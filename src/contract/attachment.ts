/** A file of a record or of a follow-up on it (DOMAIN 8.3). */
export interface Attachment {
  readonly id: string
  /** The follow-up it came with; null for a file of the record itself. */
  readonly follow_id: string | null
  readonly name: string
  readonly url: string
  /** Bytes; 0 where it was never known. */
  readonly size: number
  /** Such as 320 KB; empty where it was never known. */
  readonly size_text: string
  readonly ext: string
  readonly is_image: boolean
  /** When the follow-up took place, or the record was last changed. */
  readonly at: string
  readonly user_name: string | null
}
