/** POST /engine/web/file/upload answers this record; it is also what upload fields keep as their value. */
export interface UploadedFile {
  readonly id: string
  readonly name: string
  /** Signed for 600 s; the record's own answers carry fresh ones. */
  readonly url: string
  readonly size: number
  readonly ext: string
}
