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

/**
 * New identifiers: a prefix and a ULID, ascending within a process. Whoever holds a project's key reads what it knows the id of, so ids are to be
 * unguessable too: at least 64 bits of each are drawn anew from a generator fit for secrets.
 */
export interface Ids {
  next(prefix: IdPrefix): string
}
