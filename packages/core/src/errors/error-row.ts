/** Kind of a refusal, independent of the transport; the HTTP package gives each kind its status. */
export type ErrorKind =
  /** The input has not the form that is asked for. */
  | 'invalid'
  /** Nobody known is calling. */
  | 'unauthenticated'
  /** Paying comes first. */
  | 'unpaid'
  /** Known, and not allowed. */
  | 'forbidden'
  /** There is no such thing, or it is not the caller's to know of. */
  | 'absent'
  /** The thing is there and is not asked for in this way. */
  | 'unsuited'
  /** Not in this state. */
  | 'conflict'
  | 'too_large'
  /** The head of the request is too large: its address or its headers. */
  | 'head_too_large'
  /** In a format that is not read here. */
  | 'unreadable'
  /** Repeats an earlier request that said something else. */
  | 'mismatch'
  | 'too_many'
  /** A fault of our own. */
  | 'bug'
  /** Something that the service leans on failed for good. */
  | 'failed'
  /** Something that the service leans on is away for now. */
  | 'unavailable'

/** Effect of sending the same request again. */
export type ErrorRetry =
  | 'in-vain'
  | 'when-changed'
  | 'after-a-pause'
  | 'at-once'
  | 'in-time'
  | 'in-doubt'
  | 'never-answered'

/** Everything that is known of an error code: the catalogue, the pages of errors, the clients and the documents are made of it. */
export interface ErrorRow<Code extends string = string> {
  /** Stable, and never used again for another code. */
  readonly number: number
  readonly kind: ErrorKind
  readonly title: string
  /** Cause of the error, in the caller's terms. */
  readonly happened: string
  /** Remedy. */
  readonly mend: string
  /** Content of `details`, where present. */
  readonly details?: string
  readonly retry: ErrorRetry
  /** Where the code is met beside the operations whose documentation names it. */
  readonly also?: string
  /** The codes that it is taken for, or that come next. */
  readonly near: readonly Code[]
}

/** Returns the codes of one topic as they are given, with their names and those of their neighbours as types. */
export const errorCodes = <Code extends string, const Near extends string>(
  codes: Readonly<Record<Code, ErrorRow<Near>>>,
): Readonly<Record<Code, ErrorRow<Near>>> => codes
