import type { GroupTally } from './group-tally'
import type { KnownRows } from './known-rows'

/** What the commits of one durable transaction share. */
export interface Group {
  readonly known: KnownRows
  readonly tally: GroupTally
}
