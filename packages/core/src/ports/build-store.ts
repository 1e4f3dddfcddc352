export type BuildLog = (level: 'info' | 'warn' | 'error', message: string) => void

export type ArchiveVerdict =
  | { readonly ok: true; readonly unpackedBytes: number; readonly entries: number }
  | { readonly ok: false; readonly message: string }

/** Keeps uploaded archives. An archive is there whole or not at all. */
export interface BuildStore {
  readonly name: string
  /**
   * Takes an upload to its end, then makes it the build's archive in one step.
   * Throws PayloadTooLarge past `maxBytes`; a broken stream leaves nothing. One at a time for each build, on whichever node:
   * of several at once the others throw UploadUnderway and read nothing of their bodies. An upload that was left behind by its
   * process stands in nobody's way two minutes after its last byte.
   */
  receive(buildId: string, body: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<{ bytes: number }>
  has(buildId: string): Promise<boolean>
  /** Checks the archive against every refusal of docs/http-api.md (§4), streaming; the message names the entry. */
  inspect(buildId: string, options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict>
  /** Unpacks an inspected archive into an empty folder of this machine, the executable made executable. */
  unpack(buildId: string, options: { executablePath: string; directory: string }): Promise<void>
  /** Removing what is gone is fine. */
  remove(buildId: string): Promise<void>
  /** Drops what uploads left that were cut off with their process. Called at the start and again and again. */
  sweep(): Promise<void>
}

/** Thrown by `receive`. */
export class UploadUnderway extends Error {
  override readonly name = 'UploadUnderway'
}

/** Thrown by `receive`. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge'
}
