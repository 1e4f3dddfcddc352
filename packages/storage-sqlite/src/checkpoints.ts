import type { GroupCommit } from './commit/group-commit'
import type { Connection } from './connection'
import { Checkpointer } from './log/checkpointer'
import { BEGIN_LOG, checkpoint, END_LOG } from './log/log-marks'
import type { OtherPrograms } from './read/other-programs'

interface CheckpointParts {
  readonly writer: GroupCommit
  readonly others: OtherPrograms
  /** Returns the store's current connection: the file may have been opened anew since this checkpointer was made. */
  readonly current: () => Connection | undefined
  readonly report: (error: unknown) => void
}

/** Returns the checkpointer of an opened file. Its marks and its last step run between groups of the writer. */
export function checkpointerOf({ db, file }: Connection, parts: CheckpointParts): Checkpointer {
  const { writer, others, current, report } = parts
  // No mark is written after the file was opened anew: the log of the new opening has begun already.
  const mark = (sql: string) => writer.submit(() => void (current()?.db === db && db.exec(sql)), { urgent: true })
  return new Checkpointer(file, {
    frames: () => checkpoint(db, 'noop'),
    endLog: () => mark(END_LOG),
    beginLog: () => mark(BEGIN_LOG),
    alone: (work) => writer.alone(work),
    beforeTurn: () => {
      others.look(current())
      return () => {
        // The checkpointer made the writes until now, unless the check that follows finds another program's write.
        others.passOver(current())
        return (othersWrote) => {
          if (othersWrote) others.found()
        }
      }
    },
    report,
  })
}
