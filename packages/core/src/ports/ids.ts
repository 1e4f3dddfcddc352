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
  | 'inv'
  | 'aud'

/**
 * Generator of identifiers: each is a prefix and a ULID, ascending within a process. A caller with a project's key can read every resource
 * whose id it knows. Ids must therefore be unguessable: at least 64 bits of each id come from a cryptographic generator.
 */
export interface Ids {
  next(prefix: IdPrefix): string
}
