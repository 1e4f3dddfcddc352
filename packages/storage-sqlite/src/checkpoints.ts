import type { GroupCommit } from './commit/group-commit'
import type { Connection } from './connection'
import { Checkpointer } from './log/checkpointer'
import { BEGIN_LOG, checkpoint, END_LOG } from './log/log-marks'
import type { OtherPrograms } from './read/other-programs'

interface CheckpointParts {
  readonly writer: GroupCommit
  readonly others: OtherPrograms
  /**
   * Returns the store's current connection. The store may have closed the file and opened it again since this
   * checkpointer was made.
   */
  readonly current: () => Connection | undefined
  readonly report: (error: unknown) => void
}

/**
 * Returns the checkpointer of an opened file. The checkpointer writes the marks of the log, and does the last step of a
 * checkpoint, between two groups of the writer.
 */
export function checkpointerOf({ db, file }: Connection, parts: CheckpointParts): Checkpointer {
  const { writer, others, current, report } = parts
  // If the file was opened again meanwhile, no mark is written, because the new opening has already begun a log.
  const mark = (sql: string) => writer.submit(() => void (current()?.db === db && db.exec(sql)), { urgent: true })
  return new Checkpointer(file, {
    frames: () => checkpoint(db, 'noop'),
    endLog: () => mark(END_LOG),
    beginLog: () => mark(BEGIN_LOG),
    alone: (work) => writer.alone(work),
    beforeTurn: () => {
      others.look(current())
      return () => {
        // Counts all writes until now as the checkpointer's own writes. If another program wrote meanwhile, the check
        // below finds that.
        others.passOver(current())
        return (othersWrote) => {
          if (othersWrote) others.found()
        }
      }
    },
    report,
  })
}
