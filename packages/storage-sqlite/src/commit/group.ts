import type { KnownRows } from '../read/known-rows'
import type { GroupTally } from './group-tally'

/** State that the commits of one durable transaction share. */
export interface Group {
  readonly known: KnownRows
  readonly tally: GroupTally
}
