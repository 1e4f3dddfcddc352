import type { Database } from 'better-sqlite3'
import { type ChangeStatements, changeStatements } from './changes'
import { type CommitStatements, commitStatements } from './commits'
import { type CoordinationStatements, coordinationStatements } from './coordination'
import { entityStatements } from './entities'
import { type JobStatements, jobStatements } from './jobs'
import { type LabelStatements, labelStatements } from './labels'
import { type ListStatements, listStatements } from './lists'
import { type LobbyStatements, lobbyStatements } from './lobbies'
import { type MatchStatements, matchStatements } from './matches'
import { type PruneStatements, pruneStatements } from './prune'
import { type RecordStatements, recordStatements } from './records'
import { type ServerStatements, serverStatements } from './servers'
import { type StreamLogStatements, streamLogStatements } from './stream-log'
import { type StreamStatements, streamStatements } from './streams'

/** All statements of the adapter. Each connection prepares them once. */
export interface Statements {
  readonly entities: ReturnType<typeof entityStatements>
  readonly changes: ChangeStatements
  readonly commits: CommitStatements
  readonly lobbies: LobbyStatements
  readonly labels: LabelStatements
  readonly lists: ListStatements
  readonly matches: MatchStatements
  readonly servers: ServerStatements
  readonly logs: StreamLogStatements
  readonly streams: StreamStatements
  readonly jobs: JobStatements
  readonly coordination: CoordinationStatements
  readonly prune: PruneStatements
  readonly records: RecordStatements
}

export const prepareStatements = (db: Database): Statements => ({
  entities: entityStatements(db),
  changes: changeStatements(db),
  commits: commitStatements(db),
  lobbies: lobbyStatements(db),
  labels: labelStatements(db),
  lists: listStatements(db),
  matches: matchStatements(db),
  servers: serverStatements(db),
  logs: streamLogStatements(db),
  streams: streamStatements(db),
  jobs: jobStatements(db),
  coordination: coordinationStatements(db),
  prune: pruneStatements(db),
  records: recordStatements(db),
})
