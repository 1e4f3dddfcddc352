import type { GroupCommit } from './commit/group-commit'
import type { Connection } from './connection'
import { Checkpointer } from './log/checkpointer'
import { BEGIN_LOG, checkpoint, END_LOG } from './log/log-marks'
import type { OtherPrograms } from './read/other-programs'

interface CheckpointParts {
  readonly writer: GroupCommit
  readonly others: OtherPrograms
  /** What the store writes with now: the file may have been opened anew meanwhile. */
  readonly current: () => Connection | undefined
  readonly report: (error: unknown) => void
}

/** The checkpointer of an opened file, between the groups of its writer. */
export function checkpointerOf({ db, file }: Connection, parts: CheckpointParts): Checkpointer {
  const { writer, others, current, report } = parts
  // Not in a file that was opened anew meanwhile: its log has begun.
  const mark = (sql: string) => writer.submit(() => void (current()?.db === db && db.exec(sql)), { urgent: true })
  return new Checkpointer(file, {
    frames: () => checkpoint(db, 'noop'),
    endLog: () => mark(END_LOG),
    beginLog: () => mark(BEGIN_LOG),
    alone: (work) => writer.alone(work),
    beforeTurn: () => {
      others.look(current())
      return () => {
        // What was written until now is the checkpointer's own, unless it is about to find that it is not.
        others.passOver(current())
        return (othersWrote) => {
          if (othersWrote) others.found()
        }
      }
    },
    report,
  })
}
