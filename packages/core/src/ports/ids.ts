export type IdPrefix =
  | 'acc'
  | 'prj'
  | 'key'
  | 'sec'
  | 'bld'
  | 'lob'
  | 'mat'
  | 'srv'
  | 'ses'
  | 'evt'
  | 'tkt'
  | 'arr'
  | 'cmt'
  | 'req'
  | 'whk'
  | 'msg'
  | 'dlv'

/** New identifiers: a prefix and a ULID, ascending within a process. */
export interface Ids {
  next(prefix: IdPrefix): string
}
